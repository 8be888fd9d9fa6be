"""Members of a workspace, their roles and limits (X1, X2).

Takes an admin's wish; gives members. It promises that a workspace keeps an owner, that an admin
makes and changes no owner, and that what a member loses his keys lose with him. How a member signs
in is not known here.
"""

from svod.knowledge.workspaces.members.member import (
    UNCHANGED,
    Invited,
    Member,
    MemberChange,
    Members,
)
from svod.knowledge.workspaces.members.team import Team, email_key

__all__ = ["UNCHANGED", "Invited", "Member", "MemberChange", "Members", "Team", "email_key"]
