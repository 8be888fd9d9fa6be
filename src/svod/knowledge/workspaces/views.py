"""What is told about workspaces, levels and keys."""

from dataclasses import dataclass
from datetime import datetime

from svod.foundation.ids import LevelId, NamespaceId, PrincipalId, WorkspaceId
from svod.knowledge.workspaces.grants import Limit
from svod.knowledge.workspaces.roles import Permission, Role


@dataclass(frozen=True, slots=True)
class LevelView:
    """A level that the caller may read: its name as in the API, and whether he may change items."""

    name: str
    kind: str
    items: int
    may_change: bool


@dataclass(frozen=True, slots=True)
class Whoami:
    """Who the caller is and what he may do, before he tries.

    `role` is the member's, of a key that of the member whose it is. `limits` is None for one who is
    not limited; `levels` are all that he may read.
    """

    workspace_id: WorkspaceId
    workspace_name: str
    principal_id: PrincipalId
    kind: str
    name: str
    permissions: tuple[Permission, ...]
    operator: bool
    expires_at: datetime | None
    levels: tuple[LevelView, ...]
    role: Role | None = None
    limits: tuple[Limit, ...] | None = None


@dataclass(frozen=True, slots=True)
class KeyView:
    """A key without its secret; `member_id` is the member whose it is, beyond whom it never goes."""

    principal_id: PrincipalId
    name: str
    permissions: tuple[Permission, ...]
    operator: bool
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    limits: tuple[Limit, ...] | None = None
    member_id: PrincipalId | None = None
    made_by: PrincipalId | None = None


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key just made, with the secret that is shown this once."""

    key: KeyView
    secret: str


@dataclass(frozen=True, slots=True)
class Place:
    """A namespace that the caller may write to."""

    level_id: LevelId
    namespace_id: NamespaceId
