"""The SQL of what is done to items; one thin function a statement, each for a set of items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from svod.foundation.ids import ItemId, LevelId, NamespaceId, WorkspaceId
from svod.foundation.storage import Statements, Transaction
from svod.knowledge.workspaces import Reading

SQL = Statements(__package__ or "")


@dataclass(frozen=True, slots=True)
class HeldRow:
    """An item that was locked, as far as an action asks about it."""

    item_id: ItemId
    kind: str
    status: str
    version: int
    revision: int
    level_id: LevelId
    namespace_id: NamespaceId
    external_id_key: bytes | None
    pinned: bool
    may_send: bool
    level_kind: str
    level_name: str


@dataclass(frozen=True, slots=True)
class RequeuedRow:
    """An item that waits to be read again."""

    item_id: ItemId
    version: int
    kind: str


@dataclass(frozen=True, slots=True)
class TagRow:
    """An item has a tag."""

    item_id: ItemId
    tag_key: bytes


def _keys(workspace_id: WorkspaceId, item_ids: Iterable[ItemId]) -> dict[str, object]:
    return {"workspace_id": workspace_id, "item_ids": list(item_ids)}


async def lock_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> list[ItemId]:
    """Lock items; those that are there."""
    return await tx.values(SQL.lock_items, _keys(workspace_id, item_ids))


async def held_items(
    tx: Transaction, reading: Reading, item_ids: Sequence[ItemId]
) -> list[HeldRow]:
    """Those of the items that may be read."""
    return await tx.rows(SQL.held_items, reading.sql | {"item_ids": list(item_ids)}, row=HeldRow)


async def pin_items(
    tx: Transaction,
    workspace_id: WorkspaceId,
    item_ids: Sequence[ItemId],
    *,
    pinned: bool,
    now: datetime,
) -> list[ItemId]:
    """Pin or unpin items; those that were not so already."""
    keys = _keys(workspace_id, item_ids) | {"pinned": pinned, "now": now}
    return await tx.values(SQL.pin_items, keys)


async def touch_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId], *, now: datetime
) -> None:
    """Say that something about items changed."""
    await tx.run(SQL.touch_items, _keys(workspace_id, item_ids) | {"now": now})


async def requeue_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId], *, now: datetime
) -> list[RequeuedRow]:
    """Queue items again and clear their failures."""
    keys = _keys(workspace_id, item_ids) | {"now": now}
    return await tx.rows(SQL.requeue_items, keys, row=RequeuedRow)


async def cancel_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId], *, now: datetime
) -> list[ItemId]:
    """Break off what waits or is being read; those of which there was something to break off."""
    return await tx.values(SQL.cancel_items, _keys(workspace_id, item_ids) | {"now": now})


async def taken_external_ids(
    tx: Transaction, workspace_id: WorkspaceId, level_id: LevelId, keys: Sequence[bytes]
) -> set[bytes]:
    """Those of the external ids that items of a level have."""
    named = {"workspace_id": workspace_id, "level_id": level_id, "external_id_keys": list(keys)}
    return {bytes(key) for key in await tx.values(SQL.taken_external_ids, named)}


async def move_items(
    tx: Transaction,
    workspace_id: WorkspaceId,
    item_ids: Sequence[ItemId],
    *,
    level_id: LevelId,
    namespace_id: NamespaceId,
    now: datetime,
) -> None:
    """Put items into another namespace."""
    where = {"level_id": level_id, "namespace_id": namespace_id, "now": now}
    await tx.run(SQL.move_items, _keys(workspace_id, item_ids) | where)


async def tags_of_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> list[TagRow]:
    """Which tags items have."""
    return await tx.rows(SQL.tags_of_items, _keys(workspace_id, item_ids), row=TagRow)


async def add_tags(
    tx: Transaction,
    workspace_id: WorkspaceId,
    tags: Sequence[tuple[ItemId, bytes, bytes]],
) -> None:
    """Give items tags: item, key and sealed tag; one that it has stays."""
    lists = {
        "item_ids": [item_id for item_id, _, _ in tags],
        "tag_keys": [key for _, key, _ in tags],
        "sealed_tags": [sealed for _, _, sealed in tags],
    }
    await tx.run(SQL.add_tags, {"workspace_id": workspace_id} | lists)


async def remove_tags(
    tx: Transaction,
    workspace_id: WorkspaceId,
    item_ids: Sequence[ItemId],
    tag_keys: Sequence[bytes],
) -> list[ItemId]:
    """Take tags away; the items that had any of them, each as often as it had one."""
    keys = _keys(workspace_id, item_ids) | {"tag_keys": list(tag_keys)}
    return await tx.values(SQL.remove_tags, keys)


async def clear_tags(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> None:
    """Take every tag away from items."""
    await tx.run(SQL.clear_tags, _keys(workspace_id, item_ids))


async def blobs_of_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> list[bytes]:
    """The stored files that any version of these items points at."""
    return await tx.values(SQL.blobs_of_items, _keys(workspace_id, item_ids))


async def delete_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> None:
    """Remove items, their versions and tags."""
    await tx.run(SQL.delete_items, _keys(workspace_id, item_ids))


async def delete_unused_blobs(
    tx: Transaction, workspace_id: WorkspaceId, blob_keys: Sequence[bytes]
) -> list[bytes]:
    """Refuse files that no version points at any more; their keys, for unlinking."""
    keys = {"workspace_id": workspace_id, "blob_keys": list(blob_keys)}
    return await tx.values(SQL.delete_unused_blobs, keys)


async def lock_items_of_levels(
    tx: Transaction, workspace_id: WorkspaceId, level_ids: Sequence[LevelId]
) -> list[ItemId]:
    """Lock every item on some levels."""
    keys = {"workspace_id": workspace_id, "level_ids": list(level_ids)}
    return await tx.values(SQL.lock_items_of_levels, keys)


async def lock_namespaces_of_levels(
    tx: Transaction, workspace_id: WorkspaceId, level_ids: Sequence[LevelId]
) -> None:
    """Let nothing be added to some levels any more."""
    keys = {"workspace_id": workspace_id, "level_ids": list(level_ids)}
    await tx.values(SQL.lock_namespaces_of_levels, keys)


async def delete_namespaces_of_levels(
    tx: Transaction, workspace_id: WorkspaceId, level_ids: Sequence[LevelId]
) -> None:
    """Remove the namespaces of some levels, which must be empty."""
    keys = {"workspace_id": workspace_id, "level_ids": list(level_ids)}
    await tx.run(SQL.delete_namespaces_of_levels, keys)


async def lock_workspace(tx: Transaction, workspace_id: WorkspaceId) -> None:
    """Wait for whoever writes in a workspace, and let nobody begin."""
    keys = {"workspace_id": workspace_id}
    await tx.run(SQL.lock_items_of_workspace, keys)
    await tx.run(SQL.lock_namespaces_of_workspace, keys)


async def delete_everything(tx: Transaction, workspace_id: WorkspaceId) -> None:
    """Remove every item, file and namespace of a workspace, whole tables at a time."""
    keys = {"workspace_id": workspace_id}
    for statement in (
        SQL.delete_every_tag,
        SQL.delete_every_version,
        SQL.delete_every_item,
        SQL.delete_every_blob,
        SQL.delete_every_namespace,
    ):
        await tx.run(statement, keys)
