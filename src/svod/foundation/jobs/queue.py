"""The queue: jobs go in with a transaction, and a worker of this process takes them out."""

import asyncio
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import psycopg
from procrastinate import App, PsycopgConnector, exceptions
from procrastinate.jobs import Job as Deferred

from svod.foundation.jobs import postgres
from svod.foundation.jobs.job import GaveUp, Handler, Job
from svod.foundation.jobs.postgres import Counts
from svod.foundation.jobs.running import Kind
from svod.foundation.jobs.waiting import WaitingReason
from svod.foundation.jobs.worker import DEAD_S, Worker
from svod.foundation.storage import Database, Transaction
from svod.foundation.storage.free_space import disk_is_full


class Jobs:
    """The queue of one database."""

    def __init__(self, database: Database, *, disk: Path | None = None) -> None:
        """Open nothing yet.

        Args:
            database: where the queue is.
            disk: a folder on the disk that work writes to, to tell when it is full.
        """
        self._database = database
        self._disk = disk
        self._kinds: dict[str, Kind] = {}
        # Only to put jobs in, which it does on the caller's connection; it opens none.
        self._app = App(connector=PsycopgConnector())

    def handle(self, name: str, handler: Handler, *, gave_up: GaveUp | None = None) -> None:
        """Say who does the jobs of a name, and who is told when one was tried too often.

        To be called before `run_worker`; jobs of a name that a worker does not know go on waiting.
        """
        self._kinds[name] = Kind(handler, gave_up)

    async def queue(self, tx: Transaction, job: Job) -> int | None:
        """Queue a job: it exists if and when the transaction commits.

        Returns:
            Its number; None if one with the same `once` waits already.
        """
        options: dict[str, Any] = {
            "queue": job.queue,
            "priority": job.priority,
            "lock": job.lock,
            "queueing_lock": job.once,
            "connection": tx.connection,
        }
        if job.delay_s:
            options["schedule_in"] = {"seconds": job.delay_s}
        deferrer = self._app.configure_task(job.name, **options)
        with _own_failures():
            try:
                if job.once is None:
                    return await deferrer.defer_async(**job.arguments)
                async with tx.savepoint():
                    return await deferrer.defer_async(**job.arguments)
            except exceptions.AlreadyEnqueued:
                return None

    async def queue_many(self, tx: Transaction, jobs: Sequence[Job]) -> None:
        """Queue jobs without `once` or delay, all in one statement; see `queue`."""
        if not jobs:
            return
        deferred = [
            Deferred(
                queue=job.queue,
                task_name=job.name,
                priority=job.priority,
                lock=job.lock,
                queueing_lock=None,
                task_kwargs=dict(job.arguments),
            )
            for job in jobs
        ]
        with _own_failures():
            await self._app.job_manager.batch_defer_jobs_async(deferred, connection=tx.connection)

    async def drop_waiting(self, tx: Transaction, locks: Sequence[str]) -> None:
        """Take back the jobs of these locks that have not begun; one that runs goes on."""
        await postgres.drop_waiting(tx, locks)

    async def run_worker(self, concurrency: int = 2, queues: Sequence[str] | None = None) -> None:
        """Do jobs until cancelled; what runs then has a few seconds to end, or runs again later.

        Survives the database's absence. It holds a small pool of its own, so that busy rooms cannot
        make it look dead.

        Args:
            concurrency: jobs done at once.
            queues: only jobs of these; None for all.
        """
        dsn = cast("str", self._database.pool.conninfo)
        worker = Worker(dsn, self._kinds, concurrency=concurrency, queues=queues)
        await worker.run()

    async def workers_alive(self) -> int:
        """How many workers, anywhere, were heard of in the last seconds."""
        async with self._database.transaction() as tx:
            return await postgres.count_workers(tx, dead_s=DEAD_S)

    async def oldest_waiting(self) -> float | None:
        """Seconds that the longest waiting job could have run and did not; None if none waits."""
        async with self._database.transaction() as tx:
            return await postgres.find_oldest_waiting(tx)

    async def counts(self) -> Counts:
        """How many jobs wait and run."""
        async with self._database.transaction() as tx:
            return await postgres.count_jobs(tx)

    async def waiting_reason(self) -> WaitingReason:
        """Why a job that is queued has not begun, or is not done."""
        if self._disk is not None and await asyncio.to_thread(disk_is_full, self._disk):
            return WaitingReason.DISK_FULL
        return WaitingReason.BUSY if await self.workers_alive() else WaitingReason.NO_WORKER


@contextmanager
def _own_failures() -> Generator[None]:
    """Raise the driver's own failure, which the transaction tells as ours."""
    try:
        yield
    except exceptions.ConnectorException as error:
        if isinstance(error.__cause__, psycopg.Error):
            raise error.__cause__ from None
        raise
