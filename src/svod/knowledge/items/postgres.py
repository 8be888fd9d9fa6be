"""The SQL of items, versions and stored files; one thin function a statement."""

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from svod.foundation.ids import ItemId, LevelId, NamespaceId, WorkspaceId
from svod.foundation.storage import Statements, Transaction
from svod.knowledge.items.rows import (
    CheckedFile,
    ItemRow,
    KnownBytes,
    NewestVersion,
    NewItem,
    NewVersion,
    TwinRow,
    VersionHead,
    VersionRow,
)
from svod.knowledge.workspaces import Reading

SQL = Statements("svod.knowledge.items")


async def find_item(tx: Transaction, reading: Reading, item_id: ItemId) -> ItemRow | None:
    """An item that may be read."""
    return await tx.first(SQL.find_items, reading.sql | {"item_ids": [item_id]}, row=ItemRow)


async def find_items(
    tx: Transaction, reading: Reading, item_ids: Sequence[ItemId]
) -> list[ItemRow]:
    """Those of the items that may be read, in no order."""
    return await tx.rows(SQL.find_items, reading.sql | {"item_ids": list(item_ids)}, row=ItemRow)


async def list_items(
    tx: Transaction, reading: Reading, filters: Mapping[str, object]
) -> list[ItemRow]:
    """Items that may be read, newest change first; `filters` names every parameter."""
    return await tx.rows(SQL.list_items, {**reading.sql, **filters}, row=ItemRow)


async def lock_keys(tx: Transaction, keys: Iterable[bytes]) -> None:
    """Wait for others who add the same thing, until the transaction ends."""
    numbers = [struct.unpack("<q", key[:8])[0] for key in keys]
    await tx.values(SQL.lock_keys, {"keys": numbers})


async def find_by_external_ids(
    tx: Transaction, workspace_id: WorkspaceId, level_id: LevelId, keys: Sequence[bytes]
) -> list[TwinRow]:
    """The items of a level with these external ids."""
    named = {"workspace_id": workspace_id, "level_id": level_id, "external_id_keys": list(keys)}
    return await tx.rows(SQL.find_by_external_ids, named, row=TwinRow)


async def find_by_content(
    tx: Transaction,
    workspace_id: WorkspaceId,
    namespace_id: NamespaceId,
    content_key: bytes,
    *,
    kind: str,
) -> TwinRow | None:
    """An item of a namespace that holds just these bytes; one without an external id first."""
    keys = {
        "workspace_id": workspace_id,
        "namespace_id": namespace_id,
        "content_key": content_key,
        "kind": kind,
    }
    return await tx.first(SQL.find_by_content, keys, row=TwinRow)


async def find_by_name(
    tx: Transaction, workspace_id: WorkspaceId, namespace_id: NamespaceId, name_key: bytes
) -> TwinRow | None:
    """The item of a namespace with this file name, among those without an external id."""
    keys = {"workspace_id": workspace_id, "namespace_id": namespace_id, "name_key": name_key}
    return await tx.first(SQL.find_by_name, keys, row=TwinRow)


async def lock_twin(tx: Transaction, workspace_id: WorkspaceId, item_id: ItemId) -> TwinRow | None:
    """An item that was recognised, locked; None if it is gone by now."""
    keys = {"workspace_id": workspace_id, "item_id": item_id}
    return await tx.first(SQL.lock_twin, keys, row=TwinRow)


async def draw_item_numbers(tx: Transaction, workspace_id: WorkspaceId, count: int) -> int:
    """The last of the next narrow numbers of items in their workspace."""
    return await tx.value(SQL.draw_item_numbers, {"workspace_id": workspace_id, "count": count})


async def insert_items(tx: Transaction, items: Iterable[NewItem]) -> None:
    """New items, queued."""
    await tx.run_many(SQL.insert_item, (asdict(item) for item in items))


async def insert_versions(tx: Transaction, versions: Iterable[NewVersion]) -> None:
    """New versions of items."""
    await tx.run_many(SQL.insert_version, (asdict(version) for version in versions))


async def next_version(
    tx: Transaction,
    workspace_id: WorkspaceId,
    item_id: ItemId,
    *,
    sealed_title: bytes,
    name_key: bytes | None,
    content_key: bytes,
    now: datetime,
) -> int:
    """Raise an item's version and queue it again; the number of the new version."""
    return await tx.value(
        SQL.next_version,
        {
            "workspace_id": workspace_id,
            "item_id": item_id,
            "sealed_title": sealed_title,
            "name_key": name_key,
            "content_key": content_key,
            "now": now,
        },
    )


