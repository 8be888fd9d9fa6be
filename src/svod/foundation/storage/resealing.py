"""Sealing anew, with the key that seals now, what older keys have sealed.

What a value is sealed about differs by column, and the room that seals it says so, once, as a
`SealedColumn`; this module needs nothing else of it. Rows are taken some at a time, each batch in a
transaction of its own, and written only if nobody changed them meanwhile: what was missed is met on
the next pass. So it runs beside everything, and may be broken off at any moment and begun again.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from psycopg import sql
from psycopg.rows import tuple_row

from svod.foundation.storage.blobs import Blobs
from svod.foundation.storage.database import Database
from svod.foundation.storage.sealing import Vault
from svod.foundation.storage.standstill import files_may_change
from svod.foundation.storage.statements import Statements
from svod.foundation.storage.transaction import Transaction

SQL = Statements(__package__ or "")

_ROWS = 400
_BYTES = 4 << 20
"""Of one batch, beyond its first row; a text of a hundred megabytes is a batch of its own."""
_PRIMARY_KEY = """
select a.attname::text from pg_index i
join unnest(i.indkey) with ordinality k(attnum, place) on true
join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
where i.indrelid = %s::regclass and i.indisprimary order by k.place
"""


@dataclass(frozen=True, slots=True)
class Of:
    """The value of another column of the row: a number or a text as it is, a keyed hash in hexadecimal."""

    column: str


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column of sealed values, and what each of them is about, as it is given to `Vault.seal`."""

    table: str
    column: str
    about: tuple[str | Of, ...]


@dataclass(frozen=True, slots=True)
class _Queries:
    """The statements of a column; `key` are the columns of its table's primary key."""

    batch: sql.Composed
    rest: sql.Composed
    write: sql.Composed
    left: sql.Composed
    key: tuple[str, ...]


async def reseal(database: Database, vault: Vault, column: SealedColumn) -> int:
    """Seal anew what an older key has sealed in a column of a workspace; how many values it was.

    Raises:
        SealBroken: a value is not about what the column says.
    """
    done = 0
    after: Sequence[object] | None = None
    while True:
        async with database.transaction() as tx:
            queries = await _queries(tx, column)
            rows = await _batch(tx, queries, vault, after)
            if not rows:
                return done
            written = await asyncio.to_thread(_resealed, vault, column, queries, rows)
            async with tx.connection.cursor() as cursor:
                await cursor.executemany(queries.write, written)
                done += max(cursor.rowcount, 0)
            after = rows[-1][: len(queries.key)]


async def is_left(tx: Transaction, vault: Vault, column: SealedColumn) -> bool:
    """Whether a column of a workspace still holds a value of another key."""
    queries = await _queries(tx, column)
    parameters = {"workspace_id": vault.workspace_id, "key": bytes([vault.seals_with])}
    cursor = await tx.connection.execute(queries.left, parameters)
    return await cursor.fetchone() is not None


async def _batch(
    tx: Transaction, queries: _Queries, vault: Vault, after: Sequence[object] | None
) -> list[tuple[Any, ...]]:
    """Rows as (primary key…, row version, sealed value, what it is about…), in the key's order."""
    parameters: dict[str, object] = {
        "workspace_id": vault.workspace_id,
        "key": bytes([vault.seals_with]),
        "rows": _ROWS,
        "bytes": _BYTES,
    }
    if after is not None:
        parameters |= {f"after_{place}": value for place, value in enumerate(after)}
    query = queries.batch if after is None else queries.rest
    async with tx.connection.cursor(row_factory=tuple_row) as cursor:
        await cursor.execute(query, parameters)
        return await cursor.fetchall()


def _resealed(
    vault: Vault, column: SealedColumn, queries: _Queries, rows: list[tuple[Any, ...]]
) -> list[list[object]]:
    width = len(queries.key)
    written: list[list[object]] = []
    for row in rows:
        values = iter(row[width + 2 :])
        about = [_spelled(next(values)) if isinstance(part, Of) else part for part in column.about]
        sealed = vault.seal(vault.open(row[width + 1], *about), *about)
        written.append([sealed, *row[:width], row[width]])
    return written


def _spelled(value: bytes | int | str) -> int | str:
    return value.hex() if isinstance(value, bytes) else value


async def _queries(tx: Transaction, column: SealedColumn) -> _Queries:
    cursor = await tx.connection.execute(_PRIMARY_KEY, (column.table,))
    return _composed(column, tuple(str(name) for (name,) in await cursor.fetchall()))


@cache
def _composed(column: SealedColumn, key: tuple[str, ...]) -> _Queries:
    sealed, table = sql.Identifier(column.column), sql.Identifier(column.table)
    keys = [sql.Identifier(name) for name in key]
    of = [sql.Identifier(part.column) for part in column.about if isinstance(part, Of)]
    parts: dict[str, sql.Composable] = {
        "table": table,
        "sealed": sealed,
        "keys": sql.SQL(", ").join(keys),
        "of": sql.SQL("").join(sql.SQL(", {}").format(name) for name in of),
        "after": sql.SQL(", ").join(sql.Placeholder(f"after_{at}") for at in range(len(key))),
        "same": sql.SQL(" and ").join(sql.SQL("{} = %s").format(name) for name in keys),
    }
    # The key's number is the first byte; reading it does not read a long value.
    old = (
        "from {table} where workspace_id = %(workspace_id)s and {sealed} is not null"
        " and substring({sealed} from 1 for 1) not in (%(key)s, '')"
    )
    pick = (
        "select * from (select {keys}, xmin::text as was, {sealed} as value{of},"
        " sum(octet_length({sealed})) over (order by {keys}) - octet_length({sealed}) as before "
    )
    end = " order by {keys} limit %(rows)s) picked where before <= %(bytes)s"
    return _Queries(
        batch=sql.SQL(pick + old + end).format(**parts),
        rest=sql.SQL(pick + old + " and ({keys}) > ({after})" + end).format(**parts),
        write=sql.SQL("update {table} set {sealed} = %s where {same} and xmin::text = %s").format(
            **parts
        ),
        left=sql.SQL("select 1 " + old + " limit 1").format(**parts),
        key=key,
    )


async def reseal_blobs(database: Database, blobs: Blobs, vault: Vault) -> int | None:
    """Seal a workspace's stored files anew; how many, or None while a backup is being made."""
    done, after = 0, b""
    while True:
        async with database.transaction() as tx:
            keys = await tx.values(SQL.list_blobs_after, _page(vault, after))
        for key in map(bytes, keys):
            async with database.transaction() as tx:
                if not await files_may_change(tx):
                    return None
                # Its row stays while it is held, and so nobody unlinks the file.
                held = {"workspace_id": vault.workspace_id, "blob_key": key}
                if await tx.value(SQL.hold_blob, held):
                    done += await blobs.reseal(vault, key)
            after = key
        if not keys:
            return done


async def is_any_blob_old(tx: Transaction, blobs: Blobs, vault: Vault) -> bool:
    """Whether a stored file of a workspace is still sealed with another key."""
    after = b""
    while keys := await tx.values(SQL.list_blobs_after, _page(vault, after)):
        for key in map(bytes, keys):
            if await blobs.is_old(vault, key):
                return True
            after = key
    return False


def _page(vault: Vault, after: bytes) -> dict[str, object]:
    return {"workspace_id": vault.workspace_id, "after": after, "rows": _ROWS}
