"""One action on many items, and many notes at once: what is asked, and what became of each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from svod.foundation.errors import Language
from svod.foundation.ids import write_id
from svod.interfaces.api.numbers import NO_ITEM, item_number
from svod.interfaces.api.shapes.adding import ExternalId, Tags, Title
from svod.interfaces.api.shapes.items import FailureTold
from svod.interfaces.api.shapes.splitting import SplitAsked
from svod.interfaces.api.shapes.strict import Asked, Told
from svod.knowledge.items.adding_many import MOST_NOTES
from svod.knowledge.items.bulk.order import (
    MOST_ITEMS,
    Became,
    BulkAction,
    BulkOrder,
    ItemResult,
    failed,
)
from svod.knowledge.items.errors import ItemNotFound
from svod.knowledge.items.item import NoteDraft, Outcome, Target
from svod.knowledge.items.made import NoteResult

_WITH_TAGS = {BulkAction.TAG, BulkAction.UNTAG}


class BulkAsked(Asked):
    """An action on up to 1,000 items: `tags` go with tag and untag, `level` with move."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"action": "tag", "item_ids": ["1j5f2k9c0r3ta"], "tags": ["договор"]}]
        }
    )

    action: BulkAction
    item_ids: Annotated[list[str], Field(min_length=1, max_length=MOST_ITEMS)]
    tags: Annotated[Tags, Field(min_length=1)] | None = None
    level: str | None = None
    namespace: str | None = None

    @model_validator(mode="after")
    def _fit_together(self) -> Self:
        if (self.action in _WITH_TAGS) != (self.tags is not None):
            raise PydanticCustomError("bulk_tags", "tags go with tag and untag, and only with them")
        moves = self.action is BulkAction.MOVE
        if moves != (self.level is not None) or (self.namespace is not None and not moves):
            raise PydanticCustomError("bulk_level", "level goes with move, and only with it")
        return self

    def order(self) -> BulkOrder:
        """What the items room is to do; ids that cannot be read are left out."""
        numbers = [number for text in self.item_ids if (number := item_number(text)) != NO_ITEM]
        return BulkOrder(
            action=self.action,
            item_ids=tuple(dict.fromkeys(numbers)),
            tags=tuple(self.tags or ()),
            target=Target(self.level or "workspace", self.namespace or ""),
        )


class ItemResultTold(Told):
    """What became of one item: `unchanged` was so already; `failed` says why."""

    item_id: str
    became: Became
    failure: FailureTold | None


class BulkTold(Told):
    """How many items it was done to, and what became of each, in the order they were named."""

    done: int
    unchanged: int
    failed: int
    results: list[ItemResultTold]

    @classmethod
    def of(cls, asked: BulkAsked, results: Sequence[ItemResult], language: Language) -> "BulkTold":
        """The results as they are told; an item that was named twice is told once."""
        known = {write_id(result.item_id): result for result in results}
        told = {text: _result(text, known, language) for text in dict.fromkeys(asked.item_ids)}
        counts = Counter(one.became for one in told.values())
        return cls(
            done=counts[Became.DONE],
            unchanged=counts[Became.UNCHANGED],
            failed=counts[Became.FAILED],
            results=list(told.values()),
        )


BULK_EXAMPLE: dict[str, Any] = {
    "done": 1,
    "unchanged": 0,
    "failed": 1,
    "results": [
        {"item_id": "1j5f2k9c0r3ta", "became": "done", "failure": None},
        {
            "item_id": "1j5f2k9c0r3tb",
            "became": "failed",
            "failure": {
                "code": "items.not_found",
                "message": "There is no such item.",
                "hint": "`svod items` lists what there is.",
            },
        },
    ],
}


class BulkNoteAsked(Asked):
    """One of many notes; the same `external_id` again updates it."""

    text: str
    title: Title | None = None
    external_id: ExternalId | None = None
    pinned: bool = False
    split: SplitAsked | None = None
    tags: Tags | None = None

    def draft(self) -> NoteDraft:
        """The note as the items room takes it."""
        return NoteDraft(
            text=self.text,
            title=self.title,
            external_id=self.external_id,
            pinned=self.pinned,
            split=self.split.stored() if self.split else None,
            tags=None if self.tags is None else tuple(self.tags),
        )


class BulkNotesAsked(Asked):
    """Up to 1,000 notes for one place."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "level": "workspace",
                    "notes": [
                        {"text": "Вернуть товар можно в течение 21 дня.", "external_id": "faq-7"},
                        {"text": "Delivery takes two days.", "external_id": "faq-8"},
                    ],
                }
            ]
        }
    )

    level: str = "workspace"
    namespace: str = ""
    notes: Annotated[list[BulkNoteAsked], Field(min_length=1, max_length=MOST_NOTES)]


class NoteResultTold(Told):
    """What became of one note: its item, or why it was not kept."""

    outcome: Outcome | None
    item_id: str | None
    failure: FailureTold | None

    @classmethod
    def of(cls, result: NoteResult, language: Language) -> "NoteResultTold":
        """The result as it is told."""
        failure = result.refusal
        return cls(
            outcome=result.outcome,
            item_id=None if result.item_id is None else write_id(result.item_id),
            failure=FailureTold.of_refusal(failure, language) if failure else None,
        )


class BulkNotesTold(Told):
    """How many notes were created, updated, unchanged and not kept, and what became of each."""

    created: int
    updated: int
    unchanged: int
    failed: int
    results: list[NoteResultTold]

    @classmethod
    def of(cls, results: Sequence[NoteResult], language: Language) -> "BulkNotesTold":
        """The results as they are told, in the order of the notes."""
        counts = Counter(result.outcome for result in results)
        return cls(
            created=counts[Outcome.CREATED],
            updated=counts[Outcome.UPDATED],
            unchanged=counts[Outcome.UNCHANGED],
            failed=counts[None],
            results=[NoteResultTold.of(result, language) for result in results],
        )


BULK_NOTES_EXAMPLE: dict[str, Any] = {
    "created": 2,
    "updated": 0,
    "unchanged": 0,
    "failed": 0,
    "results": [
        {"outcome": "created", "item_id": "1j5f2k9c0r3ta", "failure": None},
        {"outcome": "created", "item_id": "1j5f2k9c0r3tb", "failure": None},
    ],
}


def _result(text: str, known: Mapping[str, ItemResult], language: Language) -> ItemResultTold:
    result = known.get(text) or failed(NO_ITEM, ItemNotFound())
    failure = result.failure
    return ItemResultTold(
        item_id=text,
        became=result.became,
        failure=FailureTold.of_refusal(failure, language) if failure else None,
    )
