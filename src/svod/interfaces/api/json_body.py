"""Reading JSON bodies strictly: UTF-8, no NaN, not bottomless, no text that cannot be stored."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn, cast

from fastapi import Request, Response
from fastapi.routing import APIRoute

from svod.interfaces.api.errors import NotJson, TooDeep, UnfitText

_DEEPEST = 32
_LONG = 256 * 1024


class StrictRequest(Request):
    """A request whose JSON is read strictly."""

    async def json(self) -> Any:
        """The body.

        Raises:
            NotJson: it is something else.
            TooDeep: it nests too deeply.
            UnfitText: a string in it cannot be stored.
        """
        body = await self.body()
        # What takes long to read leaves the loop.
        return await asyncio.to_thread(read_json, body) if len(body) > _LONG else read_json(body)


class StrictRoute(APIRoute):
    """A route that reads its body strictly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, given a strict request."""
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            return await handle(StrictRequest(request.scope, request.receive))

        return handle_strictly


def read_json(body: bytes) -> Any:
    """A JSON text as Python values; see `StrictRequest.json`."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except RecursionError:
        raise TooDeep from None
    except ValueError:
        raise NotJson from None
    _check(value)
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _check(value: Any) -> None:
    level: list[Any] = [value]
    for _ in range(_DEEPEST):
        for text in level:
            if isinstance(text, str):
                check_text(text)
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return
    raise TooDeep


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        return [*named.keys(), *named.values()]
    return cast("list[Any]", value) if isinstance(value, list) else []


def check_text(text: str) -> None:
    """Pass text that can be stored.

    Raises:
        UnfitText: there is a NUL or half of a surrogate pair in it.
    """
    if "\0" in text:
        raise UnfitText
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise UnfitText from None
