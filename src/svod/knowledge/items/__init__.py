"""What is known, item by item: kept, recognised, versioned, changed and deleted.

Takes drafts and changes from callers; gives items as each may see them. It announces `ItemChanged`
when a version is to be read and `ItemsDeleted` when all made of an item must go, both within the
transaction that made it so. It reads no file and knows no search table.
"""

from svod.knowledge.items.item import (
    Added,
    FileCheck,
    FileDraft,
    Item,
    ItemChange,
    ItemChanged,
    ItemQuery,
    ItemsDeleted,
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
