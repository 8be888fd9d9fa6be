"""Workspaces as wholes: made, listed, renamed, deleted (K1)."""

import unicodedata
from dataclasses import dataclass
from datetime import datetime

from svod.foundation.clock import Clock
from svod.foundation.errors import Language
from svod.foundation.facts import Facts
from svod.foundation.ids import WorkspaceId
from svod.foundation.jobs import Jobs
from svod.foundation.storage import Database, Transaction, Vaults
from svod.knowledge.workspaces.audit import Action, record
from svod.knowledge.workspaces.caller import Caller
from svod.knowledge.workspaces.facts import WorkspaceDeleted
from svod.knowledge.workspaces.first_run import Ground, make_workspace
from svod.knowledge.workspaces.keys import make_owner_key
from svod.knowledge.workspaces.members.errors import OwnersOnly
from svod.knowledge.workspaces.members.team import read_name
from svod.knowledge.workspaces.roles import Permission, Role
from svod.knowledge.workspaces.tenants import postgres
from svod.knowledge.workspaces.tenants.errors import (
    FirstWorkspaceStays,
    NotConfirmed,
    WorkspaceMoved,
    WorkspaceNotFound,
)
from svod.knowledge.workspaces.tenants.jobs import remove_files
from svod.knowledge.workspaces.views import NewKey

_START = WorkspaceId(0)


@dataclass(frozen=True, slots=True)
class Tenant:
    """A workspace; `is_first` is the operator's own, with which the server began."""

    workspace_id: WorkspaceId
    name: str
    language: Language
    is_first: bool
    created_at: datetime
    revision: int


@dataclass(frozen=True, slots=True)
class NewTenant:
    """A workspace just made, and its owner's first key, whose secret is shown this once."""

    tenant: Tenant
    key: NewKey


@dataclass(frozen=True, slots=True)
class TenantPage:
    """A page of workspaces; `next_after` is what to ask the next page with, None at the end."""

    tenants: tuple[Tenant, ...]
    next_after: WorkspaceId | None


@dataclass(frozen=True, slots=True)
class Tenants:
    """The workspaces of one server, for its operator; an owner sees and renames his own."""

    database: Database
    vaults: Vaults
    clock: Clock
    facts: Facts
    jobs: Jobs
    ground: Ground

    async def create(self, caller: Caller, *, name: str, language: Language) -> NewTenant:
        """Make a workspace with an owner, and a key of his.

        Raises:
            OperatorNeeded: the caller is not the operator.
            BadName: the name is empty or longer than 100 characters.
        """
        caller.need_operator()
        name = read_name(name)
        async with self.database.transaction() as tx:
            workspace_id = await make_workspace(
                tx, self.vaults, self.clock, kind="tenant", name=name, language=language
            )
            vault = await self.vaults.of(tx, workspace_id)
            key = await make_owner_key(
                tx, self.clock, vault, workspace_id, name="first", operator=False
            )
            await record(tx, self.clock, caller.own, Action.WORKSPACE_MADE, subject=workspace_id)
            return NewTenant(await self._get(tx, workspace_id), key)

    async def list(
        self, caller: Caller, *, after: WorkspaceId = _START, limit: int = 100
    ) -> TenantPage:
        """A page of workspaces, by id; the operator's."""
        caller.need_operator()
        async with self.database.transaction() as tx:
            rows = await postgres.list_tenants(tx, after=after, limit=limit + 1)
            shown = tuple([await self._tenant(tx, row) for row in rows[:limit]])
        return TenantPage(shown, shown[-1].workspace_id if len(rows) > limit else None)

    async def get(self, caller: Caller, workspace_id: WorkspaceId) -> Tenant:
        """A workspace: one's own, or to the operator any.

        Raises:
            WorkspaceNotFound: there is none, or it is another's.
        """
        self._need_sight(caller, workspace_id)
        async with self.database.transaction() as tx:
            return await self._get(tx, workspace_id)

    async def change(
        self,
        caller: Caller,
        workspace_id: WorkspaceId,
        *,
        name: str | None = None,
        language: Language | None = None,
        expected_revision: int | None = None,
    ) -> Tenant:
        """Rename a workspace, or change its language: an owner his own, the operator any.

        Raises:
            WorkspaceNotFound: there is none, or it is another's.
            OwnersOnly, PermissionMissing: it is the caller's own, and he is no owner.
            WorkspaceMoved: it is no longer at the expected revision.
            BadName: the name is empty or longer than 100 characters.
        """
        self._need_sight(caller, workspace_id)
        if not caller.operator:
            caller.need(Permission.ADMIN)
            if caller.role is not Role.OWNER:
                raise OwnersOnly
        name = None if name is None else read_name(name)
        async with self.database.transaction() as tx:
            revision = await postgres.hold_tenant(tx, workspace_id)
            if revision is None:
                raise WorkspaceNotFound
            if expected_revision not in {None, revision}:
                raise WorkspaceMoved(revision=revision)
            vault = await self.vaults.of(tx, workspace_id)
            sealed = None if name is None else vault.seal_text(name, "workspace")
            await postgres.change_tenant(tx, workspace_id, sealed_name=sealed, language=language)
            await record(tx, self.clock, caller.own, Action.WORKSPACE_CHANGED, subject=workspace_id)
            return await self._get(tx, workspace_id)

    async def delete(self, caller: Caller, workspace_id: WorkspaceId, *, confirm: str) -> None:
        """Delete a workspace with every row of it, its keys included, in one transaction.

        Its files, which nobody can open any more, are unlinked right after.

        Args:
            caller: the operator.
            workspace_id: which.
            confirm: its name.

        Raises:
            OperatorNeeded: the caller is not the operator.
            WorkspaceNotFound: there is none.
            FirstWorkspaceStays: it is the operator's own.
            NotConfirmed: the name is another.
        """
        caller.need_operator()
        if workspace_id == self.ground.first:
            raise FirstWorkspaceStays
        async with self.database.transaction() as tx:
            if not await postgres.hold_whole(tx, workspace_id):
                raise WorkspaceNotFound
            tenant = await self._get(tx, workspace_id)
            if unicodedata.normalize("NFC", confirm).strip() != tenant.name:
                raise NotConfirmed
            await self.facts.announce(tx, WorkspaceDeleted(workspace_id))
            await postgres.release_domains(tx, self.ground.system, workspace_id)
            await postgres.delete_rows(tx, workspace_id)
            await self.jobs.queue(tx, remove_files(workspace_id))
            await record(tx, self.clock, caller.own, Action.WORKSPACE_DELETED, subject=workspace_id)
        self.vaults.forget(workspace_id)

    @staticmethod
    def _need_sight(caller: Caller, workspace_id: WorkspaceId) -> None:
        if not caller.operator and workspace_id != caller.own.workspace_id:
            raise WorkspaceNotFound

    async def _get(self, tx: Transaction, workspace_id: WorkspaceId) -> Tenant:
        rows = await postgres.list_tenants(tx, workspace_id=workspace_id)
        if not rows:
            raise WorkspaceNotFound
        return await self._tenant(tx, rows[0])

    async def _tenant(self, tx: Transaction, row: postgres.TenantRow) -> Tenant:
        # Each name is sealed with its own workspace's keys; vaults that were opened stay open.
        vault = await self.vaults.of(tx, row.workspace_id)
        return Tenant(
            workspace_id=row.workspace_id,
            name=vault.open_text(row.sealed_name, "workspace"),
            language=Language(row.language),
            is_first=row.workspace_id == self.ground.first,
            created_at=row.created_at,
            revision=row.revision,
        )
