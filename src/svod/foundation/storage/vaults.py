"""The vault of each workspace, kept up with the keys in the database; and new keys.

A new seal key is written to the database first and used later: after `KNOWN_S` every process has
read it, since none trusts its copy of the keys for longer than `FRESH_S`. So nobody ever meets
a value sealed with a key that he has not got. The old key is removed only when nothing is sealed
with it and `QUIET_S` have passed, by which time nobody holds it (docs/decisions/0016).
"""

import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

from svod.foundation.ids import WorkspaceId
from svod.foundation.storage.database import Database
from svod.foundation.storage.errors import KeysMissing, MasterKeyMissing
from svod.foundation.storage.keys import WrappedKey
from svod.foundation.storage.sealing import KEY_BYTES, MasterKey, SealBroken, Vault
from svod.foundation.storage.statements import Statements
from svod.foundation.storage.transaction import Transaction

SQL = Statements(__package__ or "")
_MOST_VAULTS = 1000
_KEY_IDS = 255


@dataclass(frozen=True, slots=True)
class KeyTiming:
    """How keys change hands, in seconds.

    Attributes:
        fresh_s: a copy of a workspace's keys is read again after this time.
        known_s: a new key seals from this age on; more than `fresh_s`.
        quiet_s: an old key is removed no sooner than this after the new one was made; more than
            any job or request takes.
    """

    fresh_s: float = 60.0
    known_s: float = 90.0
    quiet_s: float = 3600.0


@dataclass(frozen=True, slots=True)
class SealKeys:
    """The seal keys of a workspace: the one that seals, or will, and those it replaces."""

    workspace_id: WorkspaceId
    newest: int
    older: list[int]
    age_s: float


@dataclass(frozen=True, slots=True)
class _KeyRow:
    purpose: str
    key_id: int
    wrapped: bytes
    known: bool


