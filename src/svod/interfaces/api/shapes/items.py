"""Items, their versions and texts."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from svod.foundation.errors import Language, SvodError
from svod.foundation.ids import write_id
from svod.interfaces.api.shapes.adding import RefreshDays, Tags, Title
from svod.interfaces.api.shapes.splitting import SplitAsked
from svod.interfaces.api.shapes.strict import Asked, Moment, Told
from svod.interfaces.api.told import tell_failure, tell_warning
from svod.knowledge.items.item import (
    Added,
    Item,
    ItemChange,
    ItemText,
    Outcome,
    Page,
    Refresh,
    Remark,
    Status,
)
from svod.knowledge.items.made import Refusal


class FailureTold(Told):
    """Why an item failed, and what to do about it."""

    code: str
    message: str
    hint: str | None

    @classmethod
    def of(cls, note: Remark, language: Language) -> "FailureTold":
        """The failure in the reader's language."""
        message, hint = tell_failure(note, language)
        return cls(code=note.code, message=message, hint=hint)

    @classmethod
    def of_refusal(cls, refusal: SvodError | Refusal, language: Language) -> "FailureTold":
        """Why one of many was refused, in the reader's language."""
        message, hint = refusal.message(language), refusal.advice(language)
        return cls(code=refusal.code, message=message, hint=hint)


class WarningTold(Told):
    """What to know of an item: of how it was read, or why it waits."""

    code: str
    message: str

    @classmethod
    def of(cls, note: Remark, language: Language) -> "WarningTold":
        """The warning in the reader's language."""
        return cls(code=note.code, message=tell_warning(note, language))


def _waiting(item: Item, language: Language) -> WarningTold | None:
    reason = item.waiting_reason
    if reason is None:
        return None
    return WarningTold(code=reason.value, message=reason.says.text(language))


class ItemTold(Told):
    """An item. `version` is the newest, `serving_version` the one that is searched.

    Links have a `url`; `stale` says that the page could not be had lately and an older text serves.
    """

    item_id: str
    kind: str
    title: str
    name: str | None
    external_id: str | None
    level: str
    namespace: str
    status: Status
    stage: str | None
    progress: float
    meaning_ready: float
    failure: FailureTold | None
    warnings: list[WarningTold]
    waiting_reason: WarningTold | None
    media_type: str
    bytes: int
    characters: int | None
    version: int
    serving_version: int | None
    revision: int
    origin: str
    ingest: str
    pinned: bool
    tags: list[str]
    created_by: str
    created_at: Moment
    updated_at: Moment
    url: str | None = None
    fetched_at: Moment | None = None
    refresh_days: int | None = None
    next_refresh_at: Moment | None = None
    stale: bool = False

    @classmethod
    def of(cls, item: Item, language: Language) -> "ItemTold":
        """The item as it is told."""
        link = item.link
        return cls(
            item_id=write_id(item.item_id),
            kind=item.kind,
            title=item.title,
            name=item.name,
            external_id=item.external_id,
            level=item.level,
            namespace=item.namespace,
            status=item.status,
            stage=item.stage,
            progress=round(item.progress, 4),
            meaning_ready=round(item.meaning_ready, 4),
            failure=FailureTold.of(item.failure, language) if item.failure else None,
            warnings=[WarningTold.of(note, language) for note in item.warnings],
            waiting_reason=_waiting(item, language),
            media_type=item.media_type,
            bytes=item.bytes,
            characters=item.characters,
            version=item.version,
            serving_version=item.serving_version,
            revision=item.revision,
            origin=item.origin,
            ingest=item.ingest,
            pinned=item.pinned,
            tags=list(item.tags),
            created_by=write_id(item.created_by),
            created_at=item.created_at,
            updated_at=item.updated_at,
            url=link.url if link else None,
            fetched_at=link.fetched_at if link else None,
            refresh_days=link.refresh_days if link else None,
            next_refresh_at=link.next_refresh_at if link else None,
            stale=link.is_stale if link else False,
        )


