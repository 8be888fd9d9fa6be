"""The queue keeps what was promised, and does it."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio

from svod.foundation.ids import WorkspaceId
from svod.foundation.jobs import Arguments, Job, Jobs, Later, Steps, WaitingReason
from svod.foundation.storage import Database, Vaults


class RollbackError(Exception):
    """Undoes a transaction."""


class Recorder:
    """Handles jobs and remembers them; `behave` may fail or wait."""

    def __init__(self, behave: Callable[[Arguments], object] | None = None) -> None:
        self.done: list[Arguments] = []
        self.given_up: list[Exception | None] = []
        self._behave = behave
        self._news = asyncio.Event()

    async def __call__(self, arguments: Arguments) -> None:
        self.done.append(arguments)
        self._news.set()
        if self._behave:
            result = self._behave(arguments)
            if asyncio.iscoroutine(result):
                await result

    async def gave_up(self, _: Arguments, error: Exception | None) -> None:
        self.given_up.append(error)
        self._news.set()

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not true():
                self._news.clear()
                await self._news.wait()


@pytest_asyncio.fixture(autouse=True)
async def _an_empty_queue(database: Database) -> None:
    async with database.transaction() as tx:
        await tx.connection.execute("delete from procrastinate_jobs")
        await tx.connection.execute("delete from procrastinate_workers")


@asynccontextmanager
async def working(jobs: Jobs, concurrency: int = 2) -> AsyncGenerator[None]:
    worker = asyncio.create_task(jobs.run_worker(concurrency))
    try:
        yield
    finally:
        worker.cancel()
        await asyncio.wait([worker])
        assert worker.cancelled() or worker.exception() is None


@pytest.mark.spec("X9")
async def test_a_job_exists_only_if_its_transaction_commits(database: Database) -> None:
    jobs, recorder = Jobs(database), Recorder()
    jobs.handle("note", recorder)
    with contextlib.suppress(RollbackError):
        async with database.transaction() as tx:
            await jobs.queue(tx, Job("note", {"item_id": 1}))
            raise RollbackError
    async with database.transaction() as tx:
        await jobs.queue(tx, Job("note", {"item_id": 2}))
    async with working(jobs):
        await recorder.until(lambda: len(recorder.done) == 1)
    assert recorder.done == [{"item_id": 2}]
    assert (await jobs.counts()).waiting == 0


async def test_a_job_marked_once_is_not_queued_while_another_waits(database: Database) -> None:
    jobs, recorder = Jobs(database), Recorder()
    jobs.handle("meaning", recorder)
    async with database.transaction() as tx:
        first = await jobs.queue(tx, Job("meaning", once="meaning:1"))
        second = await jobs.queue(tx, Job("meaning", once="meaning:1"))
        other = await jobs.queue(tx, Job("meaning", once="meaning:2"))
    assert first is not None
    assert second is None
    assert other is not None
    async with working(jobs):
        await recorder.until(lambda: len(recorder.done) == 2)


async def test_jobs_of_one_lock_run_one_at_a_time_and_in_order(database: Database) -> None:
    at_once: list[int] = []
    running = 0

    async def slowly(_: Arguments) -> None:
        nonlocal running
        running += 1
        at_once.append(running)
        await asyncio.sleep(0.02)
        running -= 1

    jobs, recorder = Jobs(database), Recorder(slowly)
    jobs.handle("item", recorder)
    async with database.transaction() as tx:
        for number in range(5):
            await jobs.queue(tx, Job("item", {"n": number}, lock="item:7"))
    async with working(jobs, concurrency=4):
        await recorder.until(lambda: len(recorder.done) == 5)
    assert [arguments["n"] for arguments in recorder.done] == list(range(5))
    assert set(at_once) == {1}


async def test_more_urgent_jobs_run_first(database: Database) -> None:
    jobs, recorder = Jobs(database), Recorder()
    jobs.handle("order", recorder)
    async with database.transaction() as tx:
        for priority in (0, 9, 5):
            await jobs.queue(tx, Job("order", {"p": priority}, priority=priority))
    async with working(jobs, concurrency=1):
        await recorder.until(lambda: len(recorder.done) == 3)
    assert [arguments["p"] for arguments in recorder.done] == [9, 5, 0]


@pytest.mark.spec("X9")
async def test_a_job_that_fails_runs_again(database: Database) -> None:
    def once(_: Arguments) -> None:
        if len(recorder.done) == 1:
            raise RuntimeError

    jobs, recorder = Jobs(database), Recorder(once)
    jobs.handle("flaky", recorder, gave_up=recorder.gave_up)
    async with database.transaction() as tx:
        await jobs.queue(tx, Job("flaky"))
    async with working(jobs):
        await recorder.until(lambda: len(recorder.done) == 2)
    assert recorder.given_up == []


async def test_a_job_that_always_fails_is_given_up(database: Database) -> None:
    def always(_: Arguments) -> None:
        raise RuntimeError("poison")

    jobs, recorder = Jobs(database), Recorder(always)
    jobs.handle("poison", recorder, gave_up=recorder.gave_up)
    async with database.transaction() as tx:
        await jobs.queue(tx, Job("poison"))
        # Its earlier failures, so that the test need not wait for them.
        await tx.connection.execute(
            "update procrastinate_jobs set attempts = 4 where task_name = 'poison'"
        )
    async with working(jobs):
        await recorder.until(lambda: len(recorder.given_up) == 1)
    assert str(recorder.given_up[0]) == "poison"
    assert len(recorder.done) == 1
    counts = await jobs.counts()
    assert (counts.waiting, counts.running) == (0, 0)


async def test_a_job_whose_processes_always_died_is_given_up_unseen(database: Database) -> None:
    jobs, recorder = Jobs(database), Recorder()
    jobs.handle("killer", recorder, gave_up=recorder.gave_up)
    async with database.transaction() as tx:
        await jobs.queue(tx, Job("killer"))
        await tx.connection.execute(
            "update procrastinate_jobs set attempts = 25 where task_name = 'killer'"
        )
    async with working(jobs):
        await recorder.until(lambda: len(recorder.given_up) == 1)
    assert recorder.given_up == [None]
    assert recorder.done == []


async def test_waiting_for_better_times_counts_no_attempt(database: Database) -> None:
    def busy(_: Arguments) -> None:
        if len(recorder.done) < 7:
            raise Later(0)

    jobs, recorder = Jobs(database), Recorder(busy)
    jobs.handle("patient", recorder, gave_up=recorder.gave_up)
    async with database.transaction() as tx:
        await jobs.queue(tx, Job("patient"))
    async with working(jobs):
        await recorder.until(lambda: len(recorder.done) == 7)
    assert recorder.given_up == []


@pytest.mark.spec("X15")
async def test_a_job_in_work_at_the_stop_is_waiting_again(database: Database) -> None:
    async def long(_: Arguments) -> None:
        await asyncio.sleep(3600)

    jobs, recorder = Jobs(database), Recorder(long)
    jobs.handle("long", recorder)
    async with database.transaction() as tx:
        await jobs.queue(tx, Job("long"))
    async with working(jobs):
        await recorder.until(lambda: len(recorder.done) == 1)
    counts = await jobs.counts()
    assert (counts.waiting, counts.running) == (1, 0)
    assert await jobs.waiting_reason() is WaitingReason.NO_WORKER
    assert (await jobs.oldest_waiting() or 0) >= 0


async def test_a_live_worker_is_seen(database: Database) -> None:
    jobs, recorder = Jobs(database), Recorder()
    jobs.handle("hello", recorder)
    async with database.transaction() as tx:
        await jobs.queue(tx, Job("hello"))
    async with working(jobs):
        await recorder.until(lambda: len(recorder.done) == 1)
        assert await jobs.workers_alive() == 1
        assert await jobs.waiting_reason() is WaitingReason.BUSY


@pytest.mark.spec("X9")
async def test_a_finished_step_is_not_done_again(
    database: Database, vaults: Vaults, workspace_id: WorkspaceId
) -> None:
    async with database.transaction() as tx:
        await vaults.create_keys(tx, workspace_id)
    steps = Steps(database, await vaults.of(database, workspace_id), "ingest:1:1")
    made = 0

    async def make() -> bytes:  # noqa: RUF029 - steps may wait
        nonlocal made
        made += 1
        return "ёлка 🎄".encode()

    assert await steps.run("text", make) == await steps.run("text", make) == "ёлка 🎄".encode()
    assert made == 1
    async with database.transaction() as tx:
        cursor = await tx.connection.execute("select sealed_result from job_step")
        row = await cursor.fetchone()
        assert row is not None
        assert "ёлка".encode() not in row[0]
        await steps.forget(tx)
    await steps.run("text", make)
    assert made == 2
