"""Members: made, listed, changed, removed."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from svod.foundation.ids import PrincipalId
from svod.interfaces.api.caller import OurCaller, OurRooms
from svod.interfaces.api.errors import NothingToChange
from svod.interfaces.api.json_body import StrictRoute
from svod.interfaces.api.numbers import IfMatch, principal_number, revision_of
from svod.interfaces.api.once import IdempotencyKey, Made, once
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.members import (
    MEMBER_EXAMPLE,
    MEMBERS_EXAMPLE,
    MemberAsked,
    MemberChangeAsked,
    MembersTold,
    MemberTold,
)
from svod.interfaces.api.shapes.pages import PageAsked

router = APIRouter(prefix="/api/members", tags=["members"], route_class=StrictRoute)


def _headers(member: MemberTold) -> dict[str, str]:
    return {"ETag": f'"{member.revision}"', "Location": f"/api/members/{member.member_id}"}


@router.get("", **operation("admin", "List members", example=MEMBERS_EXAMPLE, problems=(422,)))
async def list_members(
    rooms: OurRooms, caller: OurCaller, asked: Annotated[PageAsked, Query()]
) -> MembersTold:
    """The members of the workspace, in the order they came, in pages."""
    after = principal_number(asked.cursor) if asked.cursor else PrincipalId(-1)
    return MembersTold.of(await rooms.members.members(caller, after=after, limit=asked.limit))


@router.post(
    "",
    response_model=MemberTold,
    **operation(
        "admin",
        "Make a member",
        example=MEMBER_EXAMPLE,
        status=201,
        problems=(400, 404, 409, 413, 422),
    ),
)
async def add_member(
    rooms: OurRooms, caller: OurCaller, asked: MemberAsked, idempotency_key: IdempotencyKey = None
) -> Response:
    """A member with a role, perhaps limited to domains and addresses. Owners are made by owners."""

    async def make() -> Made:
        told = MemberTold.of(await rooms.members.invite(caller, asked.invited()))
        return Made(told, headers=_headers(told))

    return await once(
        rooms.replies,
        caller,
        idempotency_key,
        operation="add_member",
        fingerprint=asked.model_dump_json().encode(),
        make=make,
    )


@router.get(
    "/{member_id}",
    **operation("admin", "Read a member", example=MEMBER_EXAMPLE, problems=(404,)),
)
async def get_member(
    rooms: OurRooms, caller: OurCaller, member_id: str, response: Response
) -> MemberTold:
    """A member; the ETag is his revision."""
    told = MemberTold.of(await rooms.members.member(caller, principal_number(member_id)))
    response.headers["ETag"] = f'"{told.revision}"'
    return told


@router.patch(
    "/{member_id}",
    **operation(
        "admin",
        "Change a member",
        example=MEMBER_EXAMPLE,
        problems=(400, 404, 409, 412, 413, 422),
    ),
)
async def change_member(
    rooms: OurRooms,
    caller: OurCaller,
    member_id: str,
    asked: MemberChangeAsked,
    response: Response,
    if_match: IfMatch = None,
) -> MemberTold:
    """Changes what is named. What he may no longer do, neither he nor his keys do from then on."""
    if not asked.model_fields_set:
        raise NothingToChange(fields=", ".join(MemberChangeAsked.model_fields))
    member = await rooms.members.change(
        caller,
        principal_number(member_id),
        asked.change(),
        expected_revision=revision_of(if_match),
    )
    told = MemberTold.of(member)
    response.headers["ETag"] = f'"{told.revision}"'
    return told


@router.delete(
    "/{member_id}",
    **operation("admin", "Remove a member", status=204, problems=(404, 409)),
)
async def remove_member(rooms: OurRooms, caller: OurCaller, member_id: str) -> None:
    """Removes a member and his keys, at once; the items that he added stay."""
    await rooms.members.remove(caller, principal_number(member_id))
