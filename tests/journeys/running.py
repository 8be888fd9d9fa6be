"""A server in a process of its own, as a person starts it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from svod.client import Client

ROOT = Path(__file__).parents[2]
LONGEST_COMMAND_S = 250.0


@dataclass
class Ended:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


@dataclass
class Machine:
    """A data folder, the environment of whoever uses it, and the server that works on it."""

    data: Path
    embeddings: str = "none"
    language: str = "en"
    extra: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    process: subprocess.Popen[str] | None = None
    _listening: threading.Thread = field(default_factory=threading.Thread)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": os.defpath,
            "HOME": str(self.data.parent),
            "SVOD_DATA": str(self.data),
            "SVOD_EMBEDDINGS": self.embeddings,
            "SVOD_LANG": self.language,
            "PYTHONUTF8": "1",
            # This checkout's code, whichever is installed.
            "PYTHONPATH": str(ROOT / "src"),
        } | self.extra

    @property
    def own_url(self) -> str | None:
        """Where the process said that it listens."""
        ready = [line for line in self.said if re.match(r"(Ready|Готово): http", line)]
        return ready[-1].split(": ", 1)[1] if ready else None

    @property
    def url(self) -> str:
        return json.loads((self.data / "server.json").read_text())["url"]

    @property
    def key(self) -> str:
        return (self.data / "cli.key").read_text().strip()

    def client(self) -> Client:
        return Client(self.own_url or self.url, self.key)

    def up(self, *options: str, port: int = 0) -> None:
        """Start it in the foreground, and wait until it answers."""
        process = self.start("up", "--port", str(port), *options)
        wait_for(
            lambda: "\n".join(self.said),
            lambda: process.poll() is not None or self._announced(process.pid),
            within_s=LONGEST_COMMAND_S,
        )
        assert process.poll() is None, "\n".join(self.said)

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a process in the foreground, and listen to what it says."""
        self.said = []
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "svod", *command],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.process = process
        self._listening = threading.Thread(target=self._listen)
        self._listening.start()
        return process

    def stop(self, how: int = signal.SIGINT) -> int:
        """Press Ctrl-C; the exit code."""
        assert self.process is not None
        self.process.send_signal(how)
        code = self.process.wait(timeout=60)
        self._listening.join()
        self.process = None
        return code

    def _listen(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip())

    def _announced(self, pid: int) -> bool:
        try:
            return json.loads((self.data / "server.json").read_text())["pid"] == pid
        except (OSError, ValueError):
            return False

    def close(self) -> None:
        """Leave nothing running."""
        if self.process is not None:
            self.stop(signal.SIGTERM)

    def __call__(self, *arguments: str | Path) -> Ended:
        """Run a command to its end."""
        ended = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "svod", *map(str, arguments)],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST_COMMAND_S,
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    def lines(self, *arguments: str | Path) -> list[dict[str, object]]:
        """The JSON lines that a command prints."""
        return [json.loads(line) for line in self(*arguments, "--json").out.splitlines()]


def wait_for(
    what: Callable[[], str], happened: Callable[[], bool], *, within_s: float = 60.0
) -> None:
    """Look again and again until something has happened."""
    deadline = time.monotonic() + within_s
    while not happened():
        assert time.monotonic() < deadline, what()
        time.sleep(0.05)


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]
