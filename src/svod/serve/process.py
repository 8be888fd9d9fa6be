"""`svod up`: everything in one process, in the foreground, until Ctrl-C."""

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version

import structlog
import uvicorn

from svod.assembly import Svod, assembled
from svod.foundation.errors import Language, Says, SvodError
from svod.foundation.settings import Settings
from svod.foundation.storage import embedded
from svod.foundation.telemetry import configure_logs
from svod.interfaces.api.app import make_app
from svod.interfaces.api.rooms import Rooms
from svod.serve import words
from svod.serve.listening import take_port, url_of
from svod.serve.local_key import ensure_local_key
from svod.serve.running import DataFolder, require_whole

log = structlog.get_logger()

_DRAIN_S = 10


@dataclass(frozen=True, slots=True)
class Voice:
    """Tells the person at the terminal, in his language."""

    say: Callable[[str], None]
    language: Language

    def __call__(self, sentence: Says, **facts: object) -> None:
        """Say one line."""
        self.say(sentence.text(self.language, **facts))


async def run(settings: Settings, voice: Voice, *, works: bool = True) -> None:
    """Serve until SIGINT or SIGTERM, then stop cleanly.

    Args:
        settings: of this process.
        voice: takes what is said to the person who started it.
        works: False to answer requests only and leave the work to other processes; then any number
            of such processes share a data folder, and the first of them is the one that is announced.

    Raises:
        AlreadyRunning: another server works on the data folder.
        RestoreUnfinished: what is in the data folder is not whole.
        PortTaken, AddressNotOurs: the address cannot be had.
        Unavailable: the database cannot be.
    """
    configure_logs(settings)
    folder = DataFolder(settings.data, shared=not works)
    try:
        require_whole(settings.data)
        with contextlib.closing(take_port(settings.host, settings.port)) as taken:
            voice(words.STARTING, version=version("svod"), data=settings.data)
            voice(words.DATABASE)
            async with (
                database(settings, voice) as dsn,
                assembled(settings, dsn, language=voice.language.value) as svod,
            ):
                await ensure_local_key(svod.workspaces, settings.data)
                await _serve(svod, taken, folder, voice, works=works)
        voice(words.STOPPED)
    finally:
        folder.release()


@asynccontextmanager
async def database(settings: Settings, voice: Voice) -> AsyncGenerator[str]:
    """The address of the database: the external one that is set, else the embedded one, started."""
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
        return
    async with embedded(settings.data) as running:
        for note in running.notes:
            voice(note)
        yield running.dsn


async def _serve(
    svod: Svod, taken: socket.socket, folder: DataFolder, voice: Voice, *, works: bool
) -> None:
    app = make_app(rooms_of(svod))
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=_DRAIN_S,
    )
    server = _Server(config)
    url = url_of(taken)
    stop = stop_signal()
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(server.serve(sockets=[taken]))
        others = [group.create_task(_warm(svod, voice))]
        if works:
            others += [group.create_task(one()) for one in (svod.work, svod.sweep_for_ever)]
        await server.ready.wait()
        folder.announce(url)
        voice(words.READY, url=url)
        if not works:
            voice(words.API_ONLY)
        secret = await svod.workspaces.make_setup_link()
        if secret is not None:
            voice(words.SETUP, link=f"{url}/setup?token={secret}")
        if sys.stdout.isatty():
            voice(words.STOP_WITH)
        await stop.wait()
        voice(words.STOPPING)
        for task in others:
            task.cancel()
        server.should_exit = True
        await serving


def stop_signal() -> asyncio.Event:
    """Set when this process is asked to stop."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    return stop


def rooms_of(svod: Svod) -> Rooms:
    """What the REST interface opens onto."""
    return Rooms(
        workspaces=svod.workspaces,
        domains=svod.domains,
        members=svod.members,
        tenants=svod.tenants,
        items=svod.items,
        retrieval=svod.retrieval,
        contexts=svod.contexts,
        answering=svod.answering,
        judging=svod.judging,
        replies=svod.replies,
        rotations=svod.rotations,
        sign_in=svod.sign_in,
        browsers=svod.sign_in.browsers,
        audit=svod.audit,
        requests_per_minute=svod.settings.requests_per_minute,
        health=svod.readiness,
        hosts=frozenset({svod.settings.host}),
    )


async def _warm(svod: Svod, voice: Voice) -> None:
    async with asyncio.TaskGroup() as group:
        if svod.chat is not None:
            group.create_task(svod.chat.warm())
        group.create_task(_warm_meaning(svod, voice))


async def _warm_meaning(svod: Svod, voice: Voice) -> None:
    if svod.embedder is None:
        return
    if not svod.embedder.ready:
        voice(words.MODEL_LOADING)
    try:
        await svod.embedder.warm()
    except SvodError as error:
        voice(words.MODEL_MISSING, why=error.message(voice.language))
    else:
        voice(words.MODEL_READY)
    await svod.keep_ready()


class _Server(uvicorn.Server):
    """Leaves signals to us: it would raise them again after stopping, before the database stops."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        self.ready.set()

    @contextlib.contextmanager
    def capture_signals(self):
        yield
