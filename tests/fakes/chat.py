"""Language models that say what a test wrote for them: in the process, or over HTTP on loopback."""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from fakes.serving import serving
from svod.foundation.providers.chat import (
    ChatReply,
    ChatRequest,
    Finish,
    Message,
    Role,
    TokensUsed,
)
from svod.foundation.providers.chat.errors import ModelBrokeOff, ModelRejected, ModelUnreachable

_PIECE = 7
"""Characters of a piece: no test may rely on words arriving whole."""
_DEAD = 500


@dataclass(frozen=True)
class Says:
    """A reply; `breaks` leaves it without its end, `hangs` goes silent after it."""

    text: str
    finish: Finish = Finish.STOPPED
    breaks: bool = False
    hangs: bool = False


@dataclass(frozen=True)
class Fails:
    """A failure before anything is said, as an HTTP status."""

    status: int
    retry_after: str | None = None


Turn = str | Says | Fails | Callable[[ChatRequest], "str | Says | Fails"]


@dataclass
class Script:
    """What is said at each call, the last turn again and again; and what was asked."""

    turns: Sequence[Turn] = ("",)
    asked: list[ChatRequest] = field(default_factory=list)
    left_early: threading.Event = field(default_factory=threading.Event)
    """A reply was not heard to its end."""

    def next(self, request: ChatRequest) -> Says | Fails:
        turn = self.turns[min(len(self.asked), len(self.turns) - 1)]
        self.asked.append(request)
        given = turn(request) if callable(turn) else turn
        return Says(given) if isinstance(given, str) else given


class ScriptedLLM:
    """Keeps the promises of a `ChatModel` without one."""

    def __init__(
        self,
        *turns: Turn,
        context_tokens: int = 8192,
        max_tokens: int = 800,
        name: str = "scripted",
    ) -> None:
        self.script = Script(turns or ("",))
        self.name = name
        self.context_tokens = context_tokens
        self.max_tokens = max_tokens
        self.closed = False

    @property
    def asked(self) -> list[ChatRequest]:
        return self.script.asked

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatReply]:
        await asyncio.sleep(0)
        turn = self.script.next(request)
        if isinstance(turn, Fails):
            if turn.status < _DEAD and turn.status != 429:
                raise ModelRejected(reason=f"HTTP {turn.status}")
            raise ModelUnreachable(reason=f"HTTP {turn.status}", tries=1)
        reply = _Reply(self.name, turn)
        try:
            yield reply
        finally:
            if reply.finish is None:
                self.script.left_early.set()

    async def warm(self) -> None:
        return

    async def close(self) -> None:
        self.closed = True


class _Reply:
    def __init__(self, model: str, turn: Says) -> None:
        self.model = model
        self.finish: Finish | None = None
        self._turn = turn
        self._said = 0

    @property
    def used(self) -> TokensUsed:
        return TokensUsed(100, max(self._said, 1), 1)

    async def __aiter__(self) -> AsyncIterator[str]:
        for at in range(0, len(self._turn.text), _PIECE):
            await asyncio.sleep(0)
            self._said += 1
            yield self._turn.text[at : at + _PIECE]
        if self._turn.hangs:
            await asyncio.sleep(3600)
        if self._turn.breaks:
            raise ModelBrokeOff(reason="no connection")
        self.finish = self._turn.finish


@dataclass
class ModelServer:
    """An OpenAI-compatible endpoint that follows a script."""

    script: Script
    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    async def answer(self, request: Request) -> Response:
        body = await request.json()
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        turn = self.script.next(_read(body))
        if isinstance(turn, Fails):
            headers = {"Retry-After": turn.retry_after} if turn.retry_after else {}
            if 300 <= turn.status < 400:
                headers["Location"] = "http://127.0.0.1:1/v1/chat/completions"
            error = {"error": {"message": "secret words of the prompt", "type": "x", "code": None}}
            return JSONResponse(error, turn.status, headers=headers)
        return StreamingResponse(self._events(turn), media_type="text/event-stream")

    @staticmethod
    async def models(request: Request) -> Response:  # noqa: ARG004 - as routes are called
        return JSONResponse({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    async def _events(self, turn: Says) -> AsyncGenerator[bytes]:
        whole = False
        try:
            yield _event({"role": "assistant", "content": ""})
            for at in range(0, len(turn.text), _PIECE):
                yield _event({"content": turn.text[at : at + _PIECE]})
            if turn.hangs:
                await asyncio.sleep(3600)
            if turn.breaks:
                raise ConnectionResetError
            finish = {Finish.STOPPED: "stop", Finish.LENGTH: "length"}.get(turn.finish)
            yield _event({}, finish=finish or "content_filter")
            yield _event(None, usage={"prompt_tokens": 100, "completion_tokens": 7})
            whole = True
            yield b"data: [DONE]\n\n"
        finally:
            if not whole:
                self.script.left_early.set()


@contextmanager
def model_server(*turns: Turn) -> Generator[ModelServer]:
    """The endpoint, listening while the context lasts."""
    server = ModelServer(Script(turns or ("",)))
    routes = [
        Route("/v1/chat/completions", server.answer, methods=["POST"]),
        Route("/v1/models", server.models),
    ]
    with serving(Starlette(routes=routes)) as address:
        server.url = f"{address}/v1"
        yield server


def _event(
    delta: dict[str, str] | None, *, finish: str | None = None, usage: dict[str, int] | None = None
) -> bytes:
    chunk: dict[str, Any] = {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "scripted",
        "choices": [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    if usage:
        chunk["usage"] = {**usage, "total_tokens": sum(usage.values())}
    return f"data: {json.dumps(chunk)}\n\n".encode()


def _read(body: dict[str, Any]) -> ChatRequest:
    told = body["messages"]
    system = "\n".join(one["content"] for one in told if one["role"] == "system")
    rest = tuple(
        Message(Role(one["role"]), one["content"]) for one in told if one["role"] != "system"
    )
    return ChatRequest(system, rest, body.get("max_tokens"))
