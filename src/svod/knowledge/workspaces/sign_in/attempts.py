"""How often somebody tried to get in: counted by e-mail and by address, over a quarter of an hour."""

from dataclasses import dataclass
from datetime import timedelta

from svod.foundation.clock import Clock
from svod.foundation.ids import WorkspaceId
from svod.foundation.storage import Database, Vaults
from svod.knowledge.workspaces.sign_in import postgres
from svod.knowledge.workspaces.sign_in.errors import TooManyAttempts

WINDOW = timedelta(minutes=15)
MOST_OF_EMAIL = 10
MOST_OF_ADDRESS = 50


@dataclass(frozen=True, slots=True)
class Attempts:
    """The counts, which all processes share; names stand there as keyed hashes."""

    database: Database
    vaults: Vaults
    clock: Clock
    system: WorkspaceId

    async def count(self, *, client: str | None = None, email: str | None = None) -> None:
        """Count an attempt, whatever becomes of it.

        Raises:
            TooManyAttempts: of this e-mail or from this address.
        """
        async with self.database.transaction() as tx:
            vault = await self.vaults.of(tx, self.system)
            most: dict[bytes, int] = {}
            if client is not None:
                most[vault.key_for("attempt of address", client)] = MOST_OF_ADDRESS
            if email is not None:
                most[vault.key_for("attempt of email", email)] = MOST_OF_EMAIL
            now = self.clock.now()
            counted = await postgres.count_attempts(
                tx, self.system, sorted(most), now=now, window_began=now - WINDOW
            )
        if any(row.count > most[bytes(row.name_key)] for row in counted):
            raise TooManyAttempts(minutes=int(WINDOW.total_seconds() // 60))

    async def forget(self, email: str) -> None:
        """Count an e-mail from nothing again: its owner is in."""
        async with self.database.transaction() as tx:
            vault = await self.vaults.of(tx, self.system)
            await postgres.forget_attempts(
                tx, self.system, vault.key_for("attempt of email", email)
            )
