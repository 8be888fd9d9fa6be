"""Events as they happen (Server-Sent Events): what a room tells, with a sign of life between.

A failure before the first event is an ordinary reply; one after it is the event `error`. Whoever
leaves ends the work that was done for him.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from svod.interfaces.api.problems import foreseen, problem_of

EVENT_STREAM = "text/event-stream"
HEARTBEAT_S = 15.0
_AHEAD = 16
"""Events that are made before the reader took them."""
_HEARTBEAT = b": still here\n\n"

Told = TypeVar("Told")


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its name, and what it carries."""

    name: str
    data: BaseModel

    def encoded(self) -> bytes:
        """As it travels."""
        return f"event: {self.name}\ndata: {self.data.model_dump_json()}\n\n".encode()


def wants_events(request: Request) -> bool:
    """Whether the reader asks for events and not for one reply."""
    accepted = request.headers.get("accept", "").lower()
    return any(
        part.split(";")[0].strip() == EVENT_STREAM and "q=0" not in part.replace(" ", "").split(";")
        for part in accepted.split(",")
    )


@dataclass(frozen=True, slots=True)
class _Over:
    """The last of what a pump gives: why there is no more."""

    error: Exception | None


class _Pump(Generic[Told]):
    """Reads a generator in a task of its own, so that waiting for it can end without ending it."""

    def __init__(self, told: AsyncGenerator[Told]) -> None:
        self._told = told
        self._queue: asyncio.Queue[Told | _Over] = asyncio.Queue(_AHEAD)
        self._task = asyncio.create_task(self._run())

    async def next(self) -> Told | _Over:
        """What is told next."""
        return await self._queue.get()

    async def close(self) -> None:
        """End it, and wait until it has ended."""
        self._task.cancel()
        await asyncio.wait({self._task})

    async def _run(self) -> None:
        error: Exception | None = None
        try:
            async with aclosing(self._told) as told:
                async for one in told:
                    await self._queue.put(one)
        except Exception as failed:  # noqa: BLE001 - told by whoever reads the queue
            error = failed
        await self._queue.put(_Over(error))


class EventStream(Response, Generic[Told]):
    """The reply that consists of events; made by `open_stream`."""

    media_type = EVENT_STREAM

    def __init__(
        self, first: Told | _Over, pump: _Pump[Told], shaped: Callable[[Told], Event]
    ) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._first = first
        self._pump = pump
        self._shaped = shaped

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until there is no more, or the reader has left.

        Raises:
            ClientDisconnect: he has.
        """
        try:
            async with asyncio.TaskGroup() as group:
                sending = group.create_task(self._send_all(scope, send))
                leaving = group.create_task(_left(receive))
                await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
                has_left = not sending.done()
                sending.cancel()
                leaving.cancel()
        finally:
            await self._pump.close()
        if has_left:
            raise ClientDisconnect

    async def _send_all(self, scope: Scope, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        told = self._first
        while not isinstance(told, _Over):
            await _send_part(send, self._shaped(told).encoded())
            told = await self._next(send)
        if told.error is not None:
            problem = problem_of(foreseen(told.error), scope)
            await _send_part(send, Event("error", problem).encoded())
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _next(self, send: Send) -> Told | _Over:
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT_S):
                    return await self._pump.next()
            except TimeoutError:
                await _send_part(send, _HEARTBEAT)


async def open_stream(
    told: AsyncGenerator[Told], shaped: Callable[[Told], Event]
) -> EventStream[Told]:
    """A reply of what a generator tells, once it has told the first.

    Raises:
        Exception: what it raises before that.
    """
    pump = _Pump(told)
    try:
        first = await pump.next()
    except BaseException:
        await pump.close()
        raise
    if isinstance(first, _Over) and first.error is not None:
        await pump.close()
        raise first.error
    return EventStream(first, pump, shaped)


async def _send_part(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
