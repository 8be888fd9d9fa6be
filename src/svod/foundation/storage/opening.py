"""Connections, made one way everywhere."""

from typing import Any

from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from svod.foundation.storage.database import Database
from svod.foundation.storage.failures import told
from svod.foundation.storage.migrations import require_current

_OPEN_S = 10.0
_CONNECT_S = 5
_WAIT_S = 2.5
_RECONNECT_S = 2.0
"""Less than `_WAIT_S`: the pool tries to connect when somebody asks it for a connection, ever more
rarely until this time is over; the next who asks has it begin anew."""

_MOST_PREPARED = 500
"""More than there are named statements, or they would push one another out."""

_SESSION = b"""
set timezone = 'UTC';
set plan_cache_mode = force_generic_plan;
set jit = off;
set statement_timeout = '60s';
set lock_timeout = '30s';
set idle_in_transaction_session_timeout = '120s';
"""


async def open_database(dsn: str, *, connections: int) -> Database:
    """A pool on a migrated database; lost connections are replaced, so it survives a restart of it.

    Args:
        dsn: where the database is; an address or the driver's `key=value` form.
        connections: how many may be open at once; two stay open.

    Raises:
        DatabaseGone: it does not answer.
        SchemaTooOld: it was not migrated.
        SchemaTooNew: a newer release has migrated it.
    """
    with told():
        async with await AsyncConnection.connect(dsn, connect_timeout=_CONNECT_S) as connection:
            await require_current(connection)
        pool = connection_pool(dsn, most=connections)
        await pool.open(wait=True, timeout=_OPEN_S)
    return Database(pool)


def connection_pool(
    dsn: str, *, most: int, least: int = 2, session: bytes = b""
) -> AsyncConnectionPool[AsyncConnection[Any]]:
    """A pool that is not opened yet, for whoever needs one apart from rooms.

    `session` is run on each new connection, after our own settings.
    """

    async def configure(connection: AsyncConnection[Any]) -> None:
        await connection.execute(_SESSION + session)
        connection.prepared_max = _MOST_PREPARED
        await register_vector_async(connection)
        await connection.commit()

    return AsyncConnectionPool[AsyncConnection[Any]](
        dsn,
        min_size=min(least, most),
        max_size=most,
        open=False,
        name="svod",
        timeout=_WAIT_S,
        reconnect_timeout=_RECONNECT_S,
        configure=configure,
        # A connection that the database closed is found before it is lent, not by its borrower.
        check=AsyncConnectionPool.check_connection,
        kwargs={
            "application_name": "svod",
            "connect_timeout": _CONNECT_S,
            # Every statement of ours runs often; planned once a connection.
            "prepare_threshold": 1,
        },
    )
