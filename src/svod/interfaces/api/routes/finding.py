"""Searching and asking."""

import time

from fastapi import APIRouter, Request

from svod.conversation.answering.events import AnswerEvent
from svod.interfaces.api.caller import OurCaller, OurRooms
from svod.interfaces.api.event_stream import (
    EVENT_STREAM,
    EventStream,
    open_stream,
    wants_events,
)
from svod.interfaces.api.json_body import StrictRoute
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.answer_events import ANSWER_EVENTS_EXAMPLE, answer_event
from svod.interfaces.api.shapes.answers import ANSWER_EXAMPLE, AnswerTold, QuestionAsked
from svod.interfaces.api.shapes.contexts import CONTEXT_EXAMPLE, ContextAsked, ContextTold
from svod.interfaces.api.shapes.finding import FOUND_EXAMPLE, FoundTold, SearchAsked

router = APIRouter(prefix="/api/knowledge", tags=["finding"], route_class=StrictRoute)

_ANSWER = {
    "application/json": {"example": ANSWER_EXAMPLE},
    EVENT_STREAM: {"schema": {"type": "string"}, "example": ANSWER_EVENTS_EXAMPLE},
}


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
    "/context",
    **operation(
        "knowledge:read", "Context", example=CONTEXT_EXAMPLE, problems=(400, 404, 413, 422)
    ),
)
async def context(rooms: OurRooms, caller: OurCaller, asked: ContextAsked) -> ContextTold:
    """What a prompt should know: pinned notes of each level read, and the chunks that fit best."""
    plan = asked.plan(asked.query, limit=asked.limit)
    built = await rooms.contexts.build_context(caller, plan, budget=asked.budget_characters)
    return ContextTold.of(built)


@router.post(
    "/ask",
    response_model=AnswerTold,
    **operation("knowledge:read", "Ask", content=_ANSWER, problems=(400, 404, 413, 422)),
)
async def ask(
    request: Request, rooms: OurRooms, caller: OurCaller, asked: QuestionAsked
) -> AnswerTold | EventStream[AnswerEvent]:
    """An answer whose every sentence names the place it rests on, or an honest "not found".

    With `Accept: text/event-stream` it comes in events: `evidence` with the sources, `answer_delta`
    for each part of the text that was checked, `answer` with the whole reply, or `error` with a
    problem. Comments keep the connection open meanwhile; closing it ends the work.
    """
    started = time.perf_counter()
    if wants_events(request):
        told = rooms.answering.stream(caller, asked.asked())
        return await open_stream(told, lambda event: answer_event(event, took_ms=_since(started)))
    answer = await rooms.answering.ask(caller, asked.asked())
    return AnswerTold.of(answer, took_ms=_since(started))


def _since(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)
