"""Who asks: the dependency through which a route gets its caller and its rooms."""

from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from svod.foundation.errors import Language
from svod.interfaces.api.cookies import COOKIE, need_own_page, session_of
from svod.interfaces.api.numbers import workspace_number
from svod.interfaces.api.problems import language_of
from svod.interfaces.api.rates import rates_of, refused_of
from svod.interfaces.api.rooms import Rooms
from svod.knowledge.workspaces import Caller, Unauthenticated

_bearer = HTTPBearer(
    auto_error=False, scheme_name="api_key", description="An API key: `Bearer svod_…`."
)
_cookie = APIKeyCookie(
    name=COOKIE,
    auto_error=False,
    scheme_name="session",
    description="A browser that signed in; what changes something also sends `X-CSRF-Token`.",
)


def rooms_of(request: Request) -> Rooms:
    """The rooms that the application was made with."""
    return request.app.state.rooms


def reader_language(request: Request) -> Language:
    """The language to answer in."""
    return language_of(request.scope)


def address_of(request: Request) -> str:
    """The address that the request came from."""
    return request.client.host if request.client else ""


async def caller_of(
    request: Request,
    rooms: Annotated[Rooms, Depends(rooms_of)],
    credentials: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
    session: Annotated[str | None, Security(_cookie)],
) -> Caller:
    """The principal behind the key, or else behind the browser's session.

    Raises:
        Unauthenticated: there is neither, or it is not valid.
        ForgedRequest: another site's page may have sent it.
        TooManyRequests: he, or whoever is at this address, asks too often.
    """
    refused = refused_of(request.app)
    refused.check(address_of(request))
    try:
        if credentials is not None:
            caller = await rooms.workspaces.authenticate(credentials.credentials)
        elif session is not None:
            need_own_page(request, session)
            named = request.headers.get("x-svod-workspace")
            chosen = None if named is None else workspace_number(named)
            caller = await rooms.browsers.authenticate(session, workspace=chosen)
        else:
            raise Unauthenticated
    except Unauthenticated:
        if credentials is not None or session is not None:
            refused.take(address_of(request))
        raise
    rates_of(request.app).take((caller.own.workspace_id, caller.own.principal_id))
    return caller


def session_secret(request: Request) -> str:
    """The secret of the browser's session, whose page sent this.

    Raises:
        Unauthenticated: there is none.
        ForgedRequest: another site's page may have sent it.
    """
    secret = session_of(request)
    if secret is None:
        raise Unauthenticated
    need_own_page(request, secret)
    return secret


OurRooms = Annotated[Rooms, Depends(rooms_of)]
OurCaller = Annotated[Caller, Depends(caller_of)]
OurSession = Annotated[str, Depends(session_secret)]
OurAddress = Annotated[str, Depends(address_of)]
Spoken = Annotated[Language, Depends(reader_language)]
