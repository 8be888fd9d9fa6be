"""A backup is one moment of a live server; restored elsewhere it is equal, and damage is found first."""

import asyncio
import io
import stat
import tarfile
from collections.abc import Generator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from svod.foundation.jobs import Arguments, Job, Jobs, Later
from svod.foundation.storage import Blobs, Database, MasterKey, migrate, open_database
from svod.foundation.storage.backup import (
    Made,
    make_backup,
    master_key_in,
    require_empty,
    restore_backup,
    verify,
)
from svod.foundation.storage.backup.errors import (
    BackupDamaged,
    BackupExists,
    BackupNotWritten,
    BackupRunning,
    BackupTooNew,
    TargetNotEmpty,
)
from svod.foundation.storage.errors import MasterKeyMissing, SchemaTooNew
from svod.foundation.storage.migrations import RECORD, schema_at
from svod.foundation.storage.standstill import STANDSTILL
from svod.knowledge.items import Items
from svod.knowledge.items.item import FileDraft, NoteDraft
from svod.knowledge.items.jobs import Unlinking, unlink
from svod.knowledge.workspaces import Caller

TEXTS = {"en": "Bikes come back within 21 days.", "ru": "Велосипед возвращают в течение 21 дня."}


@dataclass(frozen=True)
class Copying:
    """A database with its stored files, the file of its backup, and an empty place."""

    dsn: str
    empty: str
    source: Path
    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / "svod.backup"

    @property
    def target(self) -> Path:
        return self.folder / "restored"

    async def make(self, key: str | None = None) -> Made:
        return await asyncio.to_thread(
            make_backup, self.dsn, self.source, self.file, master_key=key
        )

    async def restore(self, key: MasterKey | None = None) -> int:
        await asyncio.to_thread(verify, self.file)
        await require_empty(self.empty)
        await asyncio.to_thread(self.target.mkdir)
        return await asyncio.to_thread(
            restore_backup, self.file, self.empty, self.target, master_key=key
        )


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stored files of the module's database."""
    return tmp_path_factory.mktemp("stored") / "blobs"


@pytest.fixture
def blobs(store: Path) -> Blobs:
    return Blobs(store)


@pytest.fixture
def copying(database_dsn: str, empty_dsn: str, store: Path, tmp_path: Path) -> Copying:
    return Copying(database_dsn, empty_dsn, store, tmp_path)


def rows(dsn: str) -> dict[str, list[str]]:
    """Every row of every table, as text."""
    with psycopg.connect(dsn) as connection:
        tables = connection.execute(
            "select relname::text from pg_class where relkind = 'r' and relname <> 'schema_migration'"
            " and relnamespace = current_schema()::regnamespace"
        ).fetchall()
        every = sql.SQL("select t::text from {} t")
        return {
            table: sorted(
                text
                for (text,) in connection.execute(every.format(sql.Identifier(table))).fetchall()
            )
            for (table,) in tables
        }


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def harm(file: Path, how: str) -> None:
    whole = file.read_bytes()
    at = whole.index(b"blobs/") + tarfile.BLOCKSIZE + 10
    file.write_bytes(
        {
            "flipped": whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :],
            "cut": whole[:at],
            # As if the last members had never been written.
            "shortened": whole[: whole.index(b"tables/item/")] + bytes(1024),
            "other": b"PK\x03\x04" + bytes(4096),
        }[how]
    )


async def fill(items: Items, owner: Caller) -> None:
    for language, text in TEXTS.items():
        await items.add_note(owner, NoteDraft(text, title=language))
        await items.add_file(owner, FileDraft(f"{language}.txt", content=text.encode() * 9))


@pytest.mark.spec("X10", "N-25")
async def test_what_is_restored_equals_what_was_there(
    copying: Copying, items: Items, owner: Caller, master_key: MasterKey
) -> None:
    await fill(items, owner)
    before = rows(copying.dsn)
    made = await copying.make()
    stored = contents(copying.source)
    assert await copying.restore(master_key) == made.files == len(stored)
    assert rows(copying.empty) == before
    assert contents(copying.target) == stored
    # Numbers go on where they were, and what was dropped for speed is back.
    with psycopg.connect(copying.dsn) as old, psycopg.connect(copying.empty) as new:
        for question in (
            "select sequencename, last_value from pg_sequences order by 1",
            "select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint"
            " order by 1, 2",
            "select tgname, tgenabled from pg_trigger where not tgisinternal order by 1",
        ):
            assert new.execute(question).fetchall() == old.execute(question).fetchall()
    assert await migrate(copying.empty) == []


