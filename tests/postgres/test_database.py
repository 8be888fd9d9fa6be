"""A transaction is whole or nothing, and says in our words what went wrong."""

import asyncio
import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import psycopg
import pytest
from psycopg import errors

from svod.foundation.errors import SvodError
from svod.foundation.storage import Database, open_database
from svod.foundation.storage.embedded import EmbeddedPostgres, home
from svod.foundation.storage.errors import Contended, DatabaseBusy, DatabaseGone, DiskFull


class UndoneError(Exception):
    """Undoes a transaction."""


async def execute(database: Database, statement: str) -> None:
    async with database.transaction() as tx:
        await tx.connection.execute(statement.encode())


async def test_an_error_undoes_the_whole_transaction(database: Database) -> None:
    await execute(database, "create table whole (n int)")
    with pytest.raises(UndoneError):
        await insert_and_fail(database)
    await execute(database, "insert into whole values (2)")
    async with database.transaction() as tx:
        cursor = await tx.connection.execute("select n from whole")
        assert await cursor.fetchall() == [(2,)]


async def insert_and_fail(database: Database) -> None:
    async with database.transaction() as tx:
        await tx.connection.execute("insert into whole values (1)")
        raise UndoneError


async def test_a_savepoint_undoes_its_part_alone(database: Database) -> None:
    await execute(database, "create table part (n int primary key)")
    async with database.transaction() as tx:
        await tx.connection.execute("insert into part values (1)")
        with pytest.raises(errors.UniqueViolation):
            async with tx.savepoint():
                await tx.connection.execute("insert into part values (2), (1)")
    async with database.transaction() as tx:
        cursor = await tx.connection.execute("select n from part")
        assert await cursor.fetchall() == [(1,)]


@pytest.mark.spec("X15")
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (errors.DiskFull, DiskFull),
        (errors.SerializationFailure, Contended),
        (errors.DeadlockDetected, Contended),
        (errors.QueryCanceled, DatabaseBusy),
        (errors.AdminShutdown, DatabaseGone),
        (psycopg.OperationalError, DatabaseGone),
        (psycopg.InterfaceError, DatabaseGone),
    ],
)
async def test_what_the_driver_cannot_help_is_told_as_ours(
    database: Database, theirs: type[Exception], ours: type[SvodError]
) -> None:
    with pytest.raises(ours):
        await fail(database, theirs())


async def test_a_programming_error_stays_what_it_is(database: Database) -> None:
    with pytest.raises(errors.UndefinedTable):
        await execute(database, "select * from no_such_table")


async def fail(database: Database, error: Exception) -> None:
    async with database.transaction():
        raise error


@pytest.mark.spec("X15")
async def test_a_connection_that_was_cut_is_replaced(database: Database) -> None:
    async with database.transaction() as tx:
        pid = tx.connection.info.backend_pid
    for _ in range(3):
        await execute(
            database,
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()",
        )
        async with asyncio.TaskGroup() as group:
            for _ in range(4):
                group.create_task(execute(database, "select 1"))
    async with database.transaction() as tx:
        assert tx.connection.info.backend_pid != pid


async def test_a_database_that_is_not_there_is_said_to_be_gone() -> None:
    with pytest.raises(DatabaseGone):
        await open_database("host=/nowhere dbname=svod connect_timeout=2", connections=4)


@pytest.mark.parametrize("setting", ["timezone", "plan_cache_mode", "jit"])
async def test_every_connection_is_set_up_the_same_way(database: Database, setting: str) -> None:
    wanted = {"timezone": "UTC", "plan_cache_mode": "force_generic_plan", "jit": "off"}
    async with database.transaction() as tx:
        cursor = await tx.connection.execute("select current_setting(%s)", (setting,))
        assert await cursor.fetchone() == (wanted[setting],)


@pytest.fixture
def closed_folder() -> Generator[Path]:
    with tempfile.TemporaryDirectory(prefix="svod-test-closed-") as folder:
        yield Path(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to run the server as somebody else")
def test_under_root_a_closed_folder_stays_closed_and_the_database_lies_elsewhere(
    closed_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory(prefix="svod-test-elsewhere-") as place:
        elsewhere = Path(place)
        elsewhere.chmod(0o711)
        monkeypatch.setattr(home, "_ELSEWHERE", elsewhere)
        data = closed_folder / "data"
        server = EmbeddedPostgres(data, durable=False)
        running = server.start()
        (note,) = running.notes
        assert str(elsewhere) in note.en
        assert str(elsewhere) in note.ru
        server.stop()
        assert closed_folder.stat().st_mode & 0o777 == 0o700
        assert not (data / "postgres").exists()
        (folder,) = elsewhere.iterdir()
        assert (folder / "postgres").stat().st_uid != 0
        again = EmbeddedPostgres(data, durable=False)
        again.start()
        again.stop()
        assert [entry.name for entry in elsewhere.iterdir()] == [folder.name]
