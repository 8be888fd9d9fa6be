"""Tenants, their levels, members and keys: who asks, and what he may see.

Takes a key; gives a `Caller`, whom every read of the rooms above takes and from whose grants
statements resolve what may be read. It promises that a key made is no stronger than its maker, and
that a key or grant taken back counts from the next statement on.
"""

from svod.knowledge.workspaces.caller import Caller, Permission, PermissionMissing, Reading
from svod.knowledge.workspaces.errors import LevelNotFound, Unauthenticated
from svod.knowledge.workspaces.levels import place_to_write, read_level, write_level
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
    "Unauthenticated",
    "Whoami",
    "Workspaces",
    "place_to_write",
    "read_level",
    "write_level",
]
