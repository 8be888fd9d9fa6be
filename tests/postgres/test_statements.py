"""Every named statement of every room holds against the migrated schema."""

import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.pq import ExecStatus

import svod
from svod.assembly import SEALED
from svod.foundation.storage import Statements

_PARAMETER = re.compile(r"%(?:%|\(([a-z_][a-z0-9_]*)\)[sbt])")


def _statements() -> Iterator[tuple[str, str, str]]:
    root = Path(svod.__file__).parent
    for file in sorted(root.rglob("queries.sql")):
        package = ".".join(["svod", *file.parent.relative_to(root).parts])
        for statement in Statements(package).all():
            yield package, statement.name, statement.sql


def _numbered(sql: str) -> str:
    """The statement with `$1` for each named parameter, as the driver sends it."""
    names: list[str] = []

    def number(match: re.Match[str]) -> str:
        name = match.group(1)
        if name is None:
            return "%"
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    return _PARAMETER.sub(number, sql)


@pytest.fixture(scope="module")
def connection(database_dsn: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(database_dsn, autocommit=True) as connection:
        yield connection


@pytest.mark.parametrize(
    "sql", [pytest.param(sql, id=f"{package}:{name}") for package, name, sql in _statements()]
)
def test_a_named_statement_can_be_prepared(connection: psycopg.Connection, sql: str) -> None:
    result = connection.pgconn.prepare(b"", _numbered(sql).encode())
    assert result.status == ExecStatus.COMMAND_OK, result.error_message.decode()


@pytest.mark.spec("X5")
def test_every_sealed_column_says_what_it_is_about(connection: psycopg.Connection) -> None:
    """Or a rotation of keys would leave it behind, and the old key with it.

    Beside where a column is sealed stands `SealedColumn(table, column, about)` in the room's `SEALED`,
    with what `Vault.seal` is given there; `svod.assembly.SEALED` gathers those of all rooms.
    """
    rows = connection.execute(
        "select table_name::text, column_name::text from information_schema.columns"
        " where table_schema = current_schema() and column_name like 'sealed\\_%'"
    ).fetchall()
    declared = [(one.table, one.column) for one in SEALED]
    assert sorted(declared) == sorted(rows)


def test_a_renamed_column_would_be_found(connection: psycopg.Connection) -> None:
    result = connection.pgconn.prepare(b"", b"select no_such_column from item")
    assert result.status == ExecStatus.FATAL_ERROR