ITEM_EXAMPLE: dict[str, Any] = {
    "item_id": "1j5f2k9c0r3ta",
    "kind": "file",
    "title": "Возврат и обмен",
    "name": "returns.md",
    "external_id": "shop/returns.md",
    "level": "workspace",
    "namespace": "",
    "status": "ready",
    "stage": "indexed",
    "progress": 1.0,
    "meaning_ready": 1.0,
    "failure": None,
    "warnings": [],
    "waiting_reason": None,
    "media_type": "text/markdown",
    "bytes": 2480,
    "characters": 1391,
    "version": 1,
    "serving_version": 1,
    "revision": 4,
    "origin": "api",
    "ingest": "USER_UPLOAD",
    "pinned": False,
    "tags": ["договор"],
    "created_by": "0000000000002",
    "created_at": "2026-11-30T12:00:00Z",
    "updated_at": "2026-11-30T12:00:01Z",
    "url": None,
    "fetched_at": None,
    "refresh_days": None,
    "next_refresh_at": None,
    "stale": False,
}


class AddedTold(Told):
    """What adding did, and the item."""

    outcome: Outcome
    item: ItemTold

    @classmethod
    def of(cls, added: Added, language: Language) -> "AddedTold":
        """The outcome as it is told."""
        return cls(outcome=added.outcome, item=ItemTold.of(added.item, language))


ADDED_EXAMPLE: dict[str, Any] = {
    "outcome": "created",
    "item": ITEM_EXAMPLE
    | {"status": "queued", "stage": None, "progress": 0.0, "meaning_ready": 0.0, "revision": 1}
    | {"serving_version": None, "characters": None},
}


class ItemsTold(Told):
    """Some items, newest first; `next_cursor` leads on, null at the end."""

    items: list[ItemTold]
    next_cursor: str | None

    @classmethod
    def of(cls, page: Page, language: Language) -> "ItemsTold":
        """The page as it is told."""
        items = [ItemTold.of(item, language) for item in page.items]
        return cls(items=items, next_cursor=page.next_cursor)


ITEMS_EXAMPLE: dict[str, Any] = {"items": [ITEM_EXAMPLE], "next_cursor": None}


class TextTold(Told):
    """The canonical text of a version; spans count its Unicode code points."""

    item_id: str
    version: int
    title: str
    text: str

    @classmethod
    def of(cls, text: ItemText) -> "TextTold":
        """The text as it is told."""
        return cls(
            item_id=write_id(text.item_id), version=text.version, title=text.title, text=text.text
        )


TEXT_EXAMPLE: dict[str, Any] = {
    "item_id": "1j5f2k9c0r3ta",
    "version": 1,
    "title": "Возврат и обмен",
    "text": "# Возврат и обмен\n\nВернуть товар можно в течение 21 дня.\n",
}


class ListAsked(Asked):
    """Which items to list; what is left out does not restrict."""

    level: str | None = None
    namespace: str | None = None
    kind: Literal["note", "file", "link", "qa", "table"] | None = None
    status: Status | None = None
    external_id: str | None = None
    tag: str | None = None
    pinned: bool | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    cursor: str | None = None


class ChangeAsked(Asked):
    """What to change; what is left out stays.

    `text` is for notes. `tags` are all that the item will have. An empty `external_id` takes it
    away. `level` and `namespace` move the item, each alone or both. `refresh_days` is for links;
    null has a page fetched again only when asked.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Возврат товара"}]})

    title: Title | None = None
    text: str | None = None
    pinned: bool | None = None
    split: SplitAsked | None = None
    external_id: Annotated[str, Field(max_length=1000)] | None = None
    tags: Tags | None = None
    level: str | None = None
    namespace: str | None = None
    refresh_days: RefreshDays | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it names nothing to change; `refresh_days` can be named as null."""
        return not (self.model_dump(exclude_none=True) or "refresh_days" in self.model_fields_set)

    def change(self) -> ItemChange:
        """The change as the items room takes it."""
        return ItemChange(
            title=self.title,
            text=self.text,
            pinned=self.pinned,
            split=self.split.stored() if self.split else None,
            external_id=self.external_id,
            tags=None if self.tags is None else tuple(self.tags),
            level=self.level,
            namespace=self.namespace,
            refresh=Refresh(self.refresh_days) if "refresh_days" in self.model_fields_set else None,
        )
