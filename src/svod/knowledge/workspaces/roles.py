"""Permissions, the roles that hold them, and what is left of one's wishes under another's rights."""

from collections.abc import Iterable, Mapping
from enum import StrEnum


class Permission(StrEnum):
    """What a principal may do in its workspace (X1). Writing includes reading."""

    KNOWLEDGE_READ = "knowledge:read"
    KNOWLEDGE_WRITE = "knowledge:write"
    THREADS_READ = "threads:read"
    THREADS_WRITE = "threads:write"
    PROJECTS_READ = "projects:read"
    PROJECTS_WRITE = "projects:write"
    ADMIN = "admin"


class Role(StrEnum):
    """What a member is in his workspace (X1)."""

    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    DEVELOPER = "developer"
    VIEWER = "viewer"
    BILLING = "billing"


_WRITES = frozenset(
    {Permission.KNOWLEDGE_WRITE, Permission.THREADS_WRITE, Permission.PROJECTS_WRITE}
)
_READS = frozenset({Permission.KNOWLEDGE_READ, Permission.THREADS_READ, Permission.PROJECTS_READ})
_INCLUDES: Mapping[Permission, frozenset[Permission]] = {
    Permission.ADMIN: frozenset(Permission),
    Permission.KNOWLEDGE_WRITE: frozenset({Permission.KNOWLEDGE_READ}),
    Permission.THREADS_WRITE: frozenset({Permission.THREADS_READ}),
    Permission.PROJECTS_WRITE: frozenset({Permission.PROJECTS_READ}),
}

PERMISSIONS_OF: Mapping[Role, frozenset[Permission]] = {
    Role.OWNER: frozenset({Permission.ADMIN}),
    Role.ADMIN: frozenset({Permission.ADMIN}),
    Role.MEMBER: _WRITES,
    Role.DEVELOPER: _WRITES,
    Role.VIEWER: _READS,
    Role.BILLING: frozenset(),
}


def every(permissions: Iterable[Permission]) -> frozenset[Permission]:
    """Those permissions and what they include."""
    held = frozenset(permissions)
    return held.union(*(_INCLUDES.get(permission, frozenset()) for permission in held))


def no_more_than(
    wished: frozenset[Permission], held: frozenset[Permission]
) -> frozenset[Permission]:
    """What of the wished permissions lies within those held, written as few as say it."""
    left = every(wished) & every(held)
    included = frozenset[Permission]().union(
        *(_INCLUDES.get(permission, frozenset()) - {permission} for permission in left)
    )
    return left - included
