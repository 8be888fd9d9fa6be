"""How an item's words are sealed and opened: one place says what each is about."""

import json
from typing import Any

from svod.foundation.ids import ItemId
from svod.foundation.jobs import WaitingReason
from svod.foundation.storage import Of, SealedColumn, Vault
from svod.knowledge.items.item import (
    Item,
    ItemText,
    LinkState,
    Origin,
    Remark,
    Stage,
    Status,
    Version,
)
from svod.knowledge.items.rows import ItemRow, VersionHead, VersionRow
from svod.knowledge.workspaces import Reading, write_level

SEALED = (
    SealedColumn("item", "sealed_title", ("title", Of("item_id"))),
    SealedColumn("item", "sealed_external_id", ("external_id", Of("item_id"))),
    SealedColumn("item", "sealed_failure", ("failure", Of("item_id"))),
    SealedColumn("item_version", "sealed_title", ("title", Of("item_id"))),
    SealedColumn("item_version", "sealed_name", ("name", Of("item_id"))),
    SealedColumn("item_version", "sealed_source", ("source", Of("item_id"))),
    SealedColumn("item_version", "sealed_split", ("split", Of("item_id"))),
    SealedColumn("item_version", "sealed_text", ("text", Of("item_id"), Of("version"))),
    SealedColumn("item_version", "sealed_reading", ("reading", Of("item_id"), Of("version"))),
    SealedColumn("item_tag", "sealed_tag", ("tag", Of("item_id"))),
    SealedColumn("link", "sealed_url", ("url", Of("item_id"))),
    SealedColumn("link", "sealed_final_url", ("url", Of("item_id"))),
    SealedColumn("link", "sealed_etag", ("mark", Of("item_id"))),
    SealedColumn("link", "sealed_last_modified", ("mark", Of("item_id"))),
)
"""What each sealed column of this room is about, for the rotation of keys."""


def seal_title(vault: Vault, item_id: ItemId, title: str) -> bytes:
    """An item's title; a version's is sealed alike, so that a version can take its item's."""
    return vault.seal_text(title, "title", item_id)


def seal_name(vault: Vault, item_id: ItemId, name: str) -> bytes:
    """The file name of a version."""
    return vault.seal_text(name, "name", item_id)


def seal_external_id(vault: Vault, item_id: ItemId, external_id: str) -> bytes:
    """An external id."""
    return vault.seal_text(external_id, "external_id", item_id)


def seal_tag(vault: Vault, item_id: ItemId, tag: str) -> bytes:
    """A tag of an item."""
    return vault.seal_text(tag, "tag", item_id)


def seal_source(vault: Vault, item_id: ItemId, text: str) -> bytes:
    """A note as it was written."""
    return vault.seal_text(text, "source", item_id)


def seal_split(vault: Vault, item_id: ItemId, split: str) -> bytes:
    """The settings of splitting, as JSON."""
    return vault.seal_text(split, "split", item_id)


def open_split(vault: Vault, item_id: ItemId, sealed: bytes | None) -> str | None:
    """The settings of splitting, as JSON, if there are any."""
    return None if sealed is None else vault.open_text(sealed, "split", item_id)


def open_source(vault: Vault, item_id: ItemId, sealed: bytes) -> str:
    """A note as it was written."""
    return vault.open_text(sealed, "source", item_id)


def open_title(vault: Vault, item_id: ItemId, sealed: bytes) -> str:
    """A title."""
    return vault.open_text(sealed, "title", item_id)


def open_name(vault: Vault, item_id: ItemId, sealed: bytes | None) -> str | None:
    """A file name, if there is one."""
    return None if sealed is None else vault.open_text(sealed, "name", item_id)


def open_external_id(vault: Vault, item_id: ItemId, sealed: bytes | None) -> str | None:
    """An external id, if there is one."""
    return None if sealed is None else vault.open_text(sealed, "external_id", item_id)


def seal_text(vault: Vault, item_id: ItemId, version: int, text: str) -> bytes:
    """The canonical text of a version."""
    return vault.seal_text(text, "text", item_id, version)


def seal_failure(vault: Vault, item_id: ItemId, failure: Remark) -> bytes:
    """The facts of a failure; its code stands beside it in the clear."""
    return vault.seal_text(json.dumps(failure.facts), "failure", item_id)


