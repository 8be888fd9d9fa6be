"""Whether the server lives and can be used; asked without a key."""

from fastapi import APIRouter, Response

from svod.interfaces.api.caller import OurRooms, Spoken
from svod.interfaces.api.operations import operation
from svod.interfaces.api.shapes.probes import READY_EXAMPLE, HealthTold, NotReadyTold, ReadyTold

router = APIRouter(tags=["probes"])


@router.get("/health", **operation("none", "Whether the server lives", example={"status": "ok"}))
async def health() -> HealthTold:
    """Answers as soon as the process serves, whatever else is still starting."""
    return HealthTold()


@router.get("/ready", **operation("none", "What the server still waits for", example=READY_EXAMPLE))
async def ready(rooms: OurRooms, language: Spoken, response: Response) -> ReadyTold:
    """200 once everything needed is there, 503 before; `not_ready` names what is missing."""
    missing = await rooms.health.ready()
    blocked = any(one.blocking for one in missing)
    if blocked:
        response.status_code = 503
    return ReadyTold(
        status="not_ready" if blocked else "ready",
        not_ready=[
            NotReadyTold(code=one.code, message=one.says.text(language), blocking=one.blocking)
            for one in missing
        ],
    )
