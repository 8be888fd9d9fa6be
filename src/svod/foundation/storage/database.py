"""The database as rooms see it: a pool that hands out transactions."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from svod.foundation.storage.transaction import Transaction


class Database:
    """A pool of connections to one PostgreSQL."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection[Any]]) -> None:
        self.pool = pool
        """For the job queue, which shares it; rooms do not touch it."""

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Transaction]:
        """One transaction: committed on leaving, undone on an error."""
        async with self.pool.connection() as connection, connection.transaction():
            yield Transaction(connection)
