"""Versions of items: read, listed, compared, brought back, downloaded."""

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Response

from svod.interfaces.api.caller import OurCaller, OurRooms, Spoken
from svod.interfaces.api.json_body import StrictRoute
from svod.interfaces.api.numbers import IfMatch, item_number, revision_of, tag
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.items import ITEM_EXAMPLE, TEXT_EXAMPLE, ItemTold, TextTold
from svod.interfaces.api.shapes.versions import (
    COMPARISON_EXAMPLE,
    VERSIONS_EXAMPLE,
    ComparisonTold,
    RestoreAsked,
    VersionsTold,
    VersionTold,
)

router = APIRouter(prefix="/api/knowledge/items", tags=["items"], route_class=StrictRoute)
_BYTES: dict[str, Any] = {
    "application/octet-stream": {
        "schema": {"type": "string", "format": "binary"},
        "example": "# Returns",
    }
}
VersionNumber = Annotated[int | None, Query(ge=1, le=2**31 - 1)]
EarlierNumber = Annotated[int | None, Query(alias="from", ge=1, le=2**31 - 1)]
LaterNumber = Annotated[int | None, Query(alias="to", ge=1, le=2**31 - 1)]


@router.get(
    "/{item_id}/text",
    **operation(
        "knowledge:read", "The text of an item", example=TEXT_EXAMPLE, problems=(404, 409, 422)
    ),
)
async def read_item_text(
    rooms: OurRooms, caller: OurCaller, item_id: str, version: VersionNumber = None
) -> TextTold:
    """The canonical text that spans point into; of the newest version that was read, or a named one."""
    return TextTold.of(await rooms.items.text(caller, item_number(item_id), version))


@router.get(
    "/{item_id}/versions",
    **operation(
        "knowledge:read", "The versions of an item", example=VERSIONS_EXAMPLE, problems=(404,)
    ),
)
async def list_item_versions(rooms: OurRooms, caller: OurCaller, item_id: str) -> VersionsTold:
    """Every version that is kept, newest first: who made it, and when."""
    versions = await rooms.items.versions(caller, item_number(item_id))
    return VersionsTold(versions=[VersionTold.of(version) for version in versions])


@router.get(
    "/{item_id}/compare",
    **operation(
        "knowledge:read",
        "Compare two versions",
        example=COMPARISON_EXAMPLE,
        problems=(404, 409, 422),
    ),
)
async def compare_item_versions(
    rooms: OurRooms,
    caller: OurCaller,
    item_id: str,
    earlier: EarlierNumber = None,
    later: LaterNumber = None,
) -> ComparisonTold:
    """What changed line by line; by default between the newest version and the one before it."""
    found = await rooms.items.compare(caller, item_number(item_id), earlier, later)
    return ComparisonTold.of(found)


@router.post(
    "/{item_id}/restore",
    **operation(
        "knowledge:write",
        "Bring a version back",
        example=ITEM_EXAMPLE,
        status=202,
        problems=(400, 404, 412, 413, 422),
    ),
)
async def restore_item_version(  # noqa: PLR0917 - a route: FastAPI fills them
    rooms: OurRooms,
    caller: OurCaller,
    language: Spoken,
    item_id: str,
    asked: RestoreAsked,
    response: Response,
    if_match: IfMatch = None,
) -> ItemTold:
    """Makes a new version with the content of an earlier one; no version is lost by it."""
    item = await rooms.items.restore(
        caller, item_number(item_id), asked.version, expected_revision=revision_of(if_match)
    )
    response.headers["ETag"] = tag(item)
    return ItemTold.of(item, language)


@router.get(
    "/{item_id}/source",
    response_class=Response,
    **operation("knowledge:read", "Download what was given", content=_BYTES, problems=(404,)),
)
async def download_item_source(
    rooms: OurRooms, caller: OurCaller, item_id: str, version: VersionNumber = None
) -> Response:
    """What was given, as a download: never shown by a browser in this server's name."""
    source = await rooms.items.source(caller, item_number(item_id), version)
    return Response(
        source.content,
        media_type=source.media_type,
        headers={
            "Content-Disposition": _attachment(source.name),
            "Content-Security-Policy": "sandbox; default-src 'none'",
            "X-Content-Type-Options": "nosniff",
        },
    )


def _attachment(name: str) -> str:
    # RFC 6266: a plain name for old programs, and the true one in UTF-8.
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "._- ") else "_" for c in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
