"""An item as it is read, and what is asked of the room about it."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from svod.foundation.ids import ItemId, PrincipalId, WorkspaceId
from svod.foundation.jobs import WaitingReason
from svod.knowledge.items.comparing import Difference


class Status(StrEnum):
    """Where an item stands (K15)."""

    QUEUED = "queued"
    PROCESSING = "processing"
    READY = "ready"
    FAILED = "failed"


class Stage(StrEnum):
    """How far its processing has come."""

    LOADED = "loaded"
    TEXT_EXTRACTED = "text_extracted"
    SPLIT = "split"
    EMBEDDED = "embedded"
    INDEXED = "indexed"


class Origin(StrEnum):
    """Which door an item came through."""

    APP = "app"
    API = "api"
    ASSISTANT = "assistant"
    MCP = "mcp"
    CONNECTOR = "connector"
    LEARNING = "learning"


class Outcome(StrEnum):
    """What adding did."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Remark:
    """A code and its facts, stored with an item: why it failed, or what to know of its reading."""

    code: str
    facts: dict[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LinkState:
    """The page that an item is. `is_stale`: it could not be had lately, and an older text serves."""

    url: str
    fetched_at: datetime | None
    refresh_days: int | None
    next_refresh_at: datetime | None
    is_stale: bool


@dataclass(frozen=True, slots=True)
class Item:
    """One thing known, as a caller who may read it sees it.

    `level` is written as in the API: `workspace`, `global`, `domain:example.com`, `address:a@b.c`.
    `version` is the newest, `serving_version` the one that searches and answers use (None until the
    first is ready). `revision` grows with every change of the row, for ETag. `progress` and
    `meaning_ready` are 0..1. `waiting_reason` says why a queued item has not been begun,
    or why the rest of its meaning does not come.
    """

    workspace_id: WorkspaceId
    item_id: ItemId
    kind: str
    title: str
    name: str | None
    external_id: str | None
    level: str
    namespace: str
    status: Status
    stage: Stage | None
    progress: float
    meaning_ready: float
    failure: Remark | None
    warnings: tuple[Remark, ...]
    media_type: str
    bytes: int
    characters: int | None
    version: int
    serving_version: int | None
    revision: int
    origin: Origin
    ingest: str
    pinned: bool
    created_by: PrincipalId
    created_at: datetime
    updated_at: datetime
    tags: tuple[str, ...] = ()
    link: LinkState | None = None
    waiting_reason: WaitingReason | None = None


@dataclass(frozen=True, slots=True)
class Version:
    """One version of an item: what it was called, who made it and when.

    `created_by_name` is None where the reader and the maker are of different workspaces, or the
    maker is gone. `restored_from` names the earlier version that this one brought back.
    """

    version: int
    title: str
    name: str | None
    media_type: str
    bytes: int
    characters: int | None
    created_by: PrincipalId
    created_at: datetime
    created_by_name: str | None = None
    restored_from: int | None = None


@dataclass(frozen=True, slots=True)
class ItemText:
    """The canonical text of a version, in which every span counts code points."""

    item_id: ItemId
    version: int
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the text and the title of one version became those of another."""

    item_id: ItemId
    earlier: int
    later: int
    earlier_title: str
    later_title: str
    difference: Difference


@dataclass(frozen=True, slots=True)
class Source:
    """What was given: the bytes of a file or the Markdown of a note."""

    content: bytes
    media_type: str
    name: str


@dataclass(frozen=True, slots=True)
class Target:
    """Where an item goes: a level and a namespace on it, made when it is missing."""

    level: str = "workspace"
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class NoteDraft:
    """A note to add. `split` is the JSON of the splitting settings.

    Of what is None, a note that is there already keeps its own: title, splitting, tags.
    """

    text: str
    title: str | None = None
    target: Target = Target()
    external_id: str | None = None
    pinned: bool = False
    split: str | None = None
    tags: tuple[str, ...] | None = None
    origin: Origin = Origin.API


@dataclass(frozen=True, slots=True)
class FileDraft:
    """A file to add: its bytes, or the sha256 of bytes that the caller can already read.

    `copy` keeps a second item where the same bytes or the same name would be recognised. Of what is
    None, a file that is there already keeps its own: title, splitting, tags.
    """

    name: str
    content: bytes | None = None
    sha256: bytes | None = None
    title: str | None = None
    target: Target = Target()
    external_id: str | None = None
    copy: bool = False
    split: str | None = None
    tags: tuple[str, ...] | None = None
    origin: Origin = Origin.API


@dataclass(frozen=True, slots=True)
class Refresh:
    """How often a page is fetched again: every 1, 7 or 30 days, or None: only when asked."""

    days: int | None


@dataclass(frozen=True, slots=True)
class ItemChange:
    """What to change; None leaves it.

    `text` is for notes, `split` JSON of splitting settings; `tags` are all it will have; an empty
    `external_id` takes it away; `refresh` is for links. `level` and `namespace` move the item, each alone or both.
    """

    title: str | None = None
    text: str | None = None
    pinned: bool | None = None
    split: str | None = None
    external_id: str | None = None
    tags: tuple[str, ...] | None = None
    level: str | None = None
    namespace: str | None = None
    refresh: Refresh | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """The item, and what adding it did."""

    item: Item
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class FileCheck:
    """A file that a client has: would the server need its bytes?"""

    sha256: bytes
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class FileState:
    """The answer: the item when nothing would change; else whether the bytes are known."""

    item: Item | None
    known: bool


@dataclass(frozen=True, slots=True)
class ItemQuery:
    """Which items to list, newest first; None means no restriction. `limit` 1..200."""

    level: str | None = None
    namespace: str | None = None
    kind: str | None = None
    status: Status | None = None
    external_id: str | None = None
    tag: str | None = None
    pinned: bool | None = None
    limit: int = 50
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Some items, and where the next ones start (None at the end)."""

    items: tuple[Item, ...]
    next_cursor: str | None
