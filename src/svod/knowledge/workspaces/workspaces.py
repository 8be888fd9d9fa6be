"""What callers ask of the room: who they are, their levels, their keys."""

from dataclasses import dataclass
from datetime import datetime

from svod.foundation.clock import Clock
from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.foundation.storage import Database, Transaction, Vaults
from svod.knowledge.workspaces import keys, postgres
from svod.knowledge.workspaces.caller import Caller, Permission, Reading
from svod.knowledge.workspaces.errors import SetupLinkSpent, Unauthenticated
from svod.knowledge.workspaces.first_run import READER, Ground, lay_ground
from svod.knowledge.workspaces.levels import levels_of
from svod.knowledge.workspaces.secrets import secret_hash, workspace_of
from svod.knowledge.workspaces.views import KeyView, LevelView, NewKey, Whoami


@dataclass(frozen=True, slots=True)
class Workspaces:
    """The tenants of one server, on the ground that `lay_ground` made."""

    database: Database
    vaults: Vaults
    clock: Clock
    ground: Ground

    @classmethod
    async def open(
        cls, database: Database, vaults: Vaults, clock: Clock, *, language: str = "en"
    ) -> "Workspaces":
        """The room on a migrated database; the first time it makes the first workspace."""
        async with database.transaction() as tx:
            ground = await lay_ground(tx, vaults, clock, language=language)
        return cls(database, vaults, clock, ground)

    async def authenticate(self, token: str) -> Caller:
        """Who shows this key.

        Raises:
            Unauthenticated: missing, mistyped, revoked, expired, or of no workspace.
        """
        workspace_id = workspace_of(token)
        if workspace_id is None:
            raise Unauthenticated
        async with self.database.transaction() as tx:
            principal = await postgres.use_key(
                tx, workspace_id, secret_hash(token), now=self.clock.now()
            )
            if principal is None:
                raise Unauthenticated
            return await self._caller(tx, workspace_id, principal)

    async def owner(self) -> Caller:
        """The owner of the first workspace, for the machine's own user and for tests."""
        async with self.database.transaction() as tx:
            workspace_id = self.ground.first
            principal = await postgres.find_principal(tx, workspace_id, keys.OWNER)
            if principal is None:
                raise Unauthenticated
            return await self._caller(tx, workspace_id, principal)

    async def whoami(self, caller: Caller) -> Whoami:
        """What the caller may do, on which levels."""
        async with self.database.transaction() as tx:
            own = caller.own
            sealed = await postgres.workspace_name(tx, own.workspace_id)
            principal = await postgres.find_principal(tx, own.workspace_id, own.principal_id)
            levels = await self._levels(tx, caller)
        return Whoami(
            workspace_id=own.workspace_id,
            workspace_name=own.vault.open_text(sealed, "workspace"),
            principal_id=own.principal_id,
            kind=caller.kind,
            name=caller.name,
            permissions=tuple(sorted(caller.permissions)),
            operator=caller.operator,
            expires_at=principal.expires_at if principal else None,
            levels=levels,
        )

    async def levels(self, caller: Caller) -> tuple[LevelView, ...]:
        """Each level that the caller may read, his own workspace first."""
        caller.need(Permission.KNOWLEDGE_READ)
        async with self.database.transaction() as tx:
            return await self._levels(tx, caller)

    async def keys(self, caller: Caller) -> tuple[KeyView, ...]:
        """The keys of the workspace, for an admin."""
        caller.need(Permission.ADMIN)
        async with self.database.transaction() as tx:
            return await keys.list_keys(tx, caller)

    async def make_key(
        self,
        caller: Caller,
        *,
        name: str,
        permissions: frozenset[Permission],
        expires_at: datetime | None = None,
    ) -> NewKey:
        """A key that may do no more than the admin who makes it; see `keys.make_key`."""
        caller.need(Permission.ADMIN)
        async with self.database.transaction() as tx:
            return await keys.make_key(
                tx, self.clock, caller, name=name, permissions=permissions, expires_at=expires_at
            )

    async def revoke_key(self, caller: Caller, principal_id: PrincipalId) -> None:
        """Make a key invalid at once; see `keys.revoke_key`."""
        caller.need(Permission.ADMIN)
        async with self.database.transaction() as tx:
            await keys.revoke_key(tx, self.clock, caller, principal_id)

    async def make_owner_key(self, *, name: str) -> NewKey:
        """An owner's key of the first workspace, for the machine's own user."""
        async with self.database.transaction() as tx:
            workspace_id = self.ground.first
            vault = await self.vaults.of(tx, workspace_id)
            return await keys.make_owner_key(tx, self.clock, vault, workspace_id, name=name)

    async def make_setup_link(self) -> str | None:
        """The secret of a fresh set-up link, or None when the set-up was done."""
        async with self.database.transaction() as tx:
            return await keys.make_setup_link(tx, self.clock, self.ground.first)

    async def use_setup_link(self, secret: str) -> NewKey:
        """Spend a set-up link for an owner's key.

        Raises:
            SetupLinkSpent: it is no link, too old, or used.
        """
        workspace_id = workspace_of(secret)
        if workspace_id is None or workspace_id != self.ground.first:
            raise SetupLinkSpent
        async with self.database.transaction() as tx:
            vault = await self.vaults.of(tx, workspace_id)
            return await keys.use_setup_link(tx, self.clock, vault, workspace_id, secret)

    async def _levels(self, tx: Transaction, caller: Caller) -> tuple[LevelView, ...]:
        may_write = caller.may(Permission.KNOWLEDGE_WRITE)
        own = await levels_of(tx, caller.own, may_write=may_write)
        system = await levels_of(tx, caller.system, may_write=False)
        return (*own, *system)

    async def _caller(
        self, tx: Transaction, workspace_id: WorkspaceId, principal: postgres.PrincipalRow
    ) -> Caller:
        vault = await self.vaults.of(tx, workspace_id)
        system = await self.vaults.of(tx, self.ground.system)
        return Caller(
            own=Reading(workspace_id, principal.principal_id, vault),
            system=Reading(self.ground.system, READER, system),
            permissions=frozenset(Permission(name) for name in principal.permissions),
            name=vault.open_text(principal.sealed_name, "principal", principal.principal_id),
            kind=principal.kind,
            operator=principal.operator,
        )
