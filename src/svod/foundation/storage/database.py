"""The database as rooms see it: a pool that hands out transactions."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from svod.foundation.storage.failures import told
from svod.foundation.storage.transaction import Transaction


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
            async with self.pool.connection() as connection, connection.transaction():
                yield Transaction(connection)

    async def close(self) -> None:
        """Give every connection back."""
        await self.pool.close()
