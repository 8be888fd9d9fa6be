"""The embedded server survives what may happen to it, and leaves nothing behind."""

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import psutil
import psycopg
import pytest

from svod.foundation.jobs import Arguments, Job, Jobs
from svod.foundation.storage import Database, embedded, migrate, open_database
from svod.foundation.storage.embedded import EmbeddedPostgres
from svod.foundation.storage.embedded import postmaster as postmaster_module
from svod.foundation.storage.errors import ClusterOfOtherVersion, DatabaseDoesNotStart, DatabaseGone


@pytest.fixture(scope="module")
def folder() -> Generator[Path]:
    """A folder that the server's account can enter, also under root."""
    folder = Path(tempfile.mkdtemp(prefix="svod-test-embedded-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def data(folder: Path) -> Generator[Path]:
    """A data folder whose server does not run; the same for all tests here, for it takes a second to make."""
    data = folder / "data"
    yield data
    if pid := postmaster(data):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def postmaster(data: Path) -> int | None:
    file = data / "postgres" / "postmaster.pid"
    return int(file.read_text().split()[0]) if file.exists() else None


def count(dsn: str) -> int:
    with psycopg.connect(dsn) as connection:
        row = connection.execute("select count(*) from kept").fetchone()
    assert row is not None
    return row[0]


def wait_gone(pid: int) -> None:
    """A killed process dies when it is next scheduled, which on a busy machine is not at once."""
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(pid).wait(timeout=30)


def fill(dsn: str) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute("drop table if exists kept")
        connection.execute("create table kept as select generate_series(1, 1000) as n")


@pytest.mark.spec("X9")
def test_committed_rows_survive_a_killed_server(data: Path) -> None:
    server = EmbeddedPostgres(data)
    dsn = server.start().dsn
    fill(dsn)
    pid = postmaster(data)
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_gone(pid)
    assert server.start().dsn == dsn
    assert count(dsn) == 1000
    server.stop()
    assert not server.runs()
    again = EmbeddedPostgres(data)
    assert count(again.start().dsn) == 1000
    again.stop()


@pytest.mark.spec("X15")
def test_the_last_to_leave_stops_the_server(data: Path) -> None:
    first, second = EmbeddedPostgres(data, durable=False), EmbeddedPostgres(data, durable=False)
    dsn = first.start().dsn
    assert second.start().dsn == dsn
    fill(dsn)
    first.stop()
    assert second.runs()
    assert count(dsn) == 1000
    second.stop()
    assert not second.runs()
    assert not Path(dsn.split("host=")[1].split()[0]).exists()


@pytest.mark.spec("X15")
def test_a_killed_process_leaves_the_server_to_the_next(data: Path) -> None:
    script = (
        "import sys, time, pathlib;"
        "from svod.foundation.storage.embedded import EmbeddedPostgres;"
        "s = EmbeddedPostgres(pathlib.Path(sys.argv[1]), durable=False);"
        "print(s.start().dsn, flush=True); time.sleep(600)"
    )
    with subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-c", script, str(data)], stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        dsn = child.stdout.readline().decode().strip()
        fill(dsn)
        pid = postmaster(data)
        child.kill()
    server = EmbeddedPostgres(data, durable=False)
    assert server.start().dsn == dsn
    assert postmaster(data) == pid
    assert count(dsn) == 1000
    server.stop()
    assert postmaster(data) is None


@pytest.mark.spec("X15")
async def test_a_dead_server_is_started_again_and_the_pool_recovers(data: Path) -> None:
    async with embedded(data) as running:
        await migrate(running.dsn)
        database = await open_database(running.dsn, connections=4)
        async with database.transaction() as tx:
            await tx.connection.execute("drop table if exists kept")
            await tx.connection.execute("create table kept as select 1 as n")
        pid = await asyncio.to_thread(postmaster, data)
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(60):
            # Sessions of a dead server live on for a moment: only the next one's answer counts.
            while await asyncio.to_thread(postmaster, data) in {pid, None}:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            while (found := await rows(database)) is None:
                pass
        assert found == 1
        await database.close()


@pytest.mark.spec("X15")
async def test_work_goes_on_after_the_server_died(data: Path) -> None:
    async with embedded(data) as running:
        await migrate(running.dsn)
        database = await open_database(running.dsn, connections=4)
        jobs, done = Jobs(database), asyncio.Event()

        async def work(_: Arguments) -> None:  # noqa: RUF029 - as handlers are
            done.set()

        jobs.handle("work", work)
        worker = asyncio.create_task(jobs.run_worker())
        for dies in (False, True):
            if dies:
                pid = await asyncio.to_thread(postmaster, data)
                assert pid is not None
                os.kill(pid, signal.SIGKILL)
            done.clear()
            async with asyncio.timeout(60):
                while not await queued(database, jobs):
                    pass
                await done.wait()
        worker.cancel()
        await asyncio.wait([worker])
        await database.close()


async def queued(database: Database, jobs: Jobs) -> bool:
    try:
        async with database.transaction() as tx:
            await jobs.queue(tx, Job("work"))
    except DatabaseGone:
        return False
    return True


async def rows(database: Database) -> int | None:
    try:
        async with database.transaction() as tx:
            cursor = await tx.connection.execute("select count(*)::int from kept")
            row = await cursor.fetchone()
    except DatabaseGone:
        return None
    return row[0] if row else None


@pytest.mark.spec("X10")
def test_a_folder_of_another_major_version_is_refused(data: Path) -> None:
    server = EmbeddedPostgres(data, durable=False)
    server.start()
    server.stop()
    version = data / "postgres" / "PG_VERSION"
    ours = version.read_text()
    version.write_text("17\n")
    other = EmbeddedPostgres(data, durable=False)
    with pytest.raises(ClusterOfOtherVersion, match="PostgreSQL 17"):
        other.start()
    other.stop()
    version.write_text(ours)


def test_making_it_that_was_cut_short_is_begun_anew(folder: Path) -> None:
    data = folder / "fresh"
    (data / "postgres.new" / "base").mkdir(parents=True)
    data.chmod(0o711)
    server = EmbeddedPostgres(data, durable=False)
    server.start()
    server.stop()
    assert not (data / "postgres.new").exists()


def test_a_number_left_behind_by_a_dead_server_is_not_trusted(data: Path) -> None:
    server = EmbeddedPostgres(data, durable=False)
    dsn = server.start().dsn
    fill(dsn)
    server.stop()
    # After a restart of the machine, the old server's number may be any process's: here, ours.
    (data / "postgres" / "postmaster.pid").write_text(
        f"{os.getpid()}\n{data}\n0\n5432\n/tmp\n\n0\nready\n"
    )
    again = EmbeddedPostgres(data, durable=False)
    assert count(again.start().dsn) == 1000
    again.stop()


@pytest.mark.spec("X5")
def test_nothing_but_its_owner_reaches_the_server_and_its_log_holds_no_values(data: Path) -> None:
    server = EmbeddedPostgres(data, durable=False)
    dsn = server.start().dsn
    sockets = Path(dsn.split("host=")[1].split()[0])
    assert sockets.stat().st_mode & 0o777 == 0o700
    assert (data / "postgres").stat().st_mode & 0o777 == 0o700
    with psycopg.connect(dsn, autocommit=True) as connection:
        settings = connection.execute("show listen_addresses").fetchone()
        assert settings == ("",)
        for statement in (
            "select 'возврат'::int",
            "select * from refund",
            "select 'x' = any('refund')",
        ):
            with pytest.raises(psycopg.Error):
                connection.execute(statement)
        connection.execute("create temporary table unique_word (w text primary key)")
        with pytest.raises(psycopg.Error):
            connection.execute("insert into unique_word values ('refund'), ('refund')")
    server.stop()
    log = (data / "postgres.log").read_text()
    assert "ready to accept connections" in log
    assert "возврат" not in log
    assert "refund" not in log


def test_a_server_that_cannot_start_says_why(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postmaster_module, "_OLD_BACKENDS_S", 0)
    server = EmbeddedPostgres(data, durable=False)
    server.start()
    server.stop()
    (data / "postgres" / "global").rename(data / "global")
    broken = EmbeddedPostgres(data, durable=False)
    with pytest.raises(DatabaseDoesNotStart, match="pg_control"):
        broken.start()
    broken.stop()
    (data / "global").rename(data / "postgres" / "global")
