"""What callers ask of the room: who they are, their levels, their keys."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from svod.foundation.clock import Clock
from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.foundation.storage import Database, Transaction, Vaults
from svod.knowledge.workspaces import keys, postgres
from svod.knowledge.workspaces.caller import Caller, Reading
from svod.knowledge.workspaces.errors import SetupLinkSpent, Unauthenticated
from svod.knowledge.workspaces.first_run import OPERATOR, OWNER, READER, Ground, lay_ground
from svod.knowledge.workspaces.grants import Limit, limits_of
from svod.knowledge.workspaces.levels import levels_of, read_path
from svod.knowledge.workspaces.roles import PERMISSIONS_OF, Permission, Role, no_more_than
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
        cls,
        database: Database,
        vaults: Vaults,
        clock: Clock,
        *,
        language: str = "en",
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

    async def member(self, workspace_id: WorkspaceId, member_id: PrincipalId) -> Caller:
        """A member as he may act now, for whoever has found out that it is he.

        Raises:
            Unauthenticated: there is no such member, or he is disabled.
        """
        async with self.database.transaction() as tx:
            principal = await postgres.find_principal(tx, workspace_id, member_id)
            if principal is None or principal.kind != "member":
                raise Unauthenticated
            return await self._caller(tx, workspace_id, principal)

    async def owner(self) -> Caller:
        """The owner of the first workspace, for the machine's own user and for tests."""
        return await self.member(self.ground.first, OWNER)

    async def whoami(self, caller: Caller) -> Whoami:
        """What the caller may do, on which levels."""
        own = caller.own
        async with self.database.transaction() as tx:
            sealed = await postgres.workspace_name(tx, own.workspace_id)
            principal = await postgres.find_principal(tx, own.workspace_id, own.principal_id)
            if principal is None or sealed is None:
                raise Unauthenticated
            reads = caller.may(Permission.KNOWLEDGE_READ)
            levels = await self._levels(tx, caller) if reads else ()
            limited_as, limits = principal.limited_as, None
            if limited_as is not None:
                limits = (await limits_of(tx, own.workspace_id, [limited_as]))[limited_as]
        return Whoami(
            workspace_id=own.workspace_id,
            workspace_name=own.vault.open_text(sealed, "workspace"),
            principal_id=own.principal_id,
            kind=caller.kind,
            name=caller.name,
            permissions=tuple(sorted(caller.permissions)),
            operator=caller.operator,
            expires_at=principal.expires_at,
            levels=levels,
            role=caller.role,
            limits=limits,
        )

    async def levels(self, caller: Caller) -> tuple[LevelView, ...]:
        """Each level that the caller may read, his own workspace first."""
        caller.need(Permission.KNOWLEDGE_READ)
        async with self.database.transaction() as tx:
            return await self._levels(tx, caller)

    async def read_path(self, caller: Caller, level: str) -> tuple[str, ...]:
        """The levels that a read for one level covers, the most specific first (K3, K4).

        For `address:support+eu@example.com` these are itself, `address:support@example.com`,
        `domain:example.com`, `workspace` and `global`: what of them is there and may be read.

        Raises:
            LevelNotFound: the level itself is not there, or may not be read.
        """
        caller.need(Permission.KNOWLEDGE_READ)
        async with self.database.transaction() as tx:
            return await read_path(tx, caller.own, caller.system, level=level)

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
        limits: Sequence[Limit] | None = None,
    ) -> NewKey:
        """A key that may do no more than the admin who makes it; see `keys.make_key`."""
        caller.need(Permission.ADMIN)
        async with self.database.transaction() as tx:
            return await keys.make_key(
                tx,
                self.clock,
                caller,
                name=name,
                permissions=permissions,
                expires_at=expires_at,
                limits=limits,
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
        system = await levels_of(tx, caller.system, may_write=may_write)
        return (*own, *system)

    async def _caller(
        self, tx: Transaction, workspace_id: WorkspaceId, principal: postgres.PrincipalRow
    ) -> Caller:
        vault = await self.vaults.of(tx, workspace_id)
        system = await self.vaults.of(tx, self.ground.system)
        role = Role(principal.role)
        permissions = PERMISSIONS_OF[role]
        if principal.kind == "key":
            wished = frozenset(Permission(name) for name in principal.permissions)
            permissions = no_more_than(wished, permissions)
        return Caller(
            own=Reading(workspace_id, principal.principal_id, vault),
            system=Reading(self.ground.system, OPERATOR if principal.operator else READER, system),
            permissions=permissions,
            name=vault.open_text(principal.sealed_name, "principal", principal.principal_id),
            kind=principal.kind,
            operator=principal.operator,
            role=role,
            member_id=principal.member_id,
        )
