"""Items: listed, read, changed, read again, deleted."""

import re
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Header, Query, Response

from svod.foundation.ids import ItemId, read_id
from svod.interfaces.api.caller import OurCaller, OurRooms, Spoken
from svod.interfaces.api.errors import BadIfMatch, NothingToChange
from svod.interfaces.api.json_body import StrictRoute, check_text
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.items import (
    ITEM_EXAMPLE,
    ITEMS_EXAMPLE,
    TEXT_EXAMPLE,
    VERSIONS_EXAMPLE,
    ChangeAsked,
    ItemsTold,
    ItemTold,
    ListAsked,
    TextTold,
    VersionsTold,
    VersionTold,
)
from svod.knowledge.items.item import Item, ItemChange, ItemQuery

router = APIRouter(prefix="/api/knowledge/items", tags=["items"], route_class=StrictRoute)
NO_ITEM = ItemId(-1)
"""Stands for an id that cannot be read: no item has it, so the answer is that of an unknown one."""
_REVISION = re.compile(r'(?:W/)?"(\d{1,9})"')
_BYTES: dict[str, Any] = {
    "application/octet-stream": {
        "schema": {"type": "string", "format": "binary"},
        "example": "# Returns",
    }
}
VersionNumber = Annotated[int | None, Query(ge=1, le=2**31 - 1)]


def item_number(text: str) -> ItemId:
    """The id of an item, or one that none has."""
    number = read_id(text)
    return ItemId(number) if number else NO_ITEM


def tag(item: Item) -> str:
    """The ETag of an item: its revision."""
    return f'"{item.revision}"'


@router.get(
    "",
    **operation("knowledge:read", "List items", example=ITEMS_EXAMPLE, problems=(404, 422)),
)
async def list_items(
    rooms: OurRooms, caller: OurCaller, language: Spoken, asked: Annotated[ListAsked, Query()]
) -> ItemsTold:
    """The items that the caller may see, newest first, in pages."""
    for text in (asked.level, asked.namespace, asked.external_id, asked.cursor):
        check_text(text or "")
    query = ItemQuery(**dict(asked))
    return ItemsTold.of(await rooms.items.list(caller, query), language)


@router.get(
    "/{item_id}",
    **operation("knowledge:read", "Read an item", example=ITEM_EXAMPLE, problems=(404,)),
)
async def get_item(
    rooms: OurRooms, caller: OurCaller, language: Spoken, item_id: str, response: Response
) -> ItemTold:
    """An item with its status; the ETag is its revision."""
    item = await rooms.items.get(caller, item_number(item_id))
    response.headers["ETag"] = tag(item)
    return ItemTold.of(item, language)


@router.patch(
    "/{item_id}",
    **operation(
        "knowledge:write",
        "Change an item",
        example=ITEM_EXAMPLE,
        problems=(400, 404, 409, 412, 413, 422),
    ),
)
async def change_item(  # noqa: PLR0917 - a route: FastAPI fills them
    rooms: OurRooms,
    caller: OurCaller,
    language: Spoken,
    item_id: str,
    asked: ChangeAsked,
    response: Response,
    if_match: Annotated[str | None, Header()] = None,
) -> ItemTold:
    """Changes what is named. With If-Match it fails with 412 when the item changed meanwhile."""
    if not asked.model_dump(exclude_none=True):
        raise NothingToChange(fields=", ".join(ChangeAsked.model_fields))
    change = ItemChange(
        title=asked.title,
        text=asked.text,
        pinned=asked.pinned,
        split=asked.split.stored() if asked.split else None,
    )
    item = await rooms.items.change(
        caller, item_number(item_id), change, expected_revision=_revision(if_match)
    )
    response.headers["ETag"] = tag(item)
    return ItemTold.of(item, language)


@router.post(
    "/{item_id}/refresh",
    **operation(
        "knowledge:write", "Read an item again", example=ITEM_EXAMPLE, status=202, problems=(404,)
    ),
)
async def refresh_item(
    rooms: OurRooms, caller: OurCaller, language: Spoken, item_id: str, response: Response
) -> ItemTold:
    """Reads and indexes an item again, and clears its failure."""
    item = await rooms.items.refresh(caller, item_number(item_id))
    response.headers["ETag"] = tag(item)
    return ItemTold.of(item, language)


@router.delete(
    "/{item_id}",
    **operation("knowledge:write", "Delete an item", status=204, problems=(404,)),
)
async def delete_item(rooms: OurRooms, caller: OurCaller, item_id: str) -> None:
    """Removes every version of an item, its file, text, chunks and vectors at once."""
    await rooms.items.delete(caller, item_number(item_id))


@router.get(
    "/{item_id}/text",
    **operation(
        "knowledge:read", "The text of an item", example=TEXT_EXAMPLE, problems=(404, 409, 422)
    ),
)
async def read_item_text(
    rooms: OurRooms, caller: OurCaller, item_id: str, version: VersionNumber = None
) -> TextTold:
    """The canonical text that spans point into; of the newest version that was read, or a named one."""
    return TextTold.of(await rooms.items.text(caller, item_number(item_id), version))


@router.get(
    "/{item_id}/versions",
    **operation(
        "knowledge:read", "The versions of an item", example=VERSIONS_EXAMPLE, problems=(404,)
    ),
)
async def list_item_versions(rooms: OurRooms, caller: OurCaller, item_id: str) -> VersionsTold:
    """Every version that is kept."""
    versions = await rooms.items.versions(caller, item_number(item_id))
    return VersionsTold(versions=[VersionTold.of(version) for version in versions])


@router.get(
    "/{item_id}/source",
    response_class=Response,
    **operation("knowledge:read", "Download what was given", content=_BYTES, problems=(404,)),
)
async def download_item_source(
    rooms: OurRooms, caller: OurCaller, item_id: str, version: VersionNumber = None
) -> Response:
    """What was given, as a download: never shown by a browser in this server's name."""
    source = await rooms.items.source(caller, item_number(item_id), version)
    return Response(
        source.content,
        media_type=source.media_type,
        headers={
            "Content-Disposition": _attachment(source.name),
            "Content-Security-Policy": "sandbox; default-src 'none'",
            "X-Content-Type-Options": "nosniff",
        },
    )


def _attachment(name: str) -> str:
    # RFC 6266: a plain name for old programs, and the true one in UTF-8.
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "._- ") else "_" for c in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _revision(if_match: str | None) -> int | None:
    if if_match is None or if_match.strip() == "*":
        return None
    found = _REVISION.fullmatch(if_match.strip())
    if found is None:
        raise BadIfMatch
    return int(found[1])
