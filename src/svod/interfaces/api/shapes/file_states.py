"""Which files the server lacks: what is told of each that a client asked about."""

from typing import Any

from svod.foundation.errors import Language
from svod.foundation.ids import write_id
from svod.interfaces.api.shapes.items import ITEM_EXAMPLE, ItemTold
from svod.interfaces.api.shapes.strict import Told
from svod.knowledge.items.item import FileState


class FileStateTold(Told):
    """The item where adding would change nothing; else whether the server knows the bytes."""

    item_id: str | None
    known: bool
    item: ItemTold | None

    @classmethod
    def of(cls, state: FileState, language: Language) -> "FileStateTold":
        """The state as it is told."""
        item = state.item
        return cls(
            item_id=write_id(item.item_id) if item else None,
            known=state.known,
            item=ItemTold.of(item, language) if item else None,
        )


class MissingTold(Told):
    """The state of each file, in the order asked."""

    files: list[FileStateTold]


MISSING_EXAMPLE: dict[str, Any] = {
    "files": [
        {"item_id": ITEM_EXAMPLE["item_id"], "known": True, "item": ITEM_EXAMPLE},
        {"item_id": None, "known": False, "item": None},
    ]
}
