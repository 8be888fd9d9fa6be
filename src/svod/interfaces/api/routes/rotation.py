"""Rotation of keys, for the operator of the server."""

from fastapi import APIRouter

from svod.interfaces.api.caller import OurCaller, OurRooms
from svod.interfaces.api.json_body import StrictRoute
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.rotation import ROTATION_EXAMPLE, RotationTold

router = APIRouter(prefix="/api/settings/rotation", tags=["settings"], route_class=StrictRoute)


@router.post(
    "",
    **operation(
        "operator", "Rotate the keys", example=ROTATION_EXAMPLE, status=202, problems=(409,)
    ),
)
async def rotate(rooms: OurRooms, caller: OurCaller) -> RotationTold:
    """Gives every workspace a new key; what older ones sealed is sealed anew in the background.

    For the operator of the server. Reading and writing go on; the new key seals within three
    minutes, and the old one is removed an hour later or when nothing needs it any more. Asking
    again while it is under way changes nothing.
    """
    return RotationTold.of(await rooms.rotations.begin(caller))


@router.get("", **operation("operator", "How far the rotation is", example=ROTATION_EXAMPLE))
async def rotation(rooms: OurRooms, caller: OurCaller) -> RotationTold:
    """How many workspaces still keep an older key. For the operator of the server."""
    return RotationTold.of(await rooms.rotations.state(caller))
