"""The parser process: imports the readers once, then forks one limited child a document.

    python -m svod.knowledge.parsing.process <control socket> <memory MB> <timeout s>

It is started by exec, has one thread, and never opens a document itself. Over the control socket
it is told to read (with the socket of the job) or to stop a job, and tells how each one ended.
The bytes of a document go straight to its child and the answer straight back. When the control
socket closes, because the server stopped or was killed, everything here ends.
"""

import gc
import importlib
import os
import selectors
import signal
import socket
import sys
import time
import traceback
from dataclasses import dataclass, field
from typing import NoReturn, cast

from svod.knowledge.parsing.errors import CorruptFile, ReadingFailed, ReadingOutOfMemory
from svod.knowledge.parsing.formats import FORMATS
from svod.knowledge.parsing.limits import Limits, confine, leave_network
from svod.knowledge.parsing.packing import packed, unpacked
from svod.knowledge.parsing.reading import read_document
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.wire import packed_document, packed_failure

LONGEST_ORDER = 4096
_FRAMES = 3
_KEPT = 3
"""The first descriptor after input, output and errors: the only other one that a child has."""


@dataclass(slots=True)
class _Job:
    number: int
    deadline: float
    timed_out: bool = False


@dataclass(slots=True)
class _ParserProcess:
    control: socket.socket
    limits: Limits
    jobs: dict[int, _Job] = field(default_factory=dict[int, _Job])
    """Running children, by process id."""

    def run(self) -> None:
        for format_ in FORMATS:
            for module in format_.loads:
                importlib.import_module(module)
        offline = leave_network()
        gc.collect()
        gc.freeze()
        awake, wake = socket.socketpair()
        for end in (awake, wake, self.control):
            end.setblocking(False)
        signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _noted)
        selector = selectors.DefaultSelector()
        selector.register(self.control, selectors.EVENT_READ)
        selector.register(awake, selectors.EVENT_READ)
        self._tell({"ready": True, "offline": offline})
        while True:
            for key, _ in selector.select(self._patience()):
                if key.fileobj is awake:
                    awake.recv(LONGEST_ORDER)
                elif not self._obey():
                    return
            self._reap()
            self._stop_late()

    def _patience(self) -> float | None:
        deadlines = [job.deadline for job in self.jobs.values() if not job.timed_out]
        return max(0.0, min(deadlines) - time.monotonic()) if deadlines else None

    def _tell(self, news: dict[str, object]) -> None:
        try:
            self.control.send(packed(news))
        except (BrokenPipeError, ConnectionResetError):
            self._end()

    def _obey(self) -> bool:
        """Do what the server ordered; False when there is no server any more."""
        try:
            order, sockets, _, _ = socket.recv_fds(self.control, LONGEST_ORDER, 1)
        except BlockingIOError:
            return True
        except ConnectionResetError:
            order, sockets = b"", []
        if not order:
            self._kill_all()
            return False
        told = cast("dict[str, int]", unpacked(order))
        if "read" in told:
            self._start(told["read"], sockets[0])
        for pid, job in self.jobs.items():
            if job.number == told.get("stop"):
                _kill(pid)
        return True

    def _start(self, number: int, descriptor: int) -> None:
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            self._become_child(descriptor, parent)
        os.close(descriptor)
        self.jobs[pid] = _Job(number, time.monotonic() + self.limits.timeout_s)

    def _become_child(self, descriptor: int, parent: int) -> NoReturn:
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            confine(self.limits, parent=parent)
            job = _only(descriptor)
            _read_one(job, self.limits)
        except BaseException:  # noqa: BLE001  whatever it is, this process must not go on as its parent
            os._exit(1)
        os._exit(0)

    def _reap(self) -> None:
        while self.jobs:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
            if pid == 0:
                return
            job = self.jobs.pop(pid, None)
            if job is None:
                continue
            killed_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
            self._tell(
                {
                    "ended": job.number,
                    "signal": killed_by,
                    "timed_out": job.timed_out or killed_by == signal.SIGXCPU,
                    "peak_mb": usage.ru_maxrss >> 10,
                }
            )

    def _stop_late(self) -> None:
        for pid, job in self.jobs.items():
            if job.deadline <= time.monotonic() and not job.timed_out:
                job.timed_out = True
                _kill(pid)

    def _kill_all(self) -> None:
        for pid in self.jobs:
            _kill(pid)

    def _end(self) -> NoReturn:
        self._kill_all()
        os._exit(0)


def _noted(_signal: int, _frame: object) -> None:
    """The number of the signal goes to the wakeup descriptor; there is nothing more to do."""


def _kill(pid: int) -> None:
    """Kill a child and whatever it started. It is not reaped yet, so its number is still its own."""
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def _only(descriptor: int) -> socket.socket:
    """The child's end of its job, with every other descriptor gone and output to nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    if descriptor != _KEPT:
        os.dup2(descriptor, _KEPT)
    os.closerange(_KEPT + 1, os.sysconf("SC_OPEN_MAX"))
    return socket.socket(fileno=_KEPT)


def _read_one(job: socket.socket, limits: Limits) -> None:
    # Made before memory can run out.
    out_of_memory = packed_failure(ReadingOutOfMemory(limit_mb=limits.memory_mb))
    try:
        with job.makefile("rb") as stream:
            size = int.from_bytes(stream.read(4), "big")
            name, media_type, length = cast(
                "tuple[str, str | None, int]", unpacked(stream.read(size))
            )
            content = stream.read(length)
        if len(content) < length:
            return
        source = Source(content, name, media_type)
        answer = packed_document(read_document(source))
    except MemoryError:
        answer = out_of_memory
    except ReadingFailed as failure:
        answer = out_of_memory if isinstance(failure, ReadingOutOfMemory) else _failed(failure)
    except Exception as error:  # noqa: BLE001  the edge of the process; told as what it is to a person
        answer = _failed(CorruptFile(), error)
    job.sendall(answer)


def _failed(failure: ReadingFailed, error: BaseException | None = None) -> bytes:
    cause = error or failure.__cause__
    return packed_failure(failure, _trace(cause) if cause else "")


def _trace(error: BaseException) -> str:
    """Where an error came from: its class and lines of code, never its message, which may hold text."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    places = " < ".join(f"{os.path.basename(f.filename)}:{f.lineno}" for f in reversed(frames))  # noqa: PTH119
    return f"{type(error).__name__} at {places}"


def main(arguments: list[str]) -> None:
    """Serve until the control socket closes."""
    descriptor, memory_mb, timeout_s = arguments
    control = socket.socket(fileno=int(descriptor))
    _ParserProcess(control, Limits(int(memory_mb), float(timeout_s))).run()


if __name__ == "__main__":
    main(sys.argv[1:])
