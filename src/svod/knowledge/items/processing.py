"""How an item's processing is recorded: for the room that reads and indexes it.

Each function works in the caller's transaction and names the version it is about; when a later
version has come, or the item is gone, nothing happens and it says so.
"""

from dataclasses import dataclass

from svod.foundation.ids import ItemId, NamespaceId, WorkspaceId
from svod.foundation.jobs import WaitingReason
from svod.foundation.storage import Blobs, Statements, Transaction, Vault
from svod.knowledge.items import postgres, sealed
from svod.knowledge.items.item import Remark, Source, Stage

SQL = Statements("svod.knowledge.items")


@dataclass(frozen=True, slots=True)
class VersionAt:
    """A version of an item."""

    workspace_id: WorkspaceId
    item_id: ItemId
    version: int

    @property
    def sql(self) -> dict[str, int]:
        """The parameters that name it."""
        return {
            "workspace_id": self.workspace_id,
            "item_id": self.item_id,
            "version": self.version,
        }


@dataclass(frozen=True, slots=True)
class UnderWay:
    """What processing needs to know of the item that it holds."""

    item_no: int
    namespace_id: NamespaceId
    kind: str
    sealed_title: bytes
    serving_version: int | None


@dataclass(frozen=True, slots=True)
class Given:
    """What a version was given: its source, and the JSON of its splitting settings."""

    source: Source
    split: str | None


async def begin(tx: Transaction, at: VersionAt) -> UnderWay | None:
    """Take up an item that waits; None when there is nothing to do for this version."""
    return await tx.first(SQL.begin_item, at.sql, row=UnderWay)


async def hold(tx: Transaction, at: VersionAt) -> UnderWay | None:
    """Lock an item while this is its newest version and it neither failed nor waits again."""
    return await tx.first(SQL.lock_current, at.sql, row=UnderWay)


async def is_wanted(tx: Transaction, at: VersionAt) -> bool:
    """Whether this version is still to be read: not superseded, cancelled or gone meanwhile."""
    return await tx.value(SQL.is_wanted, at.sql)


async def given(tx: Transaction, vault: Vault, blobs: Blobs, at: VersionAt) -> Given | None:
    """What is to be read, or None when the item is gone, or its page has not come yet."""
    row = await postgres.find_version(tx, at.workspace_id, at.item_id, at.version)
    if row is None or (row.blob_key is None and row.sealed_source is None):
        return None
    name = sealed.open_name(vault, at.item_id, row.sealed_name) or ""
    if row.blob_key is not None:
        content = await blobs.get(vault, row.blob_key)
    else:
        text = sealed.open_source(vault, at.item_id, row.sealed_source or b"")
        content = text.encode("utf-8", "replace")
    split = sealed.open_split(vault, at.item_id, row.sealed_split)
    return Given(Source(content, row.media_type, name), split)


async def progress(tx: Transaction, at: VersionAt, stage: Stage, fraction: float) -> None:
    """Say how far processing is, 0..1."""
    await tx.run(SQL.progress_item, at.sql | {"stage": stage, "progress": fraction})


async def keep_text(
    tx: Transaction, vault: Vault, at: VersionAt, text: str, warnings: tuple[Remark, ...]
) -> None:
    """Keep the canonical text of a version, and what to know of its reading."""
    await tx.run(
        SQL.keep_text,
        at.sql
        | {
            "sealed_text": sealed.seal_text(vault, at.item_id, at.version, text),
            "characters": len(text),
            "sealed_reading": sealed.seal_warnings(vault, at.item_id, at.version, warnings),
        },
    )


async def text_is(tx: Transaction, vault: Vault, at: VersionAt, text: str) -> bool:
    """Whether this is the text that is kept of a version."""
    row = await postgres.find_version(tx, at.workspace_id, at.item_id, at.version)
    kept = None if row is None else sealed.open_text(vault, at.item_id, row)
    return kept is not None and kept.text == text


async def serve(tx: Transaction, at: VersionAt, *, meaning_ready: float) -> None:
    """From now on this version is the one that is searched; its item must be held."""
    await tx.run(SQL.serve_version, at.sql | {"meaning_ready": meaning_ready})


async def set_meaning_ready(
    tx: Transaction, at: VersionAt, fraction: float, *, searchable: bool
) -> None:
    """Say how many of a version's vectors are computed, 0..1.

    Of a version that is searched already this is `meaning_ready`; of one that waits for its swap it
    is the progress.
    """
    if searchable:
        await tx.run(SQL.set_meaning_ready, at.sql | {"meaning_ready": fraction})
    else:
        await progress(tx, at, Stage.SPLIT, fraction)


async def wait_for_meaning(tx: Transaction, at: VersionAt, reason: WaitingReason) -> None:
    """Say why the rest of a version's vectors does not come."""
    await tx.run(SQL.wait_for_meaning, at.sql | {"reason": reason.value})


async def split_settings(tx: Transaction, vault: Vault, at: VersionAt) -> str | None:
    """The JSON of a version's splitting settings."""
    row = await postgres.find_version(tx, at.workspace_id, at.item_id, at.version)
    return None if row is None else sealed.open_split(vault, at.item_id, row.sealed_split)


async def fail(tx: Transaction, vault: Vault, at: VersionAt, failure: Remark) -> bool:
    """Say why a version could not be read; the serving one is still searched.

    False when nobody wants to know: it was cancelled, changed or deleted meanwhile.
    """
    sealed_failure = sealed.seal_failure(vault, at.item_id, failure)
    keys = at.sql | {"code": failure.code, "sealed_failure": sealed_failure}
    return await tx.run(SQL.fail_item, keys) > 0
