"""The schema comes forward once, and only forward."""

import asyncio

import psycopg
import pytest
from pgvector import HalfVector

from svod.foundation.storage import Database, migrate, open_database
from svod.foundation.storage.errors import MigrationChanged, SchemaTooNew, SchemaTooOld


@pytest.mark.spec("X10")
async def test_migrating_twice_changes_nothing_the_second_time(empty_dsn: str) -> None:
    applied = await migrate(empty_dsn)
    assert applied[:2] == ["0001_ground", "0002_jobs"]
    assert await migrate(empty_dsn) == []


async def test_processes_that_migrate_at_once_apply_each_step_once(empty_dsn: str) -> None:
    async with asyncio.TaskGroup() as group:
        runs = [group.create_task(migrate(empty_dsn)) for _ in range(4)]
    assert sorted(len(run.result()) for run in runs)[:3] == [0, 0, 0]


@pytest.mark.spec("X10")
async def test_a_database_of_a_newer_release_is_refused(empty_dsn: str) -> None:
    await migrate(empty_dsn)
    _write(empty_dsn, "insert into schema_migration (name) values ('9999_later')")
    with pytest.raises(SchemaTooNew, match="9999_later"):
        await migrate(empty_dsn)
    with pytest.raises(SchemaTooNew):
        await open_database(empty_dsn, connections=4)


async def test_an_applied_step_that_was_edited_is_refused(empty_dsn: str) -> None:
    await migrate(empty_dsn)
    _write(empty_dsn, "update schema_migration set checksum = '' where name = '0001_ground'")
    with pytest.raises(MigrationChanged, match="0001_ground"):
        await migrate(empty_dsn)


async def test_a_database_that_was_not_migrated_is_not_opened(empty_dsn: str) -> None:
    with pytest.raises(SchemaTooOld, match="0001_ground"):
        await open_database(empty_dsn, connections=4)


async def test_a_change_of_the_job_queue_that_a_later_package_brings_is_applied(
    empty_dsn: str,
) -> None:
    await migrate(empty_dsn)
    _write(empty_dsn, "delete from schema_migration where name like '0002_jobs/03.03.00_01%'")
    assert await migrate(empty_dsn) == ["0002_jobs/03.03.00_01_pre_priority_lock_fetch_job"]


async def test_a_half_vector_comes_back_as_it_went(database: Database) -> None:
    async with database.transaction() as tx:
        cursor = await tx.connection.execute("select %s::halfvec", (HalfVector([0.5, -1.0]),))
        row = await cursor.fetchone()
    assert row is not None
    assert row[0].to_list() == [0.5, -1.0]


def _write(dsn: str, sql: str) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute(sql.encode())
