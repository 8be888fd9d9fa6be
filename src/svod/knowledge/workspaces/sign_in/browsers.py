"""Browsers that are signed in: begun, recognised, ended."""

from collections.abc import Sequence
from dataclasses import dataclass

from svod.foundation.clock import Clock
from svod.foundation.ids import WorkspaceId
from svod.foundation.storage import Database, Transaction, Vaults
from svod.knowledge.workspaces import postgres as principals
from svod.knowledge.workspaces.audit import Action, record
from svod.knowledge.workspaces.caller import Caller, Reading
from svod.knowledge.workspaces.errors import Unauthenticated
from svod.knowledge.workspaces.secrets import new_secret, shared_hash, workspace_of
from svod.knowledge.workspaces.sign_in import postgres
from svod.knowledge.workspaces.sign_in.sessions import IDLE, LIFE, Entered, Membership
from svod.knowledge.workspaces.workspaces import Workspaces


@dataclass(frozen=True, slots=True)
class Browsers:
    """The sessions of one server. A session leads to each workspace whose password was right."""

    database: Database
    vaults: Vaults
    clock: Clock
    workspaces: Workspaces

    async def begin(self, tx: Transaction, readings: Sequence[Reading]) -> Entered:
        """A session for members who were found to be he; the first one's workspace is entered."""
        now = self.clock.now()
        secret, expires_at = new_secret(readings[0].workspace_id), now + LIFE
        for reading in readings:
            await postgres.insert_session(
                tx, reading, shared_hash(secret), now=now, expires_at=expires_at
            )
            await record(tx, self.clock, reading, Action.SIGNED_IN)
        memberships = [await self._membership(tx, reading) for reading in readings]
        return Entered(secret, expires_at, tuple(memberships))

    async def authenticate(self, secret: str, *, workspace: WorkspaceId | None = None) -> Caller:
        """The member whose browser shows this, in one of the workspaces that it leads to.

        Args:
            secret: what its cookie holds.
            workspace: which of them; by default the one that was entered.

        Raises:
            Unauthenticated: there is no such session, it has ended, or he may not act any more.
        """
        entered = workspace_of(secret)
        if entered is None:
            raise Unauthenticated
        workspace_id, now = workspace or entered, self.clock.now()
        async with self.database.transaction() as tx:
            member_id = await postgres.use_session(
                tx, workspace_id, shared_hash(secret), now=now, idle_since=now - IDLE
            )
        if member_id is None:
            raise Unauthenticated
        return await self.workspaces.member(workspace_id, member_id)

    async def where(self, secret: str) -> Entered:
        """A session as it stands, with the workspaces that it leads to.

        Raises:
            Unauthenticated: there is no such session.
        """
        async with self.database.transaction() as tx:
            rows = await self._rows(tx, secret)
            if not rows:
                raise Unauthenticated
            readings = [
                Reading(
                    row.workspace_id, row.principal_id, await self.vaults.of(tx, row.workspace_id)
                )
                for row in rows
            ]
            memberships = [await self._membership(tx, reading) for reading in readings]
        return Entered(secret, rows[0].expires_at, tuple(memberships))

    async def leave(self, secret: str) -> None:
        """End a session, wherever it leads; harmless to repeat."""
        async with self.database.transaction() as tx:
            for row in await self._rows(tx, secret):
                vault = await self.vaults.of(tx, row.workspace_id)
                reading = Reading(row.workspace_id, row.principal_id, vault)
                await postgres.end_session(tx, reading, shared_hash(secret))
                await record(tx, self.clock, reading, Action.SIGNED_OUT)

    async def _rows(self, tx: Transaction, secret: str) -> list[postgres.SessionRow]:
        entered = workspace_of(secret)
        if entered is None:
            return []
        return await postgres.list_sessions(
            tx,
            self.workspaces.ground.system,
            entered,
            shared_hash(secret),
            now=self.clock.now(),
        )

    async def _membership(self, tx: Transaction, reading: Reading) -> Membership:
        sealed = await principals.workspace_name(tx, reading.workspace_id)
        name = "" if sealed is None else reading.vault.open_text(sealed, "workspace")
        return Membership(reading.workspace_id, reading.principal_id, name)
