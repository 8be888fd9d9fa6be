"""Signing in with e-mail and password, and out again."""

from fastapi import APIRouter, Request, Response

from svod.interfaces.api.caller import OurAddress, OurCaller, OurRooms, OurSession
from svod.interfaces.api.cookies import drop_session, keep_session
from svod.interfaces.api.json_body import StrictRoute
from svod.interfaces.api.numbers import principal_number
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.sessions import (
    INVITATION_EXAMPLE,
    SESSION_EXAMPLE,
    AcceptAsked,
    InvitationTold,
    PasswordAsked,
    SessionTold,
    SetUpAsked,
    SignInAsked,
)
from svod.knowledge.workspaces.sign_in import Entered

router = APIRouter(prefix="/api", tags=["sessions"], route_class=StrictRoute)


def _entered(request: Request, response: Response, entered: Entered) -> SessionTold:
    keep_session(request, response, entered)
    return SessionTold.of(entered)


@router.post(
    "/session",
    **operation("none", "Sign in", example=SESSION_EXAMPLE, problems=(400, 401, 413, 422, 429)),
)
async def sign_in(
    rooms: OurRooms, address: OurAddress, asked: SignInAsked, request: Request, response: Response
) -> SessionTold:
    """Signs a browser in, for 30 days; its cookie goes along with what it asks from then on."""
    entered = await rooms.sign_in.enter(asked.email, password=asked.password, client=address)
    return _entered(request, response, entered)


@router.get("/session", **operation("any", "The session", example=SESSION_EXAMPLE))
async def get_session(rooms: OurRooms, secret: OurSession) -> SessionTold:
    """Where the browser's session leads, and the token that its pages send along."""
    return SessionTold.of(await rooms.browsers.where(secret))


@router.delete("/session", **operation("any", "Sign out", status=204, problems=(403,)))
async def sign_out(
    rooms: OurRooms, secret: OurSession, request: Request, response: Response
) -> None:
    """Ends the browser's session."""
    await rooms.browsers.leave(secret)
    drop_session(request, response)


@router.post(
    "/session/password",
    **operation("any", "Change the password", status=204, problems=(400, 403, 413, 422, 429)),
)
async def change_password(
    rooms: OurRooms, caller: OurCaller, secret: OurSession, asked: PasswordAsked
) -> None:
    """Sets another password; the member's other sessions end."""
    await rooms.sign_in.change_password(caller, current=asked.current, new=asked.new, secret=secret)


@router.post(
    "/setup",
    **operation(
        "none",
        "Set the server up",
        example=SESSION_EXAMPLE,
        problems=(400, 403, 409, 413, 422, 429),
    ),
)
async def set_up(
    rooms: OurRooms, address: OurAddress, asked: SetUpAsked, request: Request, response: Response
) -> SessionTold:
    """Spends the set-up link: the owner gets an e-mail and a password, and is signed in."""
    entered = await rooms.sign_in.set_up(
        asked.token, email=asked.email, password=asked.password, client=address
    )
    return _entered(request, response, entered)


@router.post(
    "/invitation",
    **operation(
        "none", "Accept an invitation", example=SESSION_EXAMPLE, problems=(400, 403, 413, 422, 429)
    ),
)
async def accept_invitation(
    rooms: OurRooms, address: OurAddress, asked: AcceptAsked, request: Request, response: Response
) -> SessionTold:
    """Spends an invitation: the member has the password that he chooses, and is signed in."""
    entered = await rooms.sign_in.accept(asked.token, password=asked.password, client=address)
    return _entered(request, response, entered)


@router.post(
    "/members/{member_id}/invitation",
    **operation(
        "admin", "Invite a member", example=INVITATION_EXAMPLE, status=201, problems=(404, 409)
    ),
)
async def invite_member(rooms: OurRooms, caller: OurCaller, member_id: str) -> InvitationTold:
    """A link by which a member sets his password, in place of an earlier one; good for a week."""
    return InvitationTold.of(await rooms.sign_in.invite(caller, principal_number(member_id)))
