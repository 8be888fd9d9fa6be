"""Who may do what on which level: limits as they were given, and the grants that follow.

Takes limits to domains and addresses; writes `level_grant`, the one thing that statements consult.
It promises that both change in one transaction.
"""

from svod.knowledge.workspaces.grants.limits import (
    BadLimit,
    Grant,
    Limit,
    limits_of,
    set_limits,
    settle,
)
from svod.knowledge.workspaces.grants.postgres import limited_to, lock_people

__all__ = [
    "BadLimit",
    "Grant",
    "Limit",
    "limited_to",
    "limits_of",
    "lock_people",
    "set_limits",
    "settle",
]
