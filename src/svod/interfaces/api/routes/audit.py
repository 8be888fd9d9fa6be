"""Who did what: listed and exported, for admins."""

from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from svod.foundation.ids import read_id
from svod.interfaces.api.caller import OurCaller, OurRooms
from svod.interfaces.api.json_body import StrictRoute
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.sessions import (
    AUDIT_EXAMPLE,
    DONE_EXAMPLE,
    AuditAsked,
    AuditTold,
    DoneTold,
)
from svod.knowledge.workspaces.roles import Permission

router = APIRouter(prefix="/api/audit", tags=["audit"], route_class=StrictRoute)
_LINES = "application/x-ndjson"


@router.get("", **operation("admin", "Who did what", example=AUDIT_EXAMPLE, problems=(422,)))
async def list_audit(
    rooms: OurRooms, caller: OurCaller, asked: Annotated[AuditAsked, Query()]
) -> AuditTold:
    """What was done in the workspace, newest first, in pages."""
    before = read_id(asked.cursor) if asked.cursor else None
    return AuditTold.of(await rooms.audit.entries(caller, asked.query(before)))


@router.get(
    "/export",
    response_class=StreamingResponse,
    **operation("admin", "Export who did what", content={_LINES: {"example": DONE_EXAMPLE}}),
)
async def export_audit(rooms: OurRooms, caller: OurCaller) -> StreamingResponse:
    """Everything that was done, newest first, a JSON object a line."""
    caller.need(Permission.ADMIN)  # before the first byte, after which nothing can be refused

    async def lines() -> AsyncGenerator[str]:
        async for done in rooms.audit.export(caller):
            yield DoneTold.of(done).model_dump_json() + "\n"

    return StreamingResponse(lines(), media_type=_LINES)
