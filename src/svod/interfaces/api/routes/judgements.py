"""Judged questions: what a collection's threshold and scores are fitted to."""

from typing import Annotated

from fastapi import APIRouter, Query

from svod.conversation.judging import JudgementId, JudgementPage, JudgementQuery
from svod.foundation.ids import read_id
from svod.interfaces.api.caller import OurCaller, OurRooms
from svod.interfaces.api.json_body import StrictRoute, check_text
from svod.interfaces.api.operations import operation
from svod.interfaces.api.routes.items import item_number
from svod.interfaces.api.shapes.judgements import (
    FITS_EXAMPLE,
    JUDGEMENTS_EXAMPLE,
    FitsTold,
    FittedTold,
    JudgementsAsked,
    JudgementsListed,
    JudgementsTold,
)
from svod.knowledge.items.item import Target

router = APIRouter(prefix="/api/knowledge/judgements", tags=["judgements"], route_class=StrictRoute)
NO_JUDGEMENT = JudgementId(-1)
"""Stands for an id that cannot be read: nothing has it, so the answer is that of an unknown one."""


@router.post(
    "",
    **operation(
        "knowledge:write",
        "Judge questions",
        example=JUDGEMENTS_EXAMPLE,
        problems=(400, 404, 413, 422),
    ),
)
async def judge_questions(
    rooms: OurRooms, caller: OurCaller, asked: JudgementsAsked
) -> JudgementsTold:
    """Says which item answers each question; the gate and the scores of its collection learn of it.

    A question that was judged before in its collection is judged anew. Those without an item, which
    nothing answers, count for the collection named. Some seconds after the last one the collection
    is fitted.
    """
    drafts = [judgement.draft() for judgement in asked.judgements]
    target = Target(level=asked.level, namespace=asked.namespace)
    kept = await rooms.judging.judge(caller, drafts, target=target)
    return JudgementsTold.of(JudgementPage(kept, None))


@router.get(
    "",
    **operation(
        "knowledge:write", "List judged questions", example=JUDGEMENTS_EXAMPLE, problems=(422,)
    ),
)
async def list_judgements(
    rooms: OurRooms, caller: OurCaller, asked: Annotated[JudgementsListed, Query()]
) -> JudgementsTold:
    """The judged questions of the levels that the caller may read, newest first, in pages."""
    for text in (asked.level, asked.namespace, asked.item_id, asked.cursor):
        check_text(text or "")
    query = JudgementQuery(
        level=asked.level,
        namespace=asked.namespace,
        item_id=item_number(asked.item_id) if asked.item_id is not None else None,
        limit=asked.limit,
        cursor=asked.cursor,
    )
    return JudgementsTold.of(await rooms.judging.list(caller, query))


@router.get(
    "/fits",
    **operation("knowledge:write", "What was fitted to judged questions", example=FITS_EXAMPLE),
)
async def list_fits(rooms: OurRooms, caller: OurCaller) -> FitsTold:
    """The threshold of each collection and pair of languages, and how many judgements it rests on."""
    return FitsTold(fits=[FittedTold.of(one) for one in await rooms.judging.fitted(caller)])


@router.delete(
    "/{judgement_id}",
    **operation("knowledge:write", "Delete a judged question", status=204, problems=(404,)),
)
async def delete_judgement(rooms: OurRooms, caller: OurCaller, judgement_id: str) -> None:
    """Takes a judgement back; its collection is fitted without it."""
    number = read_id(judgement_id)
    await rooms.judging.delete(caller, JudgementId(number) if number else NO_JUDGEMENT)