class Vaults:
    """The vault of each workspace; the most recently used stay open."""

    def __init__(
        self,
        database: Database,
        master_key: MasterKey,
        *,
        timing: KeyTiming | None = None,
        read_again: Callable[[], Awaitable[MasterKey]] | None = None,
    ) -> None:
        """Open nothing yet.

        Args:
            database: where the wrapped keys are.
            master_key: unwraps them.
            timing: how keys change hands; other than the usual in tests.
            read_again: the master key as it is now; asked when this one does not fit any more.
        """
        self.timing = timing or KeyTiming()
        self._database = database
        self._master_key = master_key
        self._read_again = read_again
        self._open: OrderedDict[WorkspaceId, tuple[Vault, float]] = OrderedDict()
        # Also those pushed out above: whoever still holds one gets its new keys too.
        self._alive: WeakValueDictionary[WorkspaceId, Vault] = WeakValueDictionary()

    async def create_keys(self, tx: Transaction, workspace_id: WorkspaceId) -> None:
        """Give a new workspace its keys.

        Raises:
            MasterKeyMissing: the master key was changed, and the new one is not here.
        """
        await tx.run(SQL.hold_keys)
        await self._require_fits(tx)
        for purpose in ("seal", "words"):
            await self._add_key(tx, workspace_id, purpose, 1)

    async def of(self, where: Transaction | Database, workspace_id: WorkspaceId) -> Vault:
        """The vault of a workspace; everybody here shares one, so a change of keys reaches all.

        Args:
            where: the transaction that is open anyway, else the database.
            workspace_id: whose.

        Raises:
            KeysMissing: there is no such workspace.
            SealBroken: another master key wrapped its keys.
        """
        vault, read_at = self._open.get(workspace_id, (None, 0.0))
        if vault is None or _now() - read_at > self.timing.fresh_s:
            if isinstance(where, Transaction):
                return await self.renewed(where, workspace_id)
            async with where.transaction() as tx:
                return await self.renewed(tx, workspace_id)
        self._open.move_to_end(workspace_id)
        return vault

    async def renewed(self, tx: Transaction, workspace_id: WorkspaceId) -> Vault:
        """The vault of a workspace, with its keys as they are now.

        Raises:
            KeysMissing: there is no such workspace.
            SealBroken: another master key wrapped its keys.
        """
        began = _now()
        vault = self._alive[workspace_id] = await self._read(tx, workspace_id)
        self._open[workspace_id] = vault, began
        self._open.move_to_end(workspace_id)
        if len(self._open) > _MOST_VAULTS:
            self._open.popitem(last=False)
        return vault

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Close a vault: its workspace is gone, or its keys have changed."""
        self._open.pop(workspace_id, None)

    async def seal_keys(
        self, tx: Transaction, workspace_id: WorkspaceId | None = None
    ) -> list[SealKeys]:
        """The seal keys of one workspace, or of every one."""
        return await tx.rows(SQL.list_seal_keys, {"workspace_id": workspace_id}, row=SealKeys)

    async def add_seal_keys(self, tx: Transaction) -> list[WorkspaceId]:
        """A new seal key for each workspace that has one only; which those are.

        Raises:
            MasterKeyMissing: the master key was changed, and the new one is not here.
        """
        await tx.run(SQL.hold_keys_alone)
        await self._require_fits(tx)
        rotated: list[WorkspaceId] = []
        for keys in await self.seal_keys(tx):
            if not keys.older:
                rotated.append(keys.workspace_id)
                await self._add_key(tx, keys.workspace_id, "seal", keys.newest % _KEY_IDS + 1)
        return rotated

    async def remove_seal_keys(
        self, tx: Transaction, workspace_id: WorkspaceId, key_ids: list[int]
    ) -> None:
        """Destroy keys that nothing is sealed with any more."""
        await tx.run(SQL.remove_keys, {"workspace_id": workspace_id, "key_ids": key_ids})

    async def _add_key(
        self, tx: Transaction, workspace_id: WorkspaceId, purpose: str, key_id: int
    ) -> None:
        key = secrets.token_bytes(KEY_BYTES)
        wrapped = self._master_key.wrap(key, workspace_id, purpose, key_id)
        parameters = {"workspace_id": workspace_id, "purpose": purpose, "key_id": key_id}
        await tx.run(SQL.add_key, parameters | {"wrapped": wrapped})

    async def _read(self, tx: Transaction, workspace_id: WorkspaceId) -> Vault:
        parameters = {"workspace_id": workspace_id, "known_s": self.timing.known_s}
        rows = await tx.rows(SQL.list_keys, parameters, row=_KeyRow)
        try:
            keys = self._unwrap(workspace_id, rows)
        except SealBroken:
            if not await self._master_key_again():
                raise
            keys = self._unwrap(workspace_id, rows)
        seal = {key_id: key for (purpose, key_id), key in keys.items() if purpose == "seal"}
        words = [key for (purpose, _), key in keys.items() if purpose == "words"]
        if not seal or not words:
            raise KeysMissing
        # In the order made: the newest that everybody knows seals, or the only one.
        known = [row.key_id for row in rows if row.purpose == "seal" and row.known]
        seals_with = known[-1] if known else next(iter(seal))
        vault = self._alive.get(workspace_id)
        if vault is None:
            return Vault(workspace_id, seal_keys=seal, words_key=words[-1], seals_with=seals_with)
        vault.renew(seal, seals_with)
        return vault

    def _unwrap(
        self, workspace_id: WorkspaceId, rows: list[_KeyRow]
    ) -> dict[tuple[str, int], bytes]:
        return {
            (row.purpose, row.key_id): self._master_key.unwrap(
                row.wrapped, workspace_id, row.purpose, row.key_id
            )
            for row in rows
        }

    async def _require_fits(self, tx: Transaction) -> None:
        """Never wrap with a master key that was changed: what it wrapped could not be opened."""
        key = await tx.first(SQL.find_any_key, row=WrappedKey)
        if key is None:
            return
        for _ in range(2):
            try:
                self._master_key.unwrap(key.wrapped, key.workspace_id, key.purpose, key.key_id)
            except SealBroken:
                if not await self._master_key_again():
                    break
            else:
                return
        raise MasterKeyMissing(where="SVOD_MASTER_KEY / master.key")

    async def _master_key_again(self) -> bool:
        if self._read_again is None:
            return False
        self._master_key = await self._read_again()
        return True


def _now() -> float:
    """Seconds that go on while the machine sleeps, where the system counts them."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
