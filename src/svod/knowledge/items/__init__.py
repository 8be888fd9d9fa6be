"""What is known, item by item: kept, recognised, versioned, changed, moved and deleted.

Takes drafts and changes from callers; gives items as each may see them. It announces `ItemChanged`
and `ItemsChanged` when versions are to be read, `ItemsMoved` and `ItemsCancelled` when what was made
of items must follow or stop, `ItemsDeleted` and `EverythingDeleted` when it must go, each within the
transaction that made it so. It reads no file and knows no search table.
"""

from svod.knowledge.items.facts import ItemChanged, ItemsDeleted
from svod.knowledge.items.item import (
    Added,
    FileCheck,
    FileDraft,
    Item,
    ItemChange,
    ItemQuery,
    NoteDraft,
    Target,
)
from svod.knowledge.items.items import Items

__all__ = [
    "Added",
    "FileCheck",
    "FileDraft",
    "Item",
    "ItemChange",
    "ItemChanged",
    "ItemQuery",
    "Items",
    "ItemsDeleted",
    "NoteDraft",
    "Target",
]
