"""The database as rooms see it: a pool that hands out transactions."""

import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from svod.foundation.storage.errors import DatabaseBusy, DatabaseGone
from svod.foundation.storage.failures import told
from svod.foundation.storage.transaction import Transaction

_PATIENCE_S = 10.0
"""How long a transaction waits for a connection, so that a restart of the database is not noticed."""


class Database:
    """A pool of connections to one PostgreSQL."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection[Any]]) -> None:
        self.pool = pool
        """For the job queue, which asks it where the database is; rooms do not touch it."""

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Transaction]:
        """One transaction: committed on leaving, undone on an error.

        Raises:
            DatabaseGone: it does not answer, or went away; nothing is known to be committed.
            DatabaseBusy: no connection became free, or a statement took too long.
            DiskFull: there was no room to write.
            Contended: two transactions waited for one another, and this one gave way.
        """
        with told():
            async with AsyncExitStack() as stack:
                connection = await self._lend(stack)
                await stack.enter_async_context(connection.transaction())
                yield Transaction(connection)

    async def _lend(self, stack: AsyncExitStack) -> AsyncConnection[Any]:
        """A connection; asked for again and again, since the pool only reconnects when asked."""
        failures = self._failures()
        end = time.monotonic() + _PATIENCE_S
        while True:
            try:
                return await stack.enter_async_context(self.pool.connection())
            except PoolTimeout:
                if time.monotonic() < end:
                    continue
                if self._failures() > failures:
                    raise DatabaseGone from None
                raise DatabaseBusy from None

    def _failures(self) -> int:
        return self.pool.get_stats().get("connections_errors", 0)

    async def close(self) -> None:
        """Give every connection back."""
        await self.pool.close()
