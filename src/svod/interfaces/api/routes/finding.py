"""Searching and asking."""

import time

from fastapi import APIRouter

from svod.interfaces.api.caller import OurCaller, OurRooms
from svod.interfaces.api.json_body import StrictRoute
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.answers import ANSWER_EXAMPLE, AnswerTold, QuestionAsked
from svod.interfaces.api.shapes.finding import FOUND_EXAMPLE, FoundTold, SearchAsked

router = APIRouter(prefix="/api/knowledge", tags=["finding"], route_class=StrictRoute)


@router.post(
    "/search",
    **operation("knowledge:read", "Search", example=FOUND_EXAMPLE, problems=(400, 404, 413, 422)),
)
async def search(rooms: OurRooms, caller: OurCaller, asked: SearchAsked) -> FoundTold:
    """The chunks that fit a query best, by words and meaning, within what the caller may see."""
    started = time.perf_counter()
    plan = asked.plan(
        asked.query,
        limit=asked.limit,
        mode=asked.mode,
        meaning_within_ms=asked.meaning_within_ms,
    )
    found = await rooms.retrieval.search(caller, plan)
    return FoundTold.of(found, took_ms=_since(started))


@router.post(
    "/ask",
    **operation("knowledge:read", "Ask", example=ANSWER_EXAMPLE, problems=(400, 404, 413, 422)),
)
async def ask(rooms: OurRooms, caller: OurCaller, asked: QuestionAsked) -> AnswerTold:
    """An answer whose every sentence names the place it rests on, or an honest "not found"."""
    started = time.perf_counter()
    answer = await rooms.answering.ask(caller, asked.asked())
    return AnswerTold.of(answer, took_ms=_since(started))


def _since(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)
