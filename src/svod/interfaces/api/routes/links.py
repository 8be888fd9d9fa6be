"""Pages: added by their addresses."""

from typing import Any

from fastapi import APIRouter, Response

from svod.interfaces.api.caller import OurCaller, OurRooms, Spoken
from svod.interfaces.api.json_body import StrictRoute
from svod.interfaces.api.once import IdempotencyKey, Made, once_noted
from svod.interfaces.api.operations import operation
from svod.interfaces.api.routes.adding import made
from svod.interfaces.api.shapes.items import ADDED_EXAMPLE, AddedTold
from svod.interfaces.api.shapes.links import LinkAsked
from svod.knowledge.workspaces.replies import Receipt

router = APIRouter(prefix="/api/knowledge", tags=["items"], route_class=StrictRoute)

LINK_EXAMPLE: dict[str, Any] = ADDED_EXAMPLE | {
    "item": ADDED_EXAMPLE["item"]
    | {
        "kind": "link",
        "title": "example.com/docs/returns",
        "name": None,
        "external_id": None,
        "media_type": "application/octet-stream",
        "bytes": 0,
        "url": "https://example.com/docs/returns",
        "refresh_days": 7,
    }
}


@router.post(
    "/links",
    response_model=AddedTold,
    **operation(
        "knowledge:write",
        "Add a page",
        example=LINK_EXAMPLE,
        status=201,
        problems=(400, 404, 409, 413, 422, 429),
    ),
)
async def add_link(
    rooms: OurRooms,
    caller: OurCaller,
    language: Spoken,
    asked: LinkAsked,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """A public page of at most 5 MB, fetched and read in the background. 200 if it was there."""

    async def make(receipt: Receipt | None) -> Made:
        added = await rooms.items.add_link(caller, asked.draft(), receipt=receipt)
        return made(added, language)

    async def recall(note: str) -> Made:
        return made(await rooms.items.recall(caller, note), language)

    return await once_noted(
        rooms.replies,
        caller,
        idempotency_key,
        operation="add_link",
        fingerprint=asked.model_dump_json().encode(),
        make=make,
        recall=recall,
    )