async def raise_versions(
    tx: Transaction,
    workspace_id: WorkspaceId,
    titled: Sequence[tuple[ItemId, bytes, bytes]],
    *,
    now: datetime,
) -> None:
    """Raise the versions of held notes, each with its sealed title and content key."""
    lists = {
        "item_ids": [item_id for item_id, _, _ in titled],
        "sealed_titles": [title for _, title, _ in titled],
        "content_keys": [key for _, _, key in titled],
    }
    await tx.run(SQL.raise_versions, {"workspace_id": workspace_id, "now": now} | lists)


async def set_external_id(
    tx: Transaction,
    workspace_id: WorkspaceId,
    item_id: ItemId,
    *,
    sealed_external_id: bytes | None,
    external_id_key: bytes | None,
    now: datetime,
) -> None:
    """Give a held item an external id, or take it away."""
    await tx.run(
        SQL.set_external_id,
        {
            "workspace_id": workspace_id,
            "item_id": item_id,
            "sealed_external_id": sealed_external_id,
            "external_id_key": external_id_key,
            "now": now,
        },
    )


async def restore_version(
    tx: Transaction,
    reading: Reading,
    item_id: ItemId,
    *,
    version: int,
    restored: int,
    now: datetime,
) -> None:
    """A new version with the content of an earlier one."""
    keys = {"item_id": item_id, "version": version, "restored": restored, "now": now}
    made_by = {"created_by": reading.principal_id}
    await tx.run(SQL.restore_version, reading.sql | keys | made_by)


async def set_split(
    tx: Transaction, workspace_id: WorkspaceId, item_id: ItemId, version: int, sealed: bytes | None
) -> None:
    """Change how a version is split."""
    keys = {"workspace_id": workspace_id, "item_id": item_id, "version": version}
    await tx.run(SQL.set_split, keys | {"sealed_split": sealed})


async def find_version(
    tx: Transaction, workspace_id: WorkspaceId, item_id: ItemId, version: int
) -> VersionRow | None:
    """A version; only for an item that was found by `find_item`, which asks the grants."""
    keys = {"workspace_id": workspace_id, "item_id": item_id, "version": version}
    return await tx.first(SQL.find_version, keys, row=VersionRow)


async def newest_versions(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> list[NewestVersion]:
    """The newest version of each item."""
    keys = {"workspace_id": workspace_id, "item_ids": list(item_ids)}
    return await tx.rows(SQL.newest_versions, keys, row=NewestVersion)


async def list_versions(
    tx: Transaction, workspace_id: WorkspaceId, item_id: ItemId, *, named: bool
) -> list[VersionHead]:
    """Every version, newest first; only for an item that was found by `find_item`."""
    keys = {"workspace_id": workspace_id, "item_id": item_id, "named": named}
    return await tx.rows(SQL.list_versions, keys, row=VersionHead)


async def insert_blob(
    tx: Transaction, workspace_id: WorkspaceId, blob_key: bytes, *, size: int, now: datetime
) -> None:
    """Say that a stored file is in use."""
    keys = {"workspace_id": workspace_id, "blob_key": blob_key, "size": size, "now": now}
    await tx.run(SQL.insert_blob, keys)


async def find_known_bytes(
    tx: Transaction, reading: Reading, content_key: bytes
) -> KnownBytes | None:
    """A stored file with this content, if the principal can read an item that holds it."""
    keys = reading.sql | {"content_key": content_key}
    return await tx.first(SQL.find_known_bytes, keys, row=KnownBytes)


async def check_files(
    tx: Transaction,
    reading: Reading,
    *,
    level_id: LevelId,
    namespace_id: NamespaceId,
    content_keys: Sequence[bytes],
    external_id_keys: Sequence[bytes | None],
) -> list[CheckedFile]:
    """What is known of each file, in the order given."""
    return await tx.rows(
        SQL.check_files,
        reading.sql
        | {
            "level_id": level_id,
            "namespace_id": namespace_id,
            "content_keys": list(content_keys),
            "external_id_keys": list(external_id_keys),
        },
        row=CheckedFile,
    )


async def used_blobs(
    tx: Transaction, workspace_id: WorkspaceId, blob_keys: Sequence[bytes]
) -> set[bytes]:
    """Those of the stored files that are in use."""
    keys = {"workspace_id": workspace_id, "blob_keys": list(blob_keys)}
    return {bytes(key) for key in await tx.values(SQL.used_blobs, keys)}
