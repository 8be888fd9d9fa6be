"""The rows of items and versions as the database gives and takes them, still sealed."""

from dataclasses import dataclass
from datetime import datetime

from svod.foundation.ids import ItemId, LevelId, NamespaceId, PrincipalId, WorkspaceId


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
    sealed_tags: list[bytes]
    sealed_url: bytes | None
    fetched_at: datetime | None
    next_refresh_at: datetime | None
    refresh_days: int | None
    failed_days: int | None


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
    own_title: bool
    created_by: PrincipalId
    created_at: datetime


@dataclass(frozen=True, slots=True)
class NewestVersion:
    """What a new version takes over where it does not say otherwise."""

    item_id: ItemId
    sealed_title: bytes
    sealed_split: bytes | None
    own_title: bool


@dataclass(frozen=True, slots=True)
class VersionHead:
    """A version as it is listed."""

    version: int
    media_type: str
    sealed_title: bytes
    sealed_name: bytes | None
    size: int
    characters: int | None
    restored_from: int | None
    created_by: PrincipalId
    created_at: datetime
    sealed_maker: bytes | None


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
    own_title: bool
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
