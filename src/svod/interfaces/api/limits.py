"""How large a body may be, asked before it is read.

The refusal is sent at once. What the client has under way is then thrown away for a few seconds:
to close at once would reset the connection, and the client would never read the refusal.
"""

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from svod.interfaces.api.errors import BodyTooLarge
from svod.interfaces.api.problems import problem_response

MB = 1024 * 1024
FILES_PATH = "/api/knowledge/files"
MANY_NOTES_PATH = "/api/knowledge/notes/bulk"
LARGEST_FILE = 20 * MB
LARGEST_BODY = MB
_FORM_AROUND_FILE = 64 * 1024
_LARGEST = {FILES_PATH: LARGEST_FILE + _FORM_AROUND_FILE, MANY_NOTES_PATH: 20 * MB}
_LINGER_S = 5.0


class Limits:
    """Refuses bodies over the limit of their path."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with a counted body, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = _LARGEST.get(scope["path"].rstrip("/"), LARGEST_BODY)
        refusal = BodyTooLarge(limit_mb=limit // MB)
        declared = Headers(scope=scope).get("content-length", "0")
        if not declared.isdecimal() or int(declared) > limit:
            await _refuse(refusal, scope, receive, send)
            return
        read = 0

        async def receive_counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > limit:
                raise refusal
            return message

        async def send_within(message: Message) -> None:
            # Whatever the application makes of the failed read, the refusal is what is told.
            if read <= limit:
                await send(message)

        try:
            await self._app(scope, receive_counted, send_within)
        except BodyTooLarge:
            if read <= limit:
                raise
        if read > limit:
            await _refuse(refusal, scope, receive, send)


async def _refuse(refusal: BodyTooLarge, scope: Scope, receive: Receive, send: Send) -> None:
    response = problem_response(refusal, scope, headers={"Connection": "close"})

    async def send_open(message: Message) -> None:
        if message["type"] == "http.response.body":
            await send({**message, "more_body": True})
            await _throw_away(receive)
            message = {"type": "http.response.body", "body": b""}
        await send(message)

    await response(scope, receive, send_open)


async def _throw_away(receive: Receive) -> None:
    try:
        async with asyncio.timeout(_LINGER_S):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect" or not message.get("more_body"):
                    return
    except TimeoutError:
        return
