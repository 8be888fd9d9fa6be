"""The outermost layer: each request gets an id, a language, a line in the log, and an answer."""

import re
import secrets
import time

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from svod.interfaces.api.language import preferred
from svod.interfaces.api.problems import crashed

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_CLIENT_LEFT = 499
"""What the log says of a request whose sender left before it was whole."""
_log = structlog.get_logger()


class Edge:
    """Wraps the application; nothing gets past it without a response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        request_id = given if _REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        language = preferred(headers.get("accept-language", ""))
        scope.setdefault("state", {})
        scope["state"] |= {"request_id": request_id, "language": language}
        status = 0

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                marked = MutableHeaders(scope=message)
                marked["X-Request-Id"] = request_id
                marked["X-Content-Type-Options"] = "nosniff"
                marked.setdefault("Content-Language", language.value)
                marked.setdefault("Cache-Control", "no-store")
                marked.add_vary_header("Accept-Language")
            await send(message)

        started = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, send_marked)
            except ClientDisconnect:
                status = _CLIENT_LEFT  # nobody is there to be answered, and nothing of ours failed
            except Exception as error:
                if status:
                    raise
                await crashed(error, scope)(scope, receive, send_marked)
            finally:
                _report(scope, status, time.perf_counter() - started)


def _report(scope: Scope, status: int, seconds: float) -> None:
    # The route's template and not the path, which a caller fills as he likes.
    route = getattr(scope.get("route"), "path", None)
    log = _log.debug if route in {"/health", "/ready"} else _log.info
    log("request", method=scope["method"], route=route, status=status, ms=round(seconds * 1000, 1))
