"""A real server of this checkout for a benchmark: its own data folder, a free port, stopped at the end."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from svod.client import Client

ROOT = Path(__file__).resolve().parent.parent
_LONGEST_START_S = 300


@dataclass
class Server:
    """A server process, which may be killed and started again on the same data."""

    data: Path
    port: int
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    options: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and come back when words are searched."""
        with (self.data.parent / f"{self.data.name}.log").open("ab") as sink:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "svod", "up", *self.options],
                cwd=ROOT,
                env=self.environment,
                stdout=sink,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.wait_ready()

    def wait_ready(self) -> None:
        """Until it answers."""
        deadline = time.monotonic() + _LONGEST_START_S
        while time.monotonic() < deadline:
            if self.process is not None and self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode}")
            try:
                if self.client().ready().status == "ready":
                    return
            except Exception:  # noqa: BLE001, S110 - it is starting
                pass
            time.sleep(0.1)
        raise TimeoutError("the server did not become ready")

    def client(self) -> Client:
        """A client with the owner's key."""
        key = (
            (self.data / "cli.key").read_text().strip()
            if (self.data / "cli.key").exists()
            else None
        )
        return Client(self.url, key)

    def kill(self) -> None:
        """As a crash would: no farewell, the database left running."""
        if self.process is not None:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self) -> None:
        """As Ctrl-C would."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=60)


@contextmanager
def server(**settings: str) -> Generator[Server]:
    """A running server with a fresh data folder; `settings` are environment variables."""
    folder = Path(tempfile.mkdtemp(prefix="svod-bench-"))
    port = free_port()
    environment = dict(os.environ) | {  # noqa: TID251 - handed on to the server
        "SVOD_DATA": str(folder / "data"),
        "SVOD_PORT": str(port),
        "SVOD_LOG_LEVEL": "warning",
        # This checkout's code, whichever is installed.
        "PYTHONPATH": str(ROOT / "src"),
        **settings,
    }
    running = Server(folder / "data", port, environment)
    try:
        running.start()
        yield running
    finally:
        running.stop()
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
