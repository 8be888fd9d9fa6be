"""A transaction, and the few things that may be done in one."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from psycopg import AsyncConnection
from psycopg.rows import class_row, scalar_row

from svod.foundation.storage.statements import Statement

Parameters = Mapping[str, object]
Row = TypeVar("Row")


class Transaction:
    """One open database transaction. Query functions take it and never commit."""

    def __init__(self, connection: AsyncConnection[Any]) -> None:
        self.connection = connection
        """For the job queue, which must write on the same transaction; rooms do not touch it."""

    async def rows(
        self, statement: Statement, parameters: Parameters | None = None, *, row: type[Row]
    ) -> list[Row]:
        """Every row, as `row`, whose fields are named as the columns are."""
        async with self.connection.cursor(row_factory=class_row(row)) as cursor:
            await cursor.execute(statement.sql, parameters)
            return await cursor.fetchall()

    async def first(
        self, statement: Statement, parameters: Parameters | None = None, *, row: type[Row]
    ) -> Row | None:
        """The first row, or None."""
        async with self.connection.cursor(row_factory=class_row(row)) as cursor:
            await cursor.execute(statement.sql, parameters)
            return await cursor.fetchone()

    async def value(self, statement: Statement, parameters: Parameters | None = None) -> Any:
        """The first column of the first row, or None."""
        async with self.connection.cursor(row_factory=scalar_row) as cursor:
            await cursor.execute(statement.sql, parameters)
            return await cursor.fetchone()

    async def values(self, statement: Statement, parameters: Parameters | None = None) -> list[Any]:
        """The first column of every row."""
        async with self.connection.cursor(row_factory=scalar_row) as cursor:
            await cursor.execute(statement.sql, parameters)
            return await cursor.fetchall()

    async def run(self, statement: Statement, parameters: Parameters | None = None) -> int:
        """Change something; the number of rows it touched."""
        async with self.connection.cursor() as cursor:
            await cursor.execute(statement.sql, parameters)
            return cursor.rowcount

    async def run_many(self, statement: Statement, rows: Iterable[Parameters]) -> None:
        """The same change for each row, sent as one batch."""
        async with self.connection.cursor() as cursor:
            await cursor.executemany(statement.sql, rows)

    @asynccontextmanager
    async def savepoint(self) -> AsyncGenerator[None]:
        """A part that may fail alone: on an error only this part is undone."""
        async with self.connection.transaction():
            yield
