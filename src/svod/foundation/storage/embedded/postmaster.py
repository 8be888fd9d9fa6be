"""The server's process: started detached, recognised after a crash, stopped in order."""

import os
import signal
import subprocess
import time
from pathlib import Path

from svod.foundation.storage.embedded import cluster
from svod.foundation.storage.embedded.home import Home
from svod.foundation.storage.errors import DatabaseDoesNotStart

_LONGEST_RECOVERY_S = 600
_OLD_BACKENDS_S = 30
"""How long backends of a killed server may take to notice that it is gone."""
_STOP_S = 60
_PAUSE_S = 0.02
_STATE = 7
"""The line of postmaster.pid, counted from 0, that says what the server is doing."""
_LARGEST_LOG = 5 * 2**20


class Postmaster:
    """The server process of one cluster, whoever started it."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._child: subprocess.Popen[bytes] | None = None

    def runs(self) -> bool:
        """Whether the server of this cluster is alive."""
        if self._child:
            # Reaped here, or its number would look alive to the next server.
            self._child.poll()
        pid = self._pid()
        return pid is not None and _is_server(pid, self._home.cluster)

    def start(self, sockets: Path) -> None:
        """Start the server, unless it runs, and wait until it takes connections.

        Raises:
            DatabaseDoesNotStart: it ends again and again while starting.
        """
        give_up = time.monotonic() + _OLD_BACKENDS_S
        while not self.runs():
            # A number left by a killed server may by now be anybody's; PostgreSQL would wait for
            # its end. Backends that still live are found by it through the shared memory.
            self._file("postmaster.pid").unlink(missing_ok=True)
            for left in sockets.glob(".s.PGSQL.*"):
                left.unlink()
            self._launch()
            if self._becomes_ready():
                return
            if time.monotonic() > give_up:
                raise DatabaseDoesNotStart(reason=self._last_words(), log=self._home.log)
            time.sleep(0.3)
        if not self._becomes_ready():
            self.start(sockets)

    def stop(self) -> None:
        """Stop the server in order: sessions are ended, what is committed is written."""
        for how, patience_s in ((signal.SIGINT, _STOP_S), (signal.SIGQUIT, _STOP_S)):
            pid = self._pid()
            if pid is None or not self.runs():
                return
            os.kill(pid, how)
            end = time.monotonic() + patience_s
            while self.runs() and time.monotonic() < end:
                time.sleep(_PAUSE_S)

    def _launch(self) -> None:
        log = self._home.log
        if log.exists() and log.stat().st_size > _LARGEST_LOG:
            log.replace(log.with_suffix(".log.1"))
        with log.open("ab") as out:
            log.chmod(0o600)
            self._child = subprocess.Popen(  # noqa: S603 - our own command
                [str(self._home.programs / "postgres"), "-D", str(self._home.cluster)],
                cwd="/",
                env=cluster.environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                # A Ctrl-C in the terminal is for us; the last of us stops the server.
                start_new_session=True,
                **self._home.account.options(),
            )

    def _becomes_ready(self) -> bool:
        end = time.monotonic() + _LONGEST_RECOVERY_S
        while time.monotonic() < end:
            if self._child and self._child.poll() is not None and not self.runs():
                return False
            if any(line.strip() == "ready" for line in self._lines()[_STATE:]):
                return True
            if self._child is None and not self.runs():
                return False
            time.sleep(_PAUSE_S)
        raise DatabaseDoesNotStart(reason=self._last_words(), log=self._home.log)

    def _pid(self) -> int | None:
        lines = self._lines()
        return abs(int(lines[0])) if lines and lines[0].lstrip("-").isdigit() else None

    def _lines(self) -> list[str]:
        try:
            return self._file("postmaster.pid").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []

    def _file(self, name: str) -> Path:
        return self._home.cluster / name

    def _last_words(self) -> str:
        try:
            lines = self._home.log.read_text(encoding="utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return ""
        return " ".join(lines[-3:])


def _is_server(pid: int, folder: Path) -> bool:
    """Whether a process is the server of a cluster and alive, not a dead one unreaped."""
    process = Path(f"/proc/{pid}")
    try:
        name, _, rest = (process / "stat").read_text(encoding="utf-8").rpartition(")")
        if not name.endswith("(postgres") or rest.split()[0] in {"Z", "X"}:
            return False
        # The number may have gone to the server of another cluster, which works in its own folder.
        return (process / "cwd").readlink() == folder.resolve()
    except PermissionError:
        return True
    except FileNotFoundError:
        if Path("/proc/self").exists():
            return False
    answer = subprocess.run(  # noqa: S603 - our own command; for systems without /proc
        ["/bin/ps", "-o", "stat=,comm=", "-p", str(pid)],
        check=False,
        capture_output=True,
        text=True,
    )
    state, _, name = answer.stdout.strip().partition(" ")
    return bool(state) and not state.startswith("Z") and name.strip().endswith("postgres")
