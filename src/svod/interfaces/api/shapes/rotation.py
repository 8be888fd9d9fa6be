"""How far a rotation of keys is."""

from typing import Annotated

from pydantic import BaseModel, Field

from svod.knowledge.workspaces.rotation import Rotation


class RotationTold(BaseModel):
    """How far the rotation of keys is; done when none is under way."""

    workspaces: Annotated[int, Field(description="How many workspaces the server has.")]
    under_way: Annotated[int, Field(description="How many of them still keep an older key.")]
    started: Annotated[int, Field(description="How many got a new key by this request.")]

    @classmethod
    def of(cls, rotation: Rotation) -> "RotationTold":
        """A rotation as it is told."""
        return cls(
            workspaces=rotation.workspaces,
            under_way=rotation.under_way,
            started=rotation.started,
        )


ROTATION_EXAMPLE = {"workspaces": 2, "under_way": 2, "started": 2}
