"""A worker: Procrastinate's loop, kept alive through everything, with our own pulse and sweeper.

Procrastinate fetches (`for update skip locked`), listens and limits; what becomes of a job after
its run is written by us, and only while the job is still ours. A worker says that it is alive every
`_BEAT_S`. One not heard of for `DEAD_S` is dead: the sweeper of any worker queues its jobs again.
One that could not be heard for `_SILENT_S` stops its own jobs, so that they never run twice at once.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import structlog
from procrastinate import App, JobContext, PsycopgConnector, exceptions, jobs, manager

from svod.foundation.errors import SvodError
from svod.foundation.jobs import postgres
from svod.foundation.jobs.loop import Loop
from svod.foundation.jobs.running import Again, Buried, Done, Kind, Outcome, Running
from svod.foundation.storage import Database, Transaction
from svod.foundation.storage.opening import connection_pool

DEAD_S = 12.0
_SILENT_S = 8.0
_BEAT_S = 2.0
_SWEEP_S = 2.0
_POLL_S = 1.0
"""For jobs whose time has come; what is queued now is told by the database at once."""
_GRACE_S = 5.0
"""Less than `DEAD_S`: nobody takes a job over while it is ending."""
_RETRY_S = 1.0
_UNKNOWN_WAIT_S = 30.0
_STEPS_EVERY_S = 3600.0
_STEPS_DAYS = 7
_CONNECTIONS = 4
_NEVER_S = 1e9

log = structlog.get_logger()


class Worker:
    """Does the jobs of some kinds, until cancelled."""

    def __init__(
        self,
        dsn: str,
        kinds: Mapping[str, Kind],
        *,
        concurrency: int,
        queues: Sequence[str] | None,
    ) -> None:
        # A finish that is lost with the machine only means that the job runs again.
        self._pool = connection_pool(
            dsn, most=_CONNECTIONS, session=b"set synchronous_commit = off"
        )
        self._database = Database(self._pool)
        self._kinds = kinds
        self._running = Running()
        self._outcomes: dict[int, Outcome] = {}
        self._settling: set[int] = set()
        self._unknown: set[int] = set()
        self._stopping = False
        connector = PsycopgConnector()
        self._app = App(connector=connector)
        self._app.job_manager = _Manager(connector, self._settle)
        for name in kinds:
            self._app.task(name=name, pass_context=True)(self._do)
        self._options: dict[str, Any] = {"concurrency": concurrency, "queues": queues}
        self._loop: Loop | None = None

    async def run(self) -> None:
        """Work until cancelled."""
        await self._pool.open(wait=False)
        try:
            async with self._app.open_async(self._pool), asyncio.TaskGroup() as group:
                group.create_task(self._work())
                group.create_task(self._beat())
                group.create_task(self._sweep())
        finally:
            await self._pool.close()

    async def _work(self) -> None:
        try:
            while True:
                self._loop = Loop(
                    self._app,
                    fetch_job_polling_interval=_POLL_S,
                    abort_job_polling_interval=_NEVER_S,
                    update_heartbeat_interval=_NEVER_S,
                    stalled_worker_timeout=DEAD_S,
                    shutdown_graceful_timeout=_GRACE_S,
                    install_signal_handlers=False,
                    **self._options,
                )
                try:
                    await self._loop.run()
                except exceptions.ConnectorException:
                    log.warning("jobs.worker_lost_the_database")
                if (task := asyncio.current_task()) and task.cancelling():
                    # Signing off failed, which hid that we were asked to stop.
                    raise asyncio.CancelledError
                await asyncio.sleep(_RETRY_S)
        finally:
            self._stopping = True

    async def _do(self, context: JobContext, **arguments: int | str) -> None:
        job = context.job
        if job.id is not None:
            # What holds if we are stopped in the middle.
            self._outcomes[job.id] = Again()
            self._outcomes[job.id] = await self._running.run(
                job.id, job.task_name, self._kinds[job.task_name], arguments, job.attempts
            )

    async def _settle(self, job: jobs.Job) -> None:
        """Write what becomes of a job, as soon as the database can be reached."""
        if job.id is None or job.worker_id is None:
            return None
        outcome = self._outcomes.pop(job.id, None)
        if outcome is None:
            # Queued by another release; one that knows its name will take it.
            log.warning("jobs.unknown_kind", job=job.task_name)
            outcome = Again(_UNKNOWN_WAIT_S)
        self._settling.add(job.id)
        try:
            while True:
                try:
                    return await self._write(job.id, job.worker_id, outcome)
                except SvodError:
                    if self._stopping:
                        # The job stays ours until we are taken for dead, and runs again then.
                        return None
                await asyncio.sleep(_RETRY_S)
        finally:
            self._settling.discard(job.id)

    async def _write(self, job_id: int, worker_id: int, outcome: Outcome) -> None:
        async with self._database.transaction() as tx:
            match outcome:
                case Done():
                    await postgres.finish(tx, job_id, worker_id)
                case Again(wait_s, counted):
                    await postgres.run_again(tx, job_id, worker_id, wait_s=wait_s, counted=counted)
                case Buried():
                    await postgres.bury(tx, job_id, worker_id)

    async def _beat(self) -> None:
        clock = asyncio.get_running_loop().time
        heard = clock()
        while True:
            await asyncio.sleep(_BEAT_S)
            began = clock()
            try:
                async with asyncio.timeout(_BEAT_S):
                    alive = await self._say_alive(check=began - heard > _SILENT_S)
            except (SvodError, TimeoutError):
                alive = False
            if alive:
                heard = began
            elif clock() - heard > _SILENT_S and self._running.job_ids:
                log.warning("jobs.stopped_after_silence", jobs=len(self._running.job_ids))
                self._running.cancel(self._running.job_ids)

    async def _say_alive(self, *, check: bool) -> bool:
        loop = self._loop
        if loop is None or loop.worker_id is None:
            return True
        async with self._database.transaction() as tx:
            known = await postgres.beat(tx, loop.worker_id)
            held = await postgres.list_held(tx, loop.worker_id)
            await self._give_back(tx, loop.worker_id, held)
        if check or not known:
            self._running.cancel([job for job in self._running.job_ids if job not in held])
        if not known:
            log.warning("jobs.worker_taken_for_dead")
            loop.stop()
        return True

    async def _give_back(self, tx: Transaction, worker_id: int, held: set[int]) -> None:
        """Queue what is ours without our knowledge: the answer to a fetch was lost with the database.

        Only what was unknown at the last beat too; a job that was just fetched begins in a moment.
        """
        ours = {*self._running.job_ids, *self._outcomes, *self._settling}
        unknown = held - ours
        for job_id in unknown & self._unknown:
            log.warning("jobs.fetched_unheard", job_id=job_id)
            await postgres.run_again(tx, job_id, worker_id, wait_s=0.0, counted=False)
        self._unknown = unknown

    async def _sweep(self) -> None:
        clock = asyncio.get_running_loop().time
        steps_due = clock()
        while True:
            try:
                async with self._database.transaction() as tx:
                    found = await postgres.requeue_dead(
                        tx, dead_s=DEAD_S, running=self._running.job_ids
                    )
                    await postgres.remove_dead_workers(tx, dead_s=DEAD_S)
                    if clock() >= steps_due:
                        await postgres.remove_old_steps(tx, days=_STEPS_DAYS)
                        steps_due = clock() + _STEPS_EVERY_S
                if found:
                    log.warning("jobs.requeued", jobs=len(found))
            except SvodError as error:
                log.debug("jobs.sweep_failed", error=error.code)
            await asyncio.sleep(_SWEEP_S)


class _Manager(manager.JobManager):
    """Procrastinate's, except that a lost database is waited for, and outcomes are ours."""

    def __init__(self, connector: PsycopgConnector, settle: Callable[[jobs.Job], Any]) -> None:
        super().__init__(connector)
        self._settle = settle

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> jobs.Job | None:
        try:
            return await super().fetch_job(queues, worker_id)
        except exceptions.ConnectorException:
            await asyncio.sleep(_RETRY_S)
            return None

    async def listen_for_jobs(
        self,
        *,
        on_notification: manager.NotificationCallback,
        queues: Iterable[str] | None = None,
    ) -> None:
        while True:
            try:
                await super().listen_for_jobs(on_notification=on_notification, queues=queues)
            except exceptions.ConnectorException:
                await asyncio.sleep(_RETRY_S)

    async def finish_job(self, job: jobs.Job, status: jobs.Status, delete_job: bool) -> None:  # noqa: ARG002 - its signature
        await self._settle(job)
