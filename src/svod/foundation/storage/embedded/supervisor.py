"""Who starts and stops the server: every process that uses it holds a share of it."""

import asyncio
import fcntl
import os
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import structlog
from psycopg.conninfo import make_conninfo

from svod.foundation.errors import Says, SvodError
from svod.foundation.storage.embedded import cluster
from svod.foundation.storage.embedded.home import Home, home_of, make_data_folder
from svod.foundation.storage.embedded.postmaster import Postmaster

_DATABASE = "svod"
_WATCH_S = 1.0

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Running:
    """How to reach the server, and what the person who started it should be told."""

    dsn: str
    notes: tuple[Says, ...]


class EmbeddedPostgres:
    """A process's share of the server of one data folder. Every method blocks.

    `kill -9` of the process leaves the server; whoever comes next uses it. The server is stopped by
    the process that finds on leaving that nobody else has a share: a lock the kernel drops with us.
    """

    def __init__(self, data: Path, *, durable: bool = True) -> None:
        """Name the data folder; nothing is done yet.

        Args:
            data: made if it does not exist.
            durable: False for tests, where a crash of the machine may lose everything.
        """
        self._data = data
        self._durable = durable
        self._share: int | None = None
        self._home: Home | None = None
        self._postmaster: Postmaster | None = None

    def start(self) -> Running:
        """Take a share; make and start the server if it is not there.

        Raises:
            ServerMissing: its programs do not run here.
            NoAccount: nobody to run it as.
            ClusterOfOtherVersion: the data is of another major version.
            DatabaseDoesNotStart: it ended while starting.
        """
        with self._alone():
            home = self._home = self._home or home_of(self._data)
            postmaster = self._postmaster = self._postmaster or Postmaster(home)
            if self._share is None:
                self._share = _open(home.folder / "postgres.lock")
                fcntl.flock(self._share, fcntl.LOCK_SH)
            cluster.create(home, durable=self._durable)
            sockets = cluster.socket_folder(home)
            if not postmaster.runs():
                cluster.configure(home, sockets, durable=self._durable)
            postmaster.start(sockets)
            return Running(_database(sockets), home.notes)

    def stop(self) -> None:
        """Give the share back; stop the server if it was the last one."""
        if self._share is None or self._home is None or self._postmaster is None:
            return
        with self._alone():
            try:
                fcntl.flock(self._share, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                pass
            else:
                self._postmaster.stop()
                cluster.forget_sockets(self._home)
            os.close(self._share)
            self._share = None

    def runs(self) -> bool:
        """Whether the server is alive."""
        return self._postmaster is not None and self._postmaster.runs()

    @contextmanager
    def _alone(self) -> Generator[None]:
        """One process at a time makes, starts or stops."""
        make_data_folder(self._data)
        gate = _open(self._data / "postgres.gate")
        try:
            fcntl.flock(gate, fcntl.LOCK_EX)
            yield
        finally:
            os.close(gate)


@asynccontextmanager
async def embedded(data: Path) -> AsyncGenerator[Running]:
    """The server of a data folder, for as long as the context lasts; started again if it dies."""
    server = EmbeddedPostgres(data)
    running = await asyncio.to_thread(server.start)
    watch = asyncio.create_task(_watch(server))
    try:
        yield running
    finally:
        watch.cancel()
        await asyncio.shield(asyncio.to_thread(server.stop))


async def _watch(server: EmbeddedPostgres) -> None:
    while True:
        await asyncio.sleep(_WATCH_S)
        if await asyncio.to_thread(server.runs):
            continue
        log.warning("storage.database_died")
        try:
            await asyncio.to_thread(server.start)
        except (SvodError, OSError, psycopg.Error) as error:
            log.error("storage.database_does_not_start", error=type(error).__name__)
        else:
            log.info("storage.database_started_again")


def _open(file: Path) -> int:
    return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _database(sockets: Path) -> str:
    """The DSN of our database, which is made if it is missing."""
    dsn = make_conninfo(host=str(sockets), port=cluster.PORT, user=cluster.USER, dbname="postgres")
    with psycopg.connect(dsn, autocommit=True) as connection:
        if not connection.execute(
            "select 1 from pg_database where datname = %s", (_DATABASE,)
        ).fetchone():
            connection.execute("create database svod")
    return make_conninfo(dsn, dbname=_DATABASE)
