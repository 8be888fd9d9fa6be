"""Whatever dies, what was queued is done, and never twice at once."""

import asyncio
import subprocess
import sys
import textwrap
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio

from svod.foundation.jobs import Arguments, Job, Jobs
from svod.foundation.storage import Database

_WORKER = textwrap.dedent("""
    import asyncio, sys
    from svod.foundation.jobs import Jobs
    from svod.foundation.storage import open_database

    async def main():
        jobs = Jobs(await open_database(sys.argv[1], connections=4))
        async def begin(arguments):
            print("begun", arguments["item_id"], flush=True)
            await asyncio.sleep(3600)
        jobs.handle("ingest", begin)
        await jobs.run_worker(2)

    asyncio.run(main())
""")


class Slow:
    """Its first run never ends by itself; counts how many run at once."""

    def __init__(self) -> None:
        self.runs = 0
        self.at_once = 0
        self.most_at_once = 0
        self.news = asyncio.Event()

    async def __call__(self, _: Arguments) -> None:
        self.runs += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.news.set()
        try:
            if self.runs == 1:
                await asyncio.sleep(3600)
        finally:
            self.at_once -= 1

    async def until(self, runs: int) -> None:
        async with asyncio.timeout(60):
            while self.runs < runs:
                self.news.clear()
                await self.news.wait()


@pytest_asyncio.fixture(autouse=True)
async def _an_empty_queue(database: Database) -> None:
    await sql(database, "delete from procrastinate_jobs")
    await sql(database, "delete from procrastinate_workers")


async def sql(database: Database, statement: str) -> None:
    async with database.transaction() as tx:
        await tx.connection.execute(statement.encode())


async def queued(database: Database, jobs: Jobs, **arguments: int) -> None:
    async with database.transaction() as tx:
        await jobs.queue(tx, Job("ingest", dict(arguments), lock="item:1"))


@asynccontextmanager
async def working(jobs: Jobs) -> AsyncGenerator[None]:
    worker = asyncio.create_task(jobs.run_worker(2))
    try:
        yield
    finally:
        worker.cancel()
        await asyncio.wait([worker])
        assert worker.cancelled() or worker.exception() is None


@pytest.mark.spec("X9")
async def test_jobs_of_a_killed_worker_run_again_in_their_order(
    database: Database, database_dsn: str
) -> None:
    jobs = Jobs(database)
    done: list[int | str] = []
    both = asyncio.Event()

    async def ingest(arguments: Arguments) -> None:  # noqa: RUF029 - as handlers are
        done.append(arguments["item_id"])
        if len(done) == 2:
            both.set()

    jobs.handle("ingest", ingest)
    await queued(database, jobs, item_id=1)
    await queued(database, jobs, item_id=2)
    child = subprocess.Popen(  # noqa: ASYNC220, S603 - our own script
        [sys.executable, "-c", _WORKER, database_dsn], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert await asyncio.to_thread(child.stdout.readline) == b"begun 1\n"
    child.kill()
    await asyncio.to_thread(child.wait)
    child.stdout.close()
    async with working(jobs), asyncio.timeout(60):
        await both.wait()
    assert done == [1, 2]
    counts = await jobs.counts()
    assert (counts.waiting, counts.running, counts.buried) == (0, 0, 0)


@pytest.mark.spec("X9")
async def test_a_worker_that_was_taken_for_dead_stops_its_job_before_it_runs_again(
    database: Database,
) -> None:
    jobs, slow = Jobs(database), Slow()
    jobs.handle("ingest", slow)
    await queued(database, jobs)
    async with working(jobs):
        await slow.until(runs=1)
        # As another worker's sweeper does with one that was silent for too long.
        await sql(database, "update procrastinate_jobs set status = 'todo', worker_id = null")
        await sql(database, "delete from procrastinate_workers")
        await slow.until(runs=2)
    assert slow.most_at_once == 1


@pytest.mark.spec("X9")
async def test_a_worker_thought_dead_does_not_end_the_run_of_another(database: Database) -> None:
    jobs = Jobs(database)
    begun, go = asyncio.Event(), asyncio.Event()

    async def ingest(_: Arguments) -> None:
        begun.set()
        await go.wait()

    jobs.handle("ingest", ingest)
    await queued(database, jobs)
    async with working(jobs):
        async with asyncio.timeout(60):
            await begun.wait()
        # Another worker took the job over and runs it.
        await sql(
            database,
            "with other as (insert into procrastinate_workers default values returning id)"
            " update procrastinate_jobs set worker_id = other.id from other",
        )
        go.set()
    counts = await jobs.counts()
    assert (counts.waiting, counts.running) == (0, 1)


@pytest.mark.spec("X15")
async def test_a_worker_survives_that_its_connections_are_cut(database: Database) -> None:
    jobs = Jobs(database)
    done = asyncio.Event()

    async def ingest(_: Arguments) -> None:  # noqa: RUF029 - as handlers are
        done.set()

    jobs.handle("ingest", ingest)
    async with working(jobs), asyncio.timeout(60):
        for _ in range(3):
            await sql(
                database,
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()",
            )
            done.clear()
            await queued(database, jobs)
            await done.wait()


@pytest.mark.spec("X9", "X15")
async def test_a_job_whose_fetching_was_never_answered_runs(database: Database) -> None:
    """The database noted that the worker has it, and died before it could say so."""
    jobs = Jobs(database)
    done: list[Arguments] = []
    news = asyncio.Event()

    async def ingest(arguments: Arguments) -> None:  # noqa: RUF029 - as handlers are
        done.append(arguments)
        news.set()

    jobs.handle("ingest", ingest)
    async with working(jobs), asyncio.timeout(60):
        await queued(database, jobs, item_id=1)
        await news.wait()
        news.clear()
        async with database.transaction() as tx:
            await jobs.queue(tx, Job("ingest", {"item_id": 2}, delay_s=3600))
        await sql(
            database,
            "update procrastinate_jobs set status = 'doing',"
            " worker_id = (select id from procrastinate_workers)",
        )
        await news.wait()
    assert done == [{"item_id": 1}, {"item_id": 2}]
    assert (await jobs.counts()).running == 0


@pytest.mark.spec("X9")
async def test_a_job_that_runs_for_long_is_not_taken_for_unheard_of(database: Database) -> None:
    jobs = Jobs(database)
    slow, beats = Slow(), asyncio.Event()
    jobs.handle("ingest", slow)

    async def other(_: Arguments) -> None:  # noqa: RUF029 - as handlers are
        beats.set()

    jobs.handle("later", other)
    async with working(jobs), asyncio.timeout(60):
        await queued(database, jobs)
        await slow.until(1)
        async with database.transaction() as tx:
            # By then the worker has looked several times what it holds.
            await jobs.queue(tx, Job("later", delay_s=9))
        await beats.wait()
        assert slow.runs == 1
