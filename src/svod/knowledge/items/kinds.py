"""The kinds of items: what may be said of each without knowing which it is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ItemKind:
    """A kind of item. `layer` is the number of the index layer its chunks lie on."""

    name: str
    layer: int


NOTE = ItemKind("note", layer=1)
FILE = ItemKind("file", layer=1)
LINK = ItemKind("link", layer=2)
ITEM_KINDS = {kind.name: kind for kind in (NOTE, FILE, LINK)}
