"""Many at once: one action on many items, and many notes in one call."""

from fastapi import APIRouter, Response

from svod.interfaces.api.caller import OurCaller, OurRooms, Spoken
from svod.interfaces.api.json_body import StrictRoute
from svod.interfaces.api.once import IdempotencyKey, Made, once_noted
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.bulk import (
    BULK_EXAMPLE,
    BULK_NOTES_EXAMPLE,
    BulkAsked,
    BulkNotesAsked,
    BulkNotesTold,
    BulkTold,
)
from svod.knowledge.items.item import Target
from svod.knowledge.items.made import noted_results
from svod.knowledge.workspaces.replies import Receipt

router = APIRouter(prefix="/api/knowledge", tags=["items"], route_class=StrictRoute)


@router.post(
    "/items/bulk",
    **operation(
        "knowledge:write",
        "Do one thing to many items",
        example=BULK_EXAMPLE,
        problems=(400, 404, 413, 422),
    ),
)
async def change_items(
    rooms: OurRooms, caller: OurCaller, language: Spoken, asked: BulkAsked
) -> BulkTold:
    """Tags, pins, moves, refreshes, cancels or deletes up to 1,000 items, and says what became of each.

    What cannot be done to one does not hinder the others.
    """
    results = await rooms.items.bulk(caller, asked.order())
    return BulkTold.of(asked, results, language)


@router.post(
    "/notes/bulk",
    response_model=BulkNotesTold,
    **operation(
        "knowledge:write",
        "Add many notes",
        example=BULK_NOTES_EXAMPLE,
        problems=(400, 404, 409, 413, 422, 429),
    ),
)
async def add_notes(
    rooms: OurRooms,
    caller: OurCaller,
    language: Spoken,
    asked: BulkNotesAsked,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Up to 1,000 notes for one place, each with its own result."""

    async def make(receipt: Receipt | None) -> Made:
        target = Target(asked.level, asked.namespace)
        drafts = [note.draft() for note in asked.notes]
        results = await rooms.items.add_notes(caller, target, drafts, receipt=receipt)
        return Made(BulkNotesTold.of(results, language), 200)

    async def recall(note: str) -> Made:  # noqa: RUF029 - what is noted says it all
        return Made(BulkNotesTold.of(noted_results(note), language), 200)

    return await once_noted(
        rooms.replies,
        caller,
        idempotency_key,
        operation="add_notes",
        fingerprint=asked.model_dump_json().encode(),
        make=make,
        recall=recall,
    )
