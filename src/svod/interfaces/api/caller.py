"""Who asks: the dependency through which a route gets its caller and its rooms."""

from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from svod.foundation.errors import Language
from svod.interfaces.api.problems import language_of
from svod.interfaces.api.rooms import Rooms
from svod.knowledge.workspaces import Caller, Unauthenticated

_bearer = HTTPBearer(
    auto_error=False, scheme_name="api_key", description="An API key: `Bearer svod_…`."
)


def rooms_of(request: Request) -> Rooms:
    """The rooms that the application was made with."""
    return request.app.state.rooms


def reader_language(request: Request) -> Language:
    """The language to answer in."""
    return language_of(request.scope)


async def caller_of(
    rooms: Annotated[Rooms, Depends(rooms_of)],
    credentials: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
) -> Caller:
    """The principal behind the key.

    Raises:
        Unauthenticated: there is no key, or it is not valid.
    """
    if credentials is None:
        raise Unauthenticated
    return await rooms.workspaces.authenticate(credentials.credentials)


OurRooms = Annotated[Rooms, Depends(rooms_of)]
OurCaller = Annotated[Caller, Depends(caller_of)]
Spoken = Annotated[Language, Depends(reader_language)]
