"""One run of one job, and what becomes of the job after it."""

import asyncio
from dataclasses import dataclass

import structlog

from svod.foundation.jobs.job import Arguments, GaveUp, Handler, Later
from svod.foundation.storage.errors import (
    Contended,
    DatabaseBusy,
    DatabaseGone,
    DiskFull,
    KeysMissing,
)

MOST_FAILURES = 5
"""A job that fails this often is given up."""
MOST_DEATHS = 25
"""A job whose process died this often is given up unseen: it may be what kills them. High, because
mostly the processes were killed by something else, and the job is innocent."""
_MOST_REFUSALS = 50
_LONGEST_WAIT_S = 60.0
_OUTSIDE_WAIT_S = 5.0
_OUTSIDE = (DatabaseGone, DatabaseBusy, DiskFull, Contended)
"""Not the job's fault: it waits for better times, and no attempt is counted."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Kind:
    """Who does the jobs of a name."""

    handler: Handler
    gave_up: GaveUp | None


@dataclass(frozen=True, slots=True)
class Done:
    """The job has ended."""


@dataclass(frozen=True, slots=True)
class Again:
    """The job has to run again."""

    wait_s: float = 0.0
    counted: bool = False


@dataclass(frozen=True, slots=True)
class Buried:
    """The job can neither be done nor given up."""


Outcome = Done | Again | Buried


class Running:
    """The jobs that run in this process; the same job never twice at once."""

    def __init__(self) -> None:
        self._tasks: dict[int, asyncio.Task[None]] = {}

    @property
    def job_ids(self) -> list[int]:
        """Which jobs run."""
        return list(self._tasks)

    def cancel(self, job_ids: list[int]) -> None:
        """Stop jobs that others may have begun, because we were silent for too long."""
        for job_id in job_ids:
            self._tasks[job_id].cancel()

    async def run(
        self, job_id: int, name: str, kind: Kind, arguments: Arguments, attempts: int
    ) -> Outcome:
        """Do a job and say what becomes of it. Cancelled from outside, the job stops and may run again."""
        while earlier := self._tasks.get(job_id):
            # It was taken from us while we were silent, and came back before we had stopped it.
            await asyncio.wait([earlier])
            await asyncio.sleep(0)
        with structlog.contextvars.bound_contextvars(job=name, job_id=job_id):
            task = asyncio.create_task(_attempt(kind, arguments, attempts))
            self._tasks[job_id] = task
            try:
                await asyncio.wait([task])
            finally:
                if not task.done():
                    task.cancel()
                    await asyncio.wait([task])
                del self._tasks[job_id]
            if task.cancelled():
                return Again()
            error = task.exception()
            if error is None:
                return Done()
            if not isinstance(error, Exception):
                raise error
            return await _outcome(kind, arguments, attempts, error)


async def _attempt(kind: Kind, arguments: Arguments, attempts: int) -> None:
    if attempts < MOST_DEATHS:
        await kind.handler(arguments)
    else:
        await _give_up(kind, arguments, None)


async def _outcome(kind: Kind, arguments: Arguments, attempts: int, error: Exception) -> Outcome:
    if isinstance(error, KeysMissing):
        # Its workspace was deleted, and what it was about with it.
        log.info("jobs.workspace_gone")
        return Done()
    if isinstance(error, Later):
        return Again(error.wait_s)
    if isinstance(error, _OUTSIDE):
        log.warning("jobs.waits", error=error.code)
        return Again(_OUTSIDE_WAIT_S)
    log.error("jobs.failed", attempt=attempts + 1, exc_info=error)
    if attempts + 1 < MOST_FAILURES:
        return Again(min(_LONGEST_WAIT_S, 2.0 ** (attempts + 1)), counted=True)
    if attempts >= _MOST_REFUSALS:
        return Buried()
    try:
        await _give_up(kind, arguments, error)
    except Exception:
        log.exception("jobs.not_given_up")
        return Again(_LONGEST_WAIT_S, counted=True)
    return Done()


async def _give_up(kind: Kind, arguments: Arguments, error: Exception | None) -> None:
    log.error("jobs.given_up")
    if kind.gave_up:
        await kind.gave_up(arguments, error)
