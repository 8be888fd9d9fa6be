"""News of this room; who listens works within the transaction that made it so."""

from dataclasses import dataclass

from svod.foundation.ids import ItemId, NamespaceId, WorkspaceId


@dataclass(frozen=True, slots=True)
class ItemChanged:
    """Fact: an item has a version that is to be read and indexed."""

    workspace_id: WorkspaceId
    item_id: ItemId
    version: int
    kind: str


@dataclass(frozen=True, slots=True)
class ItemsChanged:
    """Fact: several items have versions that are to be read and indexed."""

    changed: tuple[ItemChanged, ...]


@dataclass(frozen=True, slots=True)
class ItemsCancelled:
    """Fact: the processing of these items is broken off; what serves goes on serving."""

    workspace_id: WorkspaceId
    item_ids: tuple[ItemId, ...]


@dataclass(frozen=True, slots=True)
class ItemsMoved:
    """Fact: these held items now lie in another namespace; what was made of them follows."""

    workspace_id: WorkspaceId
    item_ids: tuple[ItemId, ...]
    namespace_id: NamespaceId


@dataclass(frozen=True, slots=True)
class ItemsDeleted:
    """Fact: items are being deleted; what was made of them goes in the same transaction."""

    workspace_id: WorkspaceId
    item_ids: tuple[ItemId, ...]


@dataclass(frozen=True, slots=True)
class EverythingDeleted:
    """Fact: every item of a workspace is being deleted; what was made of them goes first."""

    workspace_id: WorkspaceId
