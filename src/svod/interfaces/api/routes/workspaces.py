"""Who the caller is, the levels he reads, and the keys of his workspace."""

from fastapi import APIRouter, Response

from svod.interfaces.api.caller import OurCaller, OurRooms
from svod.interfaces.api.errors import SecretShown
from svod.interfaces.api.json_body import StrictRoute
from svod.interfaces.api.numbers import principal_number
from svod.interfaces.api.once import IdempotencyKey, Made, once
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.workspaces import (
    KEYS_EXAMPLE,
    LEVELS_EXAMPLE,
    NEW_KEY_EXAMPLE,
    WHOAMI_EXAMPLE,
    KeyAsked,
    KeysTold,
    KeyTold,
    LevelsTold,
    LevelTold,
    NewKeyTold,
    WhoamiTold,
)

router = APIRouter(prefix="/api", tags=["workspaces"], route_class=StrictRoute)


@router.get("/whoami", **operation("any", "Who the caller is", example=WHOAMI_EXAMPLE))
async def whoami(rooms: OurRooms, caller: OurCaller) -> WhoamiTold:
    """Who the caller is, and what he may read and write on which levels, before he tries."""
    return WhoamiTold.of(await rooms.workspaces.whoami(caller))


@router.get(
    "/knowledge/levels",
    **operation("knowledge:read", "The levels that the caller reads", example=LEVELS_EXAMPLE),
)
async def list_levels(rooms: OurRooms, caller: OurCaller) -> LevelsTold:
    """Each visible level, how many items are on it, and whether the caller may change them."""
    levels = await rooms.workspaces.levels(caller)
    return LevelsTold(levels=[LevelTold.of(level) for level in levels])


@router.get("/keys", **operation("admin", "The keys of the workspace", example=KEYS_EXAMPLE))
async def list_keys(rooms: OurRooms, caller: OurCaller) -> KeysTold:
    """Every key, oldest first, without its secret; revoked and expired ones too."""
    keys = await rooms.workspaces.keys(caller)
    return KeysTold(keys=[KeyTold.of(key) for key in keys])


@router.post(
    "/keys",
    response_model=NewKeyTold,
    **operation(
        "admin",
        "Make a key",
        example=NEW_KEY_EXAMPLE,
        status=201,
        problems=(400, 404, 409, 413, 422),
    ),
)
async def make_key(
    rooms: OurRooms, caller: OurCaller, asked: KeyAsked, idempotency_key: IdempotencyKey = None
) -> Response:
    """A key no stronger than its maker. The secret is in this reply and nowhere else."""

    async def make() -> Made:
        made = await rooms.workspaces.make_key(
            caller,
            name=asked.name,
            permissions=frozenset(asked.permissions),
            expires_at=asked.expires_at,
            limits=None if asked.limits is None else [limit.limit() for limit in asked.limits],
        )
        return Made(NewKeyTold.of(made))

    response = await once(
        rooms.replies,
        caller,
        idempotency_key,
        operation="make_key",
        fingerprint=asked.model_dump_json().encode(),
        make=make,
        kept=lambda _: "{}",
    )
    if "idempotency-replayed" in response.headers:
        raise SecretShown
    return response


@router.delete(
    "/keys/{principal_id}",
    **operation("admin", "Revoke a key", status=204, problems=(404, 409)),
)
async def revoke_key(rooms: OurRooms, caller: OurCaller, principal_id: str) -> None:
    """Makes a key invalid from the next request on; revoking it again is harmless."""
    await rooms.workspaces.revoke_key(caller, principal_number(principal_id))
