"""A server as one process or as several, whose parts are killed and started again apart."""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from server import ROOT, Server, free_port
from svod.foundation.storage.embedded.home import home_of

WORKERS = 2


@dataclass
class Deployment:
    """What runs: a server that answers and perhaps works, workers beside it, and their database."""

    api: Server
    split: bool
    workers: list[subprocess.Popen[bytes] | None] = field(default_factory=list)

    def start(self) -> None:
        """Start everything."""
        self.api.start()
        self.workers = [self._worker() for _ in range(WORKERS * self.split)]

    def kill_something(self, chance: random.Random) -> str:
        """Kill one part, or all of them at once, as a crash would, and start it again; which it was."""
        parts = ["server", "server", "server", "database", "all"]
        parts += ["worker"] * (4 * self.split)
        part = chance.choice(parts)
        if part in {"server", "all"}:
            self.api.kill()
        if part == "worker":
            self._kill_worker(chance.randrange(WORKERS))
        if part == "all":
            for number in range(len(self.workers)):
                self._kill_worker(number)
        if part in {"database", "all"}:
            self._kill_database()
        if part in {"server", "all"}:
            self.api.start()
        else:
            self.api.wait_ready()
        self.workers = [worker or self._worker() for worker in self.workers]
        return part

    def stop(self) -> None:
        """As Ctrl-C would."""
        for worker in self.workers:
            if worker is not None and worker.poll() is None:
                worker.send_signal(signal.SIGTERM)
                worker.wait(timeout=60)
        self.api.stop()

    def _kill_worker(self, number: int) -> None:
        worker = self.workers[number]
        if worker is not None:
            worker.kill()
            worker.wait()
        self.workers[number] = None

    def _kill_database(self) -> None:
        try:
            pid = home_of(self.api.data).cluster.joinpath("postmaster.pid").read_text().split()[0]
            os.kill(int(pid), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass  # it is down already, since its last kill

    def _worker(self) -> subprocess.Popen[bytes]:
        with (self.api.data.parent / "workers.log").open("ab") as sink:
            return subprocess.Popen(
                [sys.executable, "-m", "svod", "worker"],
                cwd=ROOT,
                env=self.api.environment,
                stdout=sink,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )


@contextmanager
def deployment(*, split: bool, **settings: str) -> Generator[Deployment]:
    """A running deployment with a fresh data folder."""
    folder = Path(tempfile.mkdtemp(prefix="svod-bench-"))
    folder.chmod(0o711)
    (folder / "data").mkdir(mode=0o711)
    port = free_port()
    environment = dict(os.environ) | {  # noqa: TID251 - handed on to the server
        "SVOD_DATA": str(folder / "data"),
        "SVOD_PORT": str(port),
        "SVOD_LOG_LEVEL": "warning",
        # This checkout's code, whichever is installed.
        "PYTHONPATH": str(ROOT / "src"),
        **settings,
    }
    options = ("--api-only",) if split else ()
    running = Deployment(Server(folder / "data", port, environment, options=options), split)
    try:
        running.start()
        yield running
    finally:
        running.stop()
        shutil.rmtree(folder, ignore_errors=True)
