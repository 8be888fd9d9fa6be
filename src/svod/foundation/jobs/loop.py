"""Procrastinate's loop, made to hear what it is told while it fetches."""

from procrastinate import jobs
from procrastinate.worker import Worker


class Loop(Worker):
    """Fetches again when a job was announced during the fetch that found none.

    Procrastinate's own forgets such news after each fetch, and the job waits for the next poll.
    """

    _told = 0

    async def _handle_notification(self, *, channel: str, notification: jobs.Notification) -> None:
        self._told += 1
        await super()._handle_notification(channel=channel, notification=notification)

    async def _fetch_and_process_jobs(self) -> None:
        heard = None
        while heard != self._told and not self._stop_event.is_set():
            heard = self._told
            await super()._fetch_and_process_jobs()