@pytest.mark.spec("X10")
async def test_a_backup_shows_one_moment_while_writing_goes_on(
    copying: Copying, items: Items, owner: Caller
) -> None:
    done = asyncio.Event()
    added = 0

    async def write() -> None:
        nonlocal added
        while not done.is_set():
            draft = FileDraft(f"{added}.txt", content=f"файл {added}".encode() * 500)
            await items.add_file(owner, draft)
            added += 1

    async with asyncio.TaskGroup() as group:
        group.create_task(write())
        while added < 5:  # noqa: ASYNC110 - what is waited for is the writer's own count
            await asyncio.sleep(0.01)
        made = await copying.make()
        during = added
        while added < during + 5:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        done.set()
    assert made.missing == 0
    await copying.restore()
    with psycopg.connect(copying.empty) as connection:
        (counts,) = connection.execute(
            "select (select count(*) from item where kind = 'file'),"
            " (select count(*) from item_version where blob_key is not null),"
            " (select count(*) from blob)"
        ).fetchall()
    assert counts[0] == counts[1]
    assert counts[2] == len(contents(copying.target))


@pytest.mark.spec("X10")
@pytest.mark.parametrize("how", ["flipped", "cut", "shortened", "other"])
async def test_a_damaged_backup_is_refused_before_anything_is_touched(
    copying: Copying, items: Items, owner: Caller, how: str
) -> None:
    await fill(items, owner)
    await copying.make()
    assert verify(copying.file).tables
    harm(copying.file, how)
    with pytest.raises(BackupDamaged):
        await copying.restore()
    await require_empty(copying.empty)


@pytest.mark.spec("X10")
async def test_a_restore_wants_an_empty_database(copying: Copying) -> None:
    with pytest.raises(TargetNotEmpty):
        await require_empty(copying.dsn)


@pytest.mark.spec("X10")
async def test_a_backup_of_a_newer_release_is_refused(copying: Copying) -> None:
    await migrate(copying.empty)
    with psycopg.connect(copying.empty, autocommit=True) as connection:
        connection.execute("insert into schema_migration (name) values ('9999_of_tomorrow')")
    await replace(copying, dsn=copying.empty).make()
    with pytest.raises(SchemaTooNew) as refused:
        verify(copying.file)
    assert "9999_of_tomorrow" in refused.value.message()


@pytest.mark.spec("X10")
def test_a_backup_in_a_newer_format_is_refused(copying: Copying) -> None:
    manifest = b'{"format": 2, "version": "9.9", "shape": "unknown"}'
    with tarfile.open(copying.file, "w") as made:
        info = tarfile.TarInfo("svod-backup.json")
        info.size = len(manifest)
        made.addfile(info, io.BytesIO(manifest))
    with pytest.raises(BackupTooNew) as refused:
        verify(copying.file)
    assert "9.9" in refused.value.message()


@pytest.mark.spec("X10", "N-25")
async def test_a_backup_of_an_older_release_is_migrated(copying: Copying, postgres: str) -> None:
    names = ("svod_backup_old", "svod_backup_new")
    with psycopg.connect(postgres, autocommit=True) as connection:
        for name in names:
            connection.execute(f"create database {name}")
    old, new = (make_conninfo(postgres, dbname=name) for name in names)
    try:
        with psycopg.connect(old) as connection:
            connection.execute(RECORD)
            for step in schema_at({"0001_ground": b""}):
                if step.sql:
                    connection.execute(step.sql)
                connection.execute(
                    "insert into schema_migration (name, checksum) values (%s, %s)",
                    (step.name, step.checksum),
                )
            connection.execute(
                "insert into workspace (workspace_id, kind, sealed_name, created_at)"
                " values (7, 'tenant', 'x', now())"
            )
        await replace(copying, dsn=old).make()
        await replace(copying, empty=new).restore()
        await migrate(new)
        database = await open_database(new, connections=4)
        await database.close()
        with psycopg.connect(new) as connection:
            assert connection.execute("select workspace_id from workspace").fetchall() == [(7,)]
    finally:
        with psycopg.connect(postgres, autocommit=True) as connection:
            for name in names:
                connection.execute(f"drop database {name} with (force)")


