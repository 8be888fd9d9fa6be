"""Calls about the keys that seal what is kept; for the operator."""

from dataclasses import dataclass

from svod.client.calls import Calls
from svod.client.transport import Call


@dataclass(frozen=True, slots=True)
class Rotation:
    """How far a rotation of keys is; done when none is under way."""

    workspaces: int
    under_way: int
    started: int


class RotationCalls(Calls):
    """Rotation of the keys that seal what is kept."""

    def rotate_keys(self) -> Rotation:
        """Give every workspace a new key for what it keeps; for the operator. Harmless to repeat."""
        return self._get(Rotation, Call("POST", "/api/settings/rotation"))

    def rotation(self) -> Rotation:
        """How far the rotation of keys is; for the operator."""
        return self._get(Rotation, Call("GET", "/api/settings/rotation"))
