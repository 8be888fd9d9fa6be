"""The SQL of items, versions and stored files; one thin function a statement."""

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from svod.foundation.ids import ItemId, LevelId, NamespaceId, PrincipalId, WorkspaceId
from svod.foundation.storage import Statements, Transaction
from svod.knowledge.workspaces import Reading

SQL = Statements("svod.knowledge.items")


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item with the names of its place and the facts of its newest version, still sealed."""

    item_id: ItemId
    kind: str
    sealed_title: bytes
    sealed_external_id: bytes | None
    status: str
    stage: str | None
    progress: float
    meaning_ready: float
    meaning_waits: str | None
    failure_code: str | None
    sealed_failure: bytes | None
    version: int
    serving_version: int | None
    revision: int
    origin: str
    ingest: str
    pinned: bool
    created_by: PrincipalId
    created_at: datetime
    updated_at: datetime
    level_kind: str
    level_name: str
    clean_namespace: str
    sealed_name: bytes | None
    media_type: str
    size: int
    characters: int | None
    sealed_reading: bytes | None
    may_send: bool


@dataclass(frozen=True, slots=True)
class TwinRow:
    """An item that what is being added may already be."""

    item_id: ItemId
    kind: str
    version: int
    content_key: bytes
    external_id_key: bytes | None
    namespace_id: NamespaceId


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version whole, still sealed."""

    version: int
    media_type: str
    sealed_title: bytes
    sealed_name: bytes | None
    sealed_source: bytes | None
    blob_key: bytes | None
    size: int
    content_key: bytes
    sealed_split: bytes | None
    sealed_text: bytes | None
    characters: int | None
    created_by: PrincipalId
    created_at: datetime


@dataclass(frozen=True, slots=True)
class VersionHead:
    """A version as it is listed."""

    version: int
    media_type: str
    sealed_title: bytes
    sealed_name: bytes | None
    size: int
    characters: int | None
    created_by: PrincipalId
    created_at: datetime


@dataclass(frozen=True, slots=True)
class NewItem:
    """The row of an item to insert."""

    workspace_id: WorkspaceId
    item_id: ItemId
    item_no: int
    level_id: LevelId
    namespace_id: NamespaceId
    kind: str
    sealed_title: bytes
    sealed_external_id: bytes | None
    external_id_key: bytes | None
    name_key: bytes | None
    content_key: bytes
    origin: str
    ingest: str
    pinned: bool
    created_by: PrincipalId
    now: datetime


@dataclass(frozen=True, slots=True)
class NewVersion:
    """The row of a version to insert."""

    workspace_id: WorkspaceId
    item_id: ItemId
    version: int
    media_type: str
    sealed_title: bytes
    sealed_name: bytes | None
    sealed_source: bytes | None
    blob_key: bytes | None
    size: int
    content_key: bytes
    sealed_split: bytes | None
    created_by: PrincipalId
    now: datetime


@dataclass(frozen=True, slots=True)
class KnownBytes:
    """A stored file."""

    blob_key: bytes
    size: int


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """What is known of a file a client has."""

    position: int
    item_id: ItemId | None
    known: bool


async def find_item(tx: Transaction, reading: Reading, item_id: ItemId) -> ItemRow | None:
    """An item that may be read."""
    return await tx.first(SQL.find_item, reading.sql | {"item_id": item_id}, row=ItemRow)


async def list_items(
    tx: Transaction, reading: Reading, filters: Mapping[str, object]
) -> list[ItemRow]:
    """Items that may be read, newest change first; `filters` names every parameter."""
    return await tx.rows(SQL.list_items, {**reading.sql, **filters}, row=ItemRow)


async def lock_keys(tx: Transaction, keys: Iterable[bytes]) -> None:
    """Wait for others who add the same thing, until the transaction ends."""
    numbers = [struct.unpack("<q", key[:8])[0] for key in keys]
    await tx.values(SQL.lock_keys, {"keys": numbers})


async def find_by_external_id(
    tx: Transaction, workspace_id: WorkspaceId, level_id: LevelId, external_id_key: bytes
) -> TwinRow | None:
    """The item of a level with this external id."""
    keys = {
        "workspace_id": workspace_id,
        "level_id": level_id,
        "external_id_key": external_id_key,
    }
    return await tx.first(SQL.find_by_external_id, keys, row=TwinRow)


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


async def draw_item_number(tx: Transaction, workspace_id: WorkspaceId) -> int:
    """The next narrow number of an item in its workspace."""
    return await tx.value(SQL.draw_item_number, {"workspace_id": workspace_id})


async def insert_item(tx: Transaction, item: NewItem) -> None:
    """A new item, queued."""
    await tx.run(SQL.insert_item, asdict(item))


async def insert_version(tx: Transaction, version: NewVersion) -> None:
    """A new version of an item."""
    await tx.run(SQL.insert_version, asdict(version))


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


async def adopt_external_id(
    tx: Transaction,
    workspace_id: WorkspaceId,
    item_id: ItemId,
    *,
    sealed_external_id: bytes,
    external_id_key: bytes,
    now: datetime,
) -> None:
    """Give an item that has none an external id."""
    await tx.run(
        SQL.adopt_external_id,
        {
            "workspace_id": workspace_id,
            "item_id": item_id,
            "sealed_external_id": sealed_external_id,
            "external_id_key": external_id_key,
            "now": now,
        },
    )


async def lock_item(tx: Transaction, workspace_id: WorkspaceId, item_id: ItemId) -> int | None:
    """Lock an item's row; its revision, or None when it is gone."""
    return await tx.value(SQL.lock_item, {"workspace_id": workspace_id, "item_id": item_id})


async def pin_item(
    tx: Transaction, workspace_id: WorkspaceId, item_id: ItemId, *, pinned: bool, now: datetime
) -> None:
    """Pin or unpin an item."""
    keys = {"workspace_id": workspace_id, "item_id": item_id, "pinned": pinned, "now": now}
    await tx.run(SQL.pin_item, keys)


async def requeue_item(
    tx: Transaction, workspace_id: WorkspaceId, item_id: ItemId, *, now: datetime
) -> int:
    """Queue an item again and clear its failure; its newest version."""
    keys = {"workspace_id": workspace_id, "item_id": item_id, "now": now}
    return await tx.value(SQL.requeue_item, keys)


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


async def list_versions(
    tx: Transaction, workspace_id: WorkspaceId, item_id: ItemId
) -> list[VersionHead]:
    """Every version, newest first; only for an item that was found by `find_item`."""
    keys = {"workspace_id": workspace_id, "item_id": item_id}
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


async def blobs_of_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> list[bytes]:
    """The stored files that any version of these items points at."""
    keys = {"workspace_id": workspace_id, "item_ids": list(item_ids)}
    return await tx.values(SQL.blobs_of_items, keys)


async def delete_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> None:
    """Remove items and their versions."""
    await tx.run(SQL.delete_items, {"workspace_id": workspace_id, "item_ids": list(item_ids)})


async def delete_unused_blobs(
    tx: Transaction, workspace_id: WorkspaceId, blob_keys: Sequence[bytes]
) -> list[bytes]:
    """Refuse files that no version points at any more; their keys, for unlinking."""
    keys = {"workspace_id": workspace_id, "blob_keys": list(blob_keys)}
    return await tx.values(SQL.delete_unused_blobs, keys)


async def blob_exists(tx: Transaction, workspace_id: WorkspaceId, blob_key: bytes) -> bool:
    """Whether a stored file is in use."""
    keys = {"workspace_id": workspace_id, "blob_key": blob_key}
    return await tx.value(SQL.blob_exists, keys)
