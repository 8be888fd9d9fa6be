"""What is to be done to items, and what became of each."""

from dataclasses import dataclass, field
from enum import StrEnum

from svod.foundation.errors import SvodError
from svod.foundation.ids import ItemId
from svod.knowledge.items.item import Target

MOST_ITEMS = 1000


class BulkAction(StrEnum):
    """What can be done to many items in one call."""

    TAG = "tag"
    UNTAG = "untag"
    PIN = "pin"
    UNPIN = "unpin"
    MOVE = "move"
    REFRESH = "refresh"
    CANCEL = "cancel"
    DELETE = "delete"


@dataclass(frozen=True, slots=True)
class BulkOrder:
    """One action on up to 1,000 items; `tags` are for tag and untag, `target` is for move."""

    action: BulkAction
    item_ids: tuple[ItemId, ...]
    tags: tuple[str, ...] = ()
    target: Target = field(default_factory=Target)


class Became(StrEnum):
    """What became of one item: `unchanged` was so already."""

    DONE = "done"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What became of one item, and why nothing did."""

    item_id: ItemId
    became: Became
    failure: SvodError | None = None


Results = dict[ItemId, ItemResult]


def each(item_ids: "list[ItemId]", became: Became) -> Results:
    """The same for every item."""
    return {item_id: ItemResult(item_id, became) for item_id in item_ids}


def failed(item_id: ItemId, failure: SvodError) -> ItemResult:
    """Nothing was done to an item."""
    return ItemResult(item_id, Became.FAILED, failure)
