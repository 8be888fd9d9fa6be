"""Tenants, their levels, members and keys: who asks, and what he may see.

Takes a key; gives a `Caller`, whom every read of the rooms above takes and from whose grants
statements resolve what may be read. It promises that a key is never stronger than the member whose
it is, that a key, a limit or a grant taken back counts from the next statement on, and that nothing
is left of a level or workspace that is deleted: it announces `LevelsDeleted` and `WorkspaceDeleted`
in the transaction that does it.
"""

from svod.knowledge.workspaces.caller import Caller, PermissionMissing, Reading
from svod.knowledge.workspaces.errors import LevelNotFound, Unauthenticated
from svod.knowledge.workspaces.levels import place_to_write
from svod.knowledge.workspaces.names import read_level, write_level
from svod.knowledge.workspaces.roles import Permission, Role
from svod.knowledge.workspaces.views import KeyView, LevelView, NewKey, Whoami
from svod.knowledge.workspaces.workspaces import Workspaces

__all__ = [
    "Caller",
    "KeyView",
    "LevelNotFound",
    "LevelView",
    "NewKey",
    "Permission",
    "PermissionMissing",
    "Reading",
    "Role",
    "Unauthenticated",
    "Whoami",
    "Workspaces",
    "place_to_write",
    "read_level",
    "write_level",
]