def seal_warnings(
    vault: Vault, item_id: ItemId, version: int, warnings: tuple[Remark, ...]
) -> bytes:
    """What to know of the reading of a version."""
    packed = json.dumps([[note.code, note.facts] for note in warnings])
    return vault.seal_text(packed, "reading", item_id, version)


def seal_url(vault: Vault, item_id: ItemId, url: str) -> bytes:
    """The address of a page; the one where redirects ended is sealed alike."""
    return vault.seal_text(url, "url", item_id)


def open_url(vault: Vault, item_id: ItemId, sealed: bytes) -> str:
    """The address of a page."""
    return vault.open_text(sealed, "url", item_id)


def open_item(reading: Reading, row: ItemRow) -> Item:
    """An item as its reader sees it."""
    vault, item_id = reading.vault, row.item_id
    return Item(
        workspace_id=reading.workspace_id,
        item_id=item_id,
        kind=row.kind,
        title=open_title(vault, item_id, row.sealed_title),
        name=open_name(vault, item_id, row.sealed_name),
        external_id=open_external_id(vault, item_id, row.sealed_external_id),
        level=write_level(row.level_kind, row.level_name),
        namespace=row.clean_namespace,
        status=Status(row.status),
        stage=Stage(row.stage) if row.stage else None,
        progress=row.progress,
        meaning_ready=row.meaning_ready,
        failure=_open_failure(vault, row),
        warnings=_open_warnings(vault, row),
        media_type=row.media_type,
        bytes=row.size,
        characters=row.characters,
        version=row.version,
        serving_version=row.serving_version,
        revision=row.revision,
        origin=Origin(row.origin),
        ingest=row.ingest,
        pinned=row.pinned,
        created_by=row.created_by,
        created_at=row.created_at,
        updated_at=row.updated_at,
        waiting_reason=WaitingReason.named(row.meaning_waits),
        link=_open_link(vault, row),
        tags=tuple(sorted(vault.open_text(tag, "tag", item_id) for tag in row.sealed_tags)),
    )


def _open_link(vault: Vault, row: ItemRow) -> LinkState | None:
    if row.sealed_url is None:
        return None
    return LinkState(
        url=open_url(vault, row.item_id, row.sealed_url),
        fetched_at=row.fetched_at,
        refresh_days=row.refresh_days,
        next_refresh_at=row.next_refresh_at,
        is_stale=bool(row.failed_days) and row.serving_version is not None,
    )


def open_version(vault: Vault, item_id: ItemId, row: VersionHead) -> Version:
    """A version as its reader sees it."""
    return Version(
        version=row.version,
        title=open_title(vault, item_id, row.sealed_title),
        name=open_name(vault, item_id, row.sealed_name),
        media_type=row.media_type,
        bytes=row.size,
        characters=row.characters,
        created_by=row.created_by,
        created_at=row.created_at,
        created_by_name=(
            None
            if row.sealed_maker is None
            else vault.open_text(row.sealed_maker, "principal", row.created_by)
        ),
        restored_from=row.restored_from,
    )


def open_text(vault: Vault, item_id: ItemId, row: VersionRow) -> ItemText | None:
    """The canonical text of a version, if it has been read."""
    if row.sealed_text is None:
        return None
    return ItemText(
        item_id=item_id,
        version=row.version,
        title=open_title(vault, item_id, row.sealed_title),
        text=vault.open_text(row.sealed_text, "text", item_id, row.version),
    )


def _open_failure(vault: Vault, row: ItemRow) -> Remark | None:
    if row.failure_code is None:
        return None
    facts: dict[str, Any] = {}
    if row.sealed_failure is not None:
        facts = json.loads(vault.open_text(row.sealed_failure, "failure", row.item_id))
    return Remark(row.failure_code, facts)


def _open_warnings(vault: Vault, row: ItemRow) -> tuple[Remark, ...]:
    if row.sealed_reading is None:
        return ()
    packed = vault.open_text(row.sealed_reading, "reading", row.item_id, row.version)
    return tuple(Remark(code, facts) for code, facts in json.loads(packed))
