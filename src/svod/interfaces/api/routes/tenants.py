"""Workspaces as wholes: made, listed, renamed, deleted."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from svod.foundation.ids import WorkspaceId
from svod.interfaces.api.caller import OurCaller, OurRooms
from svod.interfaces.api.errors import NothingToChange, SecretShown
from svod.interfaces.api.json_body import StrictRoute
from svod.interfaces.api.numbers import IfMatch, revision_of, workspace_number
from svod.interfaces.api.once import IdempotencyKey, Made, once
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.pages import PageAsked
from svod.interfaces.api.shapes.tenants import (
    NEW_WORKSPACE_EXAMPLE,
    WORKSPACE_EXAMPLE,
    WORKSPACES_EXAMPLE,
    NewWorkspaceTold,
    WorkspaceAsked,
    WorkspaceChangeAsked,
    WorkspaceDeletionAsked,
    WorkspacesTold,
    WorkspaceTold,
)

router = APIRouter(prefix="/api/workspaces", tags=["workspaces"], route_class=StrictRoute)


@router.get(
    "", **operation("operator", "List workspaces", example=WORKSPACES_EXAMPLE, problems=(422,))
)
async def list_workspaces(
    rooms: OurRooms, caller: OurCaller, asked: Annotated[PageAsked, Query()]
) -> WorkspacesTold:
    """Every workspace of the server, by id, in pages."""
    after = workspace_number(asked.cursor) if asked.cursor else WorkspaceId(0)
    return WorkspacesTold.of(await rooms.tenants.list(caller, after=after, limit=asked.limit))


@router.post(
    "",
    response_model=NewWorkspaceTold,
    **operation(
        "operator",
        "Make a workspace",
        example=NEW_WORKSPACE_EXAMPLE,
        status=201,
        problems=(400, 409, 413, 422),
    ),
)
async def make_workspace(
    rooms: OurRooms,
    caller: OurCaller,
    asked: WorkspaceAsked,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """A workspace with an owner. The secret of his first key is in this reply and nowhere else."""

    async def make() -> Made:
        made = await rooms.tenants.create(caller, name=asked.name, language=asked.language)
        return Made(NewWorkspaceTold.of(made))

    response = await once(
        rooms.replies,
        caller,
        idempotency_key,
        operation="make_workspace",
        fingerprint=asked.model_dump_json().encode(),
        make=make,
        kept=lambda _: "{}",
    )
    if "idempotency-replayed" in response.headers:
        raise SecretShown
    return response


@router.get(
    "/{workspace_id}",
    **operation("any", "Read a workspace", example=WORKSPACE_EXAMPLE, problems=(404, 422)),
)
async def get_workspace(
    rooms: OurRooms, caller: OurCaller, workspace_id: str, response: Response
) -> WorkspaceTold:
    """The caller's own workspace, or to the operator any; the ETag is its revision."""
    told = WorkspaceTold.of(await rooms.tenants.get(caller, workspace_number(workspace_id)))
    response.headers["ETag"] = f'"{told.revision}"'
    return told


@router.patch(
    "/{workspace_id}",
    **operation(
        "admin",
        "Rename a workspace",
        example=WORKSPACE_EXAMPLE,
        problems=(400, 404, 409, 412, 413, 422),
    ),
)
async def change_workspace(
    rooms: OurRooms,
    caller: OurCaller,
    workspace_id: str,
    asked: WorkspaceChangeAsked,
    response: Response,
    if_match: IfMatch = None,
) -> WorkspaceTold:
    """Changes name or language: an owner of his own workspace, the operator of any."""
    if not asked.model_dump(exclude_none=True):
        raise NothingToChange(fields=", ".join(WorkspaceChangeAsked.model_fields))
    tenant = await rooms.tenants.change(
        caller,
        workspace_number(workspace_id),
        name=asked.name,
        language=asked.language,
        expected_revision=revision_of(if_match),
    )
    told = WorkspaceTold.of(tenant)
    response.headers["ETag"] = f'"{told.revision}"'
    return told


@router.delete(
    "/{workspace_id}",
    **operation("operator", "Delete a workspace", status=204, problems=(400, 404, 409, 413, 422)),
)
async def delete_workspace(
    rooms: OurRooms, caller: OurCaller, workspace_id: str, asked: WorkspaceDeletionAsked
) -> None:
    """Removes a workspace with everything in it, at once and for good; its name confirms that."""
    await rooms.tenants.delete(caller, workspace_number(workspace_id), confirm=asked.confirm)
