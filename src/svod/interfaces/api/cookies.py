"""The cookie of a browser that is signed in, and how a request of our own page is told from another's."""

from urllib.parse import urlsplit

from fastapi import Request, Response

from svod.interfaces.api.hosts import is_loopback
from svod.knowledge.workspaces.sign_in import Entered
from svod.knowledge.workspaces.sign_in.errors import ForgedRequest
from svod.knowledge.workspaces.sign_in.sessions import is_csrf_token

COOKIE = "svod_session"
CSRF_HEADER = "x-csrf-token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def session_of(request: Request) -> str | None:
    """The secret of the browser's session, if it shows one."""
    return request.cookies.get(COOKIE)


def keep_session(request: Request, response: Response, entered: Entered) -> None:
    """Let the browser keep a session; no script can read it, and no other site send it along."""
    response.set_cookie(
        COOKIE,
        entered.secret,
        expires=entered.expires_at,
        path="/",
        secure=_secure(request),
        httponly=True,
        samesite="strict",
    )


def drop_session(request: Request, response: Response) -> None:
    """Let the browser forget its session."""
    response.delete_cookie(
        COOKIE, path="/", secure=_secure(request), httponly=True, samesite="strict"
    )


def need_own_page(request: Request, secret: str) -> None:
    """Go on only with what changes nothing, or what a page of ours sent.

    Raises:
        ForgedRequest: it lacks the session's token, or says that it comes from elsewhere.
    """
    if request.method in _SAFE:
        return
    origin = request.headers.get("origin")
    elsewhere = origin is not None and urlsplit(origin).netloc != request.headers.get("host")
    if elsewhere or not is_csrf_token(secret, request.headers.get(CSRF_HEADER)):
        raise ForgedRequest


def _secure(request: Request) -> bool:
    # A browser on the server's own machine is spoken to without TLS; everyone else through it.
    return request.url.scheme == "https" or not is_loopback(request.url.hostname or "")
