"""`svod worker`: a process that does jobs and answers no requests; any number beside a server."""

import asyncio

from svod.assembly import assembled
from svod.foundation.settings import Settings
from svod.foundation.telemetry import configure_logs
from svod.serve import words
from svod.serve.process import Voice, database, stop_signal
from svod.serve.running import require_whole, usable


async def work(settings: Settings, voice: Voice) -> None:
    """Do jobs until SIGINT or SIGTERM; what runs then is handed back.

    Raises:
        RestoreUnfinished: what is in the data folder is not whole.
        Unavailable: the database cannot be had.
    """
    configure_logs(settings)
    with usable(settings.data):
        require_whole(settings.data)
    stop = stop_signal()
    voice(words.DATABASE)
    async with (
        database(settings, voice) as dsn,
        assembled(settings, dsn, language=voice.language.value) as svod,
        asyncio.TaskGroup() as group,
    ):
        tasks = [group.create_task(one()) for one in (svod.work, svod.sweep_for_ever)]
        voice(words.WORKER_READY)
        await stop.wait()
        voice(words.STOPPING)
        for task in tasks:
            task.cancel()
    voice(words.STOPPED)
