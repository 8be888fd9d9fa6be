"""One parser process as the server sees it, from its start to its end."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from dataclasses import dataclass, field
from typing import Self, cast

import structlog

from svod.knowledge.parsing.packing import packed, unpacked

log = structlog.get_logger()

GRACE_S = 15.0
"""How much later than a document's deadline the parser process itself counts as stuck."""
_NEWS = 4096


class ProcessDied(Exception):
    """The parser process is gone, and with it the child."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended: the signal that killed it or 0, whether it was late, its peak of memory."""

    killed_by: int
    timed_out: bool
    peak_mb: int


@dataclass(slots=True)
class Running:
    """One parser process, from its start to its end."""

    process: asyncio.subprocess.Process
    control: socket.socket
    ready: asyncio.Future[None]
    jobs: dict[int, asyncio.Future[Ended]] = field(default_factory=dict[int, asyncio.Future[Ended]])
    alive: bool = True

    @classmethod
    async def start(cls, *, memory_mb: int, timeout_s: float) -> Self:
        """Start a process by exec; it takes documents as soon as it has told that it is ready."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)
        loop = asyncio.get_running_loop()
        with theirs:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "svod.knowledge.parsing.process"),
                *(str(theirs.fileno()), str(memory_mb), str(timeout_s)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                # The keys in the server's environment are none of a parser's business.
                env={
                    "PATH": os.defpath,
                    "LANG": "C.UTF-8",
                    "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
                    "RAYON_NUM_THREADS": "1",
                    "MALLOC_ARENA_MAX": "2",
                },
                cwd="/",
                start_new_session=True,
            )
        running = cls(process, ours, loop.create_future())
        loop.add_reader(ours.fileno(), running.hear)
        return running

    def hear(self) -> None:
        """Take what the parser process tells; called by the loop."""
        try:
            news = self.control.recv(_NEWS)
        except BlockingIOError:
            return
        except OSError:
            news = b""
        if not news:
            self.bury()
            return
        # It is our own process that tells this, from a fixed set of words and numbers.
        told = cast("dict[str, int]", unpacked(news))
        if "ready" in told and not self.ready.done():
            log.info("parser process started", pid=self.process.pid, offline=bool(told["offline"]))
            self.ready.set_result(None)
        elif (job := self.jobs.pop(told.get("ended", -1), None)) and not job.done():
            job.set_result(Ended(told["signal"], bool(told["timed_out"]), told["peak_mb"]))

    def bury(self) -> None:
        """Give up this process: every document in it fails over."""
        if not self.alive:
            return
        self.alive = False
        asyncio.get_running_loop().remove_reader(self.control.fileno())
        self.control.close()
        for waiting in (self.ready, *self.jobs.values()):
            if not waiting.done():
                waiting.set_exception(ProcessDied())
                # Nobody may be waiting any more.
                waiting.exception()
        self.jobs.clear()

    def begin(self, number: int, theirs: socket.socket) -> asyncio.Future[Ended]:
        """Order a child for a job, and get what will tell its end."""
        try:
            socket.send_fds(self.control, [packed({"read": number})], [theirs.fileno()])
        except OSError as error:
            self.bury()
            raise ProcessDied from error
        ended = asyncio.get_running_loop().create_future()
        self.jobs[number] = ended
        return ended

    def stop(self, number: int) -> None:
        """Order a child's end."""
        if self.alive and number in self.jobs:
            try:
                self.control.send(packed({"stop": number}))
            except OSError:
                self.bury()

    async def end(self) -> None:
        """Close the control socket, on which the process ends with all its children."""
        self.bury()
        try:
            async with asyncio.timeout(GRACE_S):
                await self.process.wait()
        except TimeoutError:
            self.kill()
            await self.process.wait()

    def kill(self) -> None:
        """End it at once."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
