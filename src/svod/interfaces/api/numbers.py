"""Ids and revisions as they come from outside, read as numbers that a room can look for."""

import re
from typing import Annotated

from fastapi import Header

from svod.foundation.ids import ItemId, LevelId, PrincipalId, WorkspaceId, read_id
from svod.interfaces.api.errors import BadIfMatch
from svod.knowledge.items.item import Item

_NONE = -1
"""Stands for an id that cannot be read: nothing has it, so the answer is that of an unknown one."""
NO_ITEM = ItemId(_NONE)
"""No item has it."""
_LARGEST_NARROW = 2**31 - 1
_REVISION = re.compile(r'(?:W/)?"(\d{1,9})"')

IfMatch = Annotated[str | None, Header(description="The revision that the ETag gave.")]


def item_number(text: str) -> ItemId:
    """The id of an item, or one that none has."""
    return ItemId(read_id(text) or NO_ITEM)


def tag(item: Item) -> str:
    """The ETag of an item: its revision."""
    return f'"{item.revision}"'


def principal_number(text: str) -> PrincipalId:
    """The id of a member or key, or one that none has."""
    return PrincipalId(_narrow(text))


def level_number(text: str) -> LevelId:
    """The id of a domain or address, or one that none has."""
    return LevelId(_narrow(text))


def workspace_number(text: str) -> WorkspaceId:
    """The id of a workspace, or one that none has."""
    return WorkspaceId(read_id(text) or _NONE)


def revision_of(if_match: str | None) -> int | None:
    """The revision that an If-Match asks for; None where any will do.

    Raises:
        BadIfMatch: it holds no revision.
    """
    if if_match is None or if_match.strip() == "*":
        return None
    found = _REVISION.fullmatch(if_match.strip())
    if found is None:
        raise BadIfMatch
    return int(found[1])


def _narrow(text: str) -> int:
    number = read_id(text)
    return number if number is not None and number <= _LARGEST_NARROW else _NONE
