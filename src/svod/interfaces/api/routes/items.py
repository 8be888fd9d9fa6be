"""Items: listed, read, changed, read again, cancelled, deleted."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from svod.interfaces.api.caller import OurCaller, OurRooms, Spoken
from svod.interfaces.api.errors import NothingToChange
from svod.interfaces.api.json_body import StrictRoute, check_text
from svod.interfaces.api.numbers import IfMatch, item_number, revision_of, tag
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.items import (
    ITEM_EXAMPLE,
    ITEMS_EXAMPLE,
    ChangeAsked,
    ItemsTold,
    ItemTold,
    ListAsked,
)
from svod.knowledge.items.item import ItemQuery

router = APIRouter(prefix="/api/knowledge/items", tags=["items"], route_class=StrictRoute)


@router.get(
    "",
    **operation("knowledge:read", "List items", example=ITEMS_EXAMPLE, problems=(404, 422)),
)
async def list_items(
    rooms: OurRooms, caller: OurCaller, language: Spoken, asked: Annotated[ListAsked, Query()]
) -> ItemsTold:
    """The items that the caller may see, newest first, in pages."""
    for text in (asked.level, asked.namespace, asked.external_id, asked.tag, asked.cursor):
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
    if_match: IfMatch = None,
) -> ItemTold:
    """Changes what is named, all of it or nothing; `level` and `namespace` move the item.

    With If-Match it fails with 412 when the item changed meanwhile.
    """
    if asked.is_empty:
        raise NothingToChange(fields=", ".join(ChangeAsked.model_fields))
    item = await rooms.items.change(
        caller, item_number(item_id), asked.change(), expected_revision=revision_of(if_match)
    )
    response.headers["ETag"] = tag(item)
    return ItemTold.of(item, language)


@router.post(
    "/{item_id}/refresh",
    **operation(
        "knowledge:write",
        "Read an item again",
        example=ITEM_EXAMPLE,
        status=202,
        problems=(400, 404, 412),
    ),
)
async def refresh_item(
    rooms: OurRooms,
    caller: OurCaller,
    language: Spoken,
    item_id: str,
    response: Response,
    if_match: IfMatch = None,
) -> ItemTold:
    """Reads and indexes an item again, and clears its failure."""
    item = await rooms.items.refresh(
        caller, item_number(item_id), expected_revision=revision_of(if_match)
    )
    response.headers["ETag"] = tag(item)
    return ItemTold.of(item, language)


@router.post(
    "/{item_id}/cancel",
    **operation(
        "knowledge:write",
        "Cancel the processing of an item",
        example=ITEM_EXAMPLE
        | {
            "status": "failed",
            "failure": {
                "code": "cancelled",
                "message": "Its processing was cancelled.",
                "hint": "Refresh it to start again.",
            },
        },
        problems=(400, 404, 409, 412),
    ),
)
async def cancel_item(
    rooms: OurRooms,
    caller: OurCaller,
    language: Spoken,
    item_id: str,
    response: Response,
    if_match: IfMatch = None,
) -> ItemTold:
    """Stops what waits or is being read; the version that serves goes on serving."""
    item = await rooms.items.cancel(
        caller, item_number(item_id), expected_revision=revision_of(if_match)
    )
    response.headers["ETag"] = tag(item)
    return ItemTold.of(item, language)


@router.delete(
    "/{item_id}",
    **operation("knowledge:write", "Delete an item", status=204, problems=(400, 404, 412)),
)
async def delete_item(
    rooms: OurRooms, caller: OurCaller, item_id: str, if_match: IfMatch = None
) -> None:
    """Removes every version of an item, its file, text, chunks and vectors at once."""
    await rooms.items.delete(caller, item_number(item_id), expected_revision=revision_of(if_match))