@pytest.mark.spec("X5")
@pytest.mark.parametrize("key", [None, "c2VjcmV0IG1hc3RlciBrZXkgb2YgdGhpcyBzZXJ2ZXI="])
async def test_the_master_key_is_in_it_only_when_asked(copying: Copying, key: str | None) -> None:
    await copying.make(key)
    assert verify(copying.file).master_key is (key is not None)
    assert master_key_in(copying.file) == key
    assert stat.S_IMODE(copying.file.lstat().st_mode) == 0o600


@pytest.mark.spec("X5")
async def test_a_wrong_master_key_restores_nothing(
    copying: Copying, items: Items, owner: Caller
) -> None:
    await fill(items, owner)
    await copying.make()
    with pytest.raises(MasterKeyMissing):
        await copying.restore(MasterKey(bytes(32)))
    await require_empty(copying.empty)


async def test_a_file_that_is_there_is_not_overwritten(copying: Copying) -> None:
    await asyncio.to_thread(copying.file.write_text, "another's")
    with pytest.raises(BackupExists):
        await copying.make()
    assert contents(copying.folder) == {copying.file.name: b"another's"}


async def test_a_backup_that_fails_leaves_nothing(
    copying: Copying, items: Items, owner: Caller
) -> None:
    await items.add_file(owner, FileDraft("a.txt", content=b"a"))
    name, content = contents(copying.source).popitem()
    stored = copying.source / name
    stored.unlink()
    stored.mkdir()  # cannot be read as a file
    with pytest.raises(BackupNotWritten):
        await copying.make()
    stored.rmdir()
    stored.write_bytes(content)
    assert not contents(copying.folder)


@pytest.fixture
def standing_still(database_dsn: str) -> Generator[psycopg.Connection[Any]]:
    """As while a backup is being made."""
    with psycopg.connect(database_dsn, autocommit=True) as connection:
        connection.execute("select pg_advisory_lock(%s)", (STANDSTILL,))
        yield connection


@pytest.mark.spec("X10", "X9")
@pytest.mark.usefixtures("standing_still")
async def test_no_stored_file_goes_while_a_backup_is_made(
    database: Database, owner: Caller, blobs: Blobs
) -> None:
    blob_key = await blobs.put(owner.vault, b"to be copied yet")
    job = unlink(owner.own.workspace_id, [blob_key])
    with pytest.raises(Later):
        await Unlinking(database, blobs)(job.arguments)
    assert await blobs.get(owner.vault, blob_key) == b"to be copied yet"
    await blobs.remove(owner.own.workspace_id, [blob_key])


@pytest.mark.spec("X10")
@pytest.mark.usefixtures("standing_still")
async def test_two_backups_at_once_are_one_too_many(copying: Copying) -> None:
    with pytest.raises(BackupRunning):
        await asyncio.to_thread(
            make_backup, copying.dsn, copying.source, copying.file, master_key=None, wait_s=0.05
        )


@pytest.mark.spec("X10", "X9")
async def test_a_job_under_way_runs_again_after_the_restore(
    copying: Copying, database: Database
) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def hang(_: Arguments) -> None:
        begun.set()
        await ended.wait()

    jobs = Jobs(database)
    jobs.handle("long", hang)
    async with database.transaction() as tx:
        await jobs.queue(tx, Job("long", {"number": 7}))
    worker = asyncio.create_task(jobs.run_worker())
    await begun.wait()
    await copying.make()
    ended.set()
    worker.cancel()
    await asyncio.wait([worker])
    await copying.restore()
    restored = await open_database(copying.empty, connections=4)
    done: list[Arguments] = []
    again = asyncio.Event()

    async def do(arguments: Arguments) -> None:  # noqa: RUF029 - a handler is awaited
        done.append(arguments)
        again.set()

    there = Jobs(restored)
    there.handle("long", do)
    worker = asyncio.create_task(there.run_worker())
    await asyncio.wait_for(again.wait(), 60)
    worker.cancel()
    await asyncio.wait([worker])
    await restored.close()
    assert done == [{"number": 7}]
