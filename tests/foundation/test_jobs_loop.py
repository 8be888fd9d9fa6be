"""A job that is announced while the worker looks for one does not wait for the next poll."""

import asyncio
from collections.abc import Iterable

import pytest
from procrastinate import App, jobs
from procrastinate.manager import JobManager
from procrastinate.testing import InMemoryConnector

from svod.foundation.jobs.loop import Loop

_NEVER_S = 1e9


class QueuedMeanwhile(JobManager):
    """Finds nothing the first time, and a job is queued before the worker learns of it."""

    def __init__(self, connector: InMemoryConnector, app: App) -> None:
        super().__init__(connector)
        self._app = app
        self.fetches = 0

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> jobs.Job | None:
        self.fetches += 1
        found = await super().fetch_job(queues, worker_id)
        if self.fetches == 1:
            await asyncio.sleep(0)  # the worker begins to listen
            await self._app.configure_task("greet").defer_async()
        return found


@pytest.mark.spec("X9")
async def test_a_job_announced_during_a_fetch_is_fetched_at_once() -> None:
    connector = InMemoryConnector()
    app = App(connector=connector)
    app.job_manager = QueuedMeanwhile(connector, app)
    greeted = asyncio.Event()

    @app.task(name="greet")
    async def greet() -> None:  # noqa: RUF029 - a task is awaited
        greeted.set()

    async with app.open_async():
        loop = Loop(app, fetch_job_polling_interval=_NEVER_S, install_signal_handlers=False)
        running = asyncio.create_task(loop.run())
        async with asyncio.timeout(5):
            await greeted.wait()
        loop.stop()
        await running
