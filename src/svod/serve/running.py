"""The server of a data folder: one at a time, and where the running one is to be found."""

import fcntl
import json
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from svod.foundation.errors import Conflict, Says
from svod.foundation.storage.backup.errors import RestoreUnfinished
from svod.foundation.storage.embedded.home import make_data_folder

_FILE = "server.json"
LOCK = "server.lock"
UNFINISHED = "restore.unfinished"
"""Stands in a data folder from the beginning of a restore to its end."""


class AlreadyRunning(Conflict):
    """Another server works on this data folder."""

    code = "serve.already_running"
    says = Says(
        "Svod already runs on this data folder: {url} (pid {pid}).",
        "Svod уже работает с этой папкой данных: {url} (pid {pid}).",
    )


class DataFolderUnusable(Conflict):
    """The data folder cannot be made, or not be written to."""

    code = "serve.data_folder_unusable"
    says = Says(
        "The data folder {data} cannot be used: {why}.",
        "Папку данных {data} использовать нельзя: {why}.",
    )
    hint = Says(
        "Give this user the right to write there, or choose another with SVOD_DATA.",
        "Дайте этому пользователю право записи в неё или выберите другую в SVOD_DATA.",
    )


@dataclass(frozen=True, slots=True)
class Running:
    """Where a server is."""

    url: str
    pid: int


class DataFolder:
    """A data folder held by one server, for as long as its process lives."""

    def __init__(self, data: Path, *, shared: bool = False) -> None:
        """Hold the folder; made if it does not exist.

        Args:
            data: the folder.
            shared: one that only answers requests joins a server that is there.

        Raises:
            AlreadyRunning: another process holds it.
            DataFolderUnusable: it cannot be made, or not be written to.
        """
        self._file = data / _FILE
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        with usable(data):
            self._lock = os.open(data / LOCK, flags, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._announces = True
        except BlockingIOError:
            self._announces = False
            if shared:
                return
            os.close(self._lock)
            running = find_running(data) or Running("…", 0)
            raise AlreadyRunning(url=running.url, pid=running.pid) from None

    def announce(self, url: str) -> None:
        """Write down where the server is, for clients on this machine, unless one is announced."""
        if not self._announces:
            return
        text = json.dumps(asdict(Running(url, os.getpid())))
        fresh = self._file.with_suffix(".new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(self._file)

    def release(self) -> None:
        """Let the next one in."""
        if self._announces:
            self._file.unlink(missing_ok=True)
        os.close(self._lock)


def require_whole(data: Path) -> None:
    """Go on only if no restore into the data folder was broken off.

    Raises:
        RestoreUnfinished: one was.
    """
    if (data / UNFINISHED).exists():
        raise RestoreUnfinished(data=data)


@contextmanager
def usable(data: Path) -> Generator[None]:
    """The data folder, made if it does not exist, for a first use of it.

    Raises:
        DataFolderUnusable: making or using it failed.
    """
    try:
        make_data_folder(data)
        yield
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise DataFolderUnusable(data=data, why=why) from None


def find_running(data: Path) -> Running | None:
    """Where the server of a data folder said it is; it may be gone since."""
    try:
        return Running(**json.loads((data / _FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
