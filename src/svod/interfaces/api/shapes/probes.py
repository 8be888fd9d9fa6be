"""Whether the server lives, and what it waits for."""

from typing import Any, Literal

from svod.interfaces.api.shapes.strict import Told


class HealthTold(Told):
    """The server lives."""

    status: Literal["ok"] = "ok"


class NotReadyTold(Told):
    """Something the server waits for; not `blocking` where it answers already, but less well."""

    code: str
    message: str
    blocking: bool


class ReadyTold(Told):
    """Whether the server can be used, and what is still missing."""

    status: Literal["ready", "not_ready"]
    not_ready: list[NotReadyTold]


READY_EXAMPLE: dict[str, Any] = {
    "status": "ready",
    "not_ready": [
        {
            "code": "meaning_loading",
            "message": "The meaning model is loading; until then words are searched alone.",
            "blocking": False,
        }
    ],
}
