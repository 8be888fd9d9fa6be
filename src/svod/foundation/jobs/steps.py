"""Finished steps of a job, so that one begun again skips them."""

from collections.abc import Awaitable, Callable

from svod.foundation.jobs import postgres
from svod.foundation.storage import Database, Of, SealedColumn, Transaction, Vault

SEALED = (SealedColumn("job_step", "sealed_result", ("step", Of("job_key"), Of("name"))),)
"""What each sealed column of this room is about, for the rotation of keys."""


class Steps:
    """The steps of one job of one workspace; results are bytes, sealed at rest.

    `job_key` names the work and not the run, in ids: `ingest:<item>:<version>`. The transaction
    that ends the work calls `forget`; what is left behind is removed after a week.
    """

    def __init__(self, database: Database, vault: Vault, job_key: str) -> None:
        self._database = database
        self._vault = vault
        self._job_key = job_key

    async def run(self, name: str, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """The result of a step: from an earlier run, else made now and stored."""
        async with self._database.transaction() as tx:
            found = await self.find(tx, name)
        if found is None:
            found = await make()
            async with self._database.transaction() as tx:
                await self.store(tx, name, found)
        return found

    async def find(self, tx: Transaction, name: str) -> bytes | None:
        """The result of a finished step, or None."""
        sealed = await postgres.find_step(tx, self._vault.workspace_id, self._job_key, name)
        return None if sealed is None else self._vault.open(sealed, "step", self._job_key, name)

    async def store(self, tx: Transaction, name: str, result: bytes) -> None:
        """Keep a step's result, in the transaction of its effect."""
        sealed = self._vault.seal(result, "step", self._job_key, name)
        await postgres.store_step(tx, self._vault.workspace_id, self._job_key, name, sealed)

    async def forget(self, tx: Transaction) -> None:
        """Drop every step: the work has ended."""
        await postgres.forget_steps(tx, self._vault.workspace_id, self._job_key)
