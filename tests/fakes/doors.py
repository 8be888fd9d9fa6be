# ruff: noqa: ARG002 - the signatures are those of the rooms
"""Doors for people, and the log, that answer from memory."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.knowledge.workspaces import Caller, Permission, Unauthenticated
from svod.knowledge.workspaces.audit import Action, AuditPage, AuditQuery, Done
from svod.knowledge.workspaces.sign_in import Entered, Invitation
from svod.knowledge.workspaces.sign_in.errors import InvitationSpent, WrongPassword
from svod.knowledge.workspaces.sign_in.sessions import Membership

SECRET = "svod_0000000000001_" + "s" * 43
PASSWORD = "четыре слова подряд"
EMAIL = "anna@example.com"
END = datetime(2126, 12, 30, tzinfo=UTC)
ENTERED = Entered(SECRET, END, (Membership(WorkspaceId(1), PrincipalId(2), "Прокат"),))


@dataclass
class ScriptedSignIn:
    """One member with one password, and one link that is good."""

    async def invite(self, caller: Caller, member_id: PrincipalId) -> Invitation:
        caller.need(Permission.ADMIN)
        return Invitation(SECRET, END)

    async def accept(self, secret: str, *, password: str, client: str) -> Entered:
        if secret != SECRET:
            raise InvitationSpent
        return ENTERED

    async def set_up(self, secret: str, *, email: str, password: str, client: str) -> Entered:
        return await self.accept(secret, password=password, client=client)

    async def enter(self, email: str, *, password: str, client: str) -> Entered:
        if (email, password) != (EMAIL, PASSWORD):
            raise WrongPassword
        return ENTERED

    async def change_password(self, caller: Caller, *, current: str, new: str, secret: str) -> None:
        if current != PASSWORD:
            raise WrongPassword


@dataclass
class ScriptedBrowsers:
    """One browser that is signed in, as a caller to be given, until it leaves."""

    caller: Caller | None = None
    left: bool = False

    async def authenticate(self, secret: str, *, workspace: WorkspaceId | None = None) -> Caller:
        if secret != SECRET or self.left or self.caller is None:
            raise Unauthenticated
        return self.caller

    async def where(self, secret: str) -> Entered:
        if secret != SECRET or self.left:
            raise Unauthenticated
        return ENTERED

    async def leave(self, secret: str) -> None:
        self.left = True


@dataclass
class ScriptedAudit:
    """A log of two entries."""

    done: list[Done] = field(
        default_factory=lambda: [
            Done(n, END, PrincipalId(2), "Анна", Action.KEY_MADE, 4, {}) for n in (2, 1)
        ]
    )

    async def entries(self, caller: Caller, query: AuditQuery) -> AuditPage:
        caller.need(Permission.ADMIN)
        return AuditPage(tuple(self.done))

    async def export(self, caller: Caller) -> AsyncGenerator[Done]:
        for entry in self.done:
            yield entry
