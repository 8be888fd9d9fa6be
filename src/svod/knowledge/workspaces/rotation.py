"""Rotation: every workspace gets a new seal key, and what the old one sealed is sealed anew (X5).

Asked by the operator; done in the background while reading and writing go on. A job a workspace
waits until every process knows the new key, seals everything anew, and removes the old key an hour
later, after it has looked once more that nothing needs it. Killed anywhere, it runs again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from svod.foundation.ids import WorkspaceId
from svod.foundation.jobs import Arguments, Job, Jobs, Later
from svod.foundation.storage import Blobs, Database, SealedColumn, Vault, Vaults
from svod.foundation.storage.resealing import is_any_blob_old, is_left, reseal, reseal_blobs
from svod.foundation.storage.vaults import SealKeys
from svod.knowledge.workspaces.caller import Caller

log = structlog.get_logger()

RESEAL = "reseal"
_BACKUP_WAIT_S = 10.0
_LONGEST_WAIT_S = 600.0


@dataclass(frozen=True, slots=True)
class Rotation:
    """How far the rotation is.

    Attributes:
        workspaces: how many there are.
        under_way: how many of them still keep an older key.
        started: how many got a new key just now.
    """

    workspaces: int
    under_way: int
    started: int = 0


@dataclass(frozen=True, slots=True)
class Rotations:
    """Begins rotations, tells of them, and does the job."""

    database: Database
    vaults: Vaults
    blobs: Blobs
    jobs: Jobs
    columns: Sequence[SealedColumn]

    async def begin(self, caller: Caller) -> Rotation:
        """A new seal key for every workspace whose last rotation has ended; harmless to repeat.

        Raises:
            OperatorNeeded: he is not the operator.
            MasterKeyMissing: the master key was changed, and this process has the old one.
        """
        caller.need_operator()
        async with self.database.transaction() as tx:
            started = await self.vaults.add_seal_keys(tx)
            keys = await self.vaults.seal_keys(tx)
            for one in keys:
                if one.older:
                    # Also for those under way: a job that was given up begins again.
                    await self.jobs.queue(tx, _job(one.workspace_id, self._until_known(one.age_s)))
        return _state(keys, len(started))

    async def state(self, caller: Caller) -> Rotation:
        """How far it is.

        Raises:
            OperatorNeeded: he is not the operator.
        """
        caller.need_operator()
        async with self.database.transaction() as tx:
            return _state(await self.vaults.seal_keys(tx))

    async def __call__(self, arguments: Arguments) -> None:
        """Handle the job: seal a workspace's values anew, and remove the old key when it may go."""
        workspace_id = WorkspaceId(int(arguments["workspace_id"]))
        async with self.database.transaction() as tx:
            found = await self.vaults.seal_keys(tx, workspace_id)
            if not found or not found[0].older:
                return
            (keys,) = found
            vault = await self.vaults.renewed(tx, workspace_id)
        if vault.seals_with != keys.newest:
            raise Later(self._until_known(keys.age_s))
        await self._seal_anew(vault)
        if keys.age_s < self.vaults.timing.quiet_s:
            raise Later(min(_LONGEST_WAIT_S, self.vaults.timing.quiet_s - keys.age_s + 1))
        await self._remove(vault, keys)

    async def _seal_anew(self, vault: Vault) -> None:
        done = 0
        for column in self.columns:
            done += await reseal(self.database, vault, column)
        files = await reseal_blobs(self.database, self.blobs, vault)
        if files is None:
            raise Later(_BACKUP_WAIT_S)
        if done + files:
            log.info("keys.sealed_anew", values=done, files=files)

    async def _remove(self, vault: Vault, keys: SealKeys) -> None:
        async with self.database.transaction() as tx:
            for column in self.columns:
                if await is_left(tx, vault, column):
                    raise Later(_BACKUP_WAIT_S)
            if await is_any_blob_old(tx, self.blobs, vault):
                raise Later(_BACKUP_WAIT_S)
            await self.vaults.remove_seal_keys(tx, vault.workspace_id, keys.older)
        log.info("keys.old_ones_removed", workspace=vault.workspace_id)

    def _until_known(self, age_s: float) -> float:
        timing = self.vaults.timing
        return max(0.0, timing.known_s + timing.fresh_s - age_s)


def _job(workspace_id: WorkspaceId, delay_s: float) -> Job:
    name = f"{RESEAL}:{workspace_id}"
    return Job(
        RESEAL,
        {"workspace_id": workspace_id},
        queue="housekeeping",
        lock=name,
        once=name,
        delay_s=delay_s,
    )


def _state(keys: Sequence[SealKeys], started: int = 0) -> Rotation:
    return Rotation(len(keys), sum(bool(one.older) for one in keys), started)
