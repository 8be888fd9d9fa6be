"""A member as told, and what may be changed of him."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from svod.foundation.ids import PrincipalId
from svod.knowledge.workspaces.grants import Limit
from svod.knowledge.workspaces.roles import Role


class Unchanged(Enum):
    """Stands for limits that are left as they are: None lifts them."""

    UNCHANGED = "unchanged"


UNCHANGED = Unchanged.UNCHANGED


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a workspace.

    `limits` is None for one who is not limited, and empty for one who reads the workspace and global
    levels alone. `keys` is how many of his keys could still be used.
    """

    member_id: PrincipalId
    email: str | None
    name: str
    role: Role
    limits: tuple[Limit, ...] | None
    operator: bool
    disabled_at: datetime | None
    created_at: datetime
    revision: int
    keys: int


@dataclass(frozen=True, slots=True)
class Invited:
    """Who is to be a member, as what, and where."""

    email: str
    name: str
    role: Role
    limits: Sequence[Limit] | None = None


@dataclass(frozen=True, slots=True)
class MemberChange:
    """What is to change; None leaves it as it is."""

    email: str | None = None
    name: str | None = None
    role: Role | None = None
    limits: Sequence[Limit] | Unchanged | None = UNCHANGED
    disabled: bool | None = None

    @property
    def of_rights(self) -> bool:
        """Whether it changes what the member may do."""
        kept = self.role is None and self.disabled is None and self.limits is UNCHANGED
        return not kept


@dataclass(frozen=True, slots=True)
class Members:
    """A page of members; `next_after` is what to ask the next page with, None at the end."""

    members: tuple[Member, ...]
    next_after: PrincipalId | None
