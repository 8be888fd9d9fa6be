"""The door to reading: documents go to children of the parser process, and come back or fail."""

import asyncio
import itertools
import signal
import socket

import structlog

from svod.knowledge.parsing.document import ParsedDocument
from svod.knowledge.parsing.errors import (
    CorruptFile,
    EmptyFile,
    ReaderDied,
    ReadingFailed,
    ReadingOutOfMemory,
    ReadingTimedOut,
    UnpackedTooLarge,
)
from svod.knowledge.parsing.packing import packed
from svod.knowledge.parsing.running import GRACE_S, Ended, ProcessDied, Running
from svod.knowledge.parsing.wire import MOST_BYTES, UnreadableAnswer, read_answer

log = structlog.get_logger()

IDLE_S = 60.0
"""The parser process stops after this time without work."""
START_S = 90.0
"""Longest start of the parser process; it imports the readers, which takes a second when idle."""
TRIES = 2
"""A document is tried again when the parser process died, which may have been another's doing."""
MUCH_MEMORY = 0.5
"""A child that aborted with this share of its memory in use ran out of it."""
_PIECE = 1 << 18


class Parsers:
    """Reads files, several at once, each in a child with limits of its own.

    Args:
        children: Documents that are read at once.
        memory_mb: Address space of one child.
        timeout_s: Longest reading of one document, from the moment it starts.
    """

    def __init__(self, *, children: int, memory_mb: int, timeout_s: float) -> None:
        self._memory_mb = memory_mb
        self._timeout_s = timeout_s
        self._free = asyncio.Semaphore(children)
        self._starting = asyncio.Lock()
        self._running: Running | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._numbers = itertools.count(1)

    async def read(
        self, source: bytes, *, name: str, media_type: str | None = None
    ) -> ParsedDocument:
        """Read a file; cancelling the caller ends the reading at once.

        Args:
            source: Its bytes.
            name: Its name, a hint.
            media_type: What its owner says it is, a hint; for kinds of text it decides.

        Raises:
            ReadingFailed: one of its kinds, for the file's own sake; others are not affected.
        """
        if not source:
            raise EmptyFile
        for _ in range(TRIES):
            try:
                answer, trace = await self._tried(source, name, media_type)
            except ProcessDied:
                log.warning("parser process died")
                continue
            if isinstance(answer, ReadingFailed):
                log.info("file not read", code=answer.code, trace=trace)
                raise answer
            return answer
        raise ReaderDied

    async def close(self) -> None:
        """Stop the parser process and every reading in it."""
        if self._idle:
            self._idle.cancel()
        running, self._running = self._running, None
        if running:
            await running.end()

    async def _tried(
        self, source: bytes, name: str, media_type: str | None
    ) -> tuple[ParsedDocument | ReadingFailed, str]:
        await self._free.acquire()
        ended: asyncio.Future[Ended] | None = None
        try:
            running = await self._process()
            number = next(self._numbers)
            ours, theirs = socket.socketpair()
            with ours:
                with theirs:
                    ended = running.begin(number, theirs)
                # The place is free again when the child is gone, also if nobody waits for it.
                ended.add_done_callback(lambda _: self._release())
                return await self._answer(
                    running, number, ended, ours, _order(source, name, media_type), source
                )
        finally:
            if ended is None:
                self._release()

    def _release(self) -> None:
        self._free.release()
        if self._running and not self._running.jobs:
            if self._idle:
                self._idle.cancel()
            self._idle = asyncio.get_running_loop().call_later(IDLE_S, self._retire)

    def _retire(self) -> None:
        running = self._running
        if running and not running.jobs and not self._starting.locked():
            self._running = None
            running.bury()

    async def _process(self) -> Running:
        async with self._starting:
            if self._idle:
                self._idle.cancel()
            if self._running is None or not self._running.alive:
                self._running = await Running.start(
                    memory_mb=self._memory_mb, timeout_s=self._timeout_s
                )
            running = self._running
            try:
                async with asyncio.timeout(START_S):
                    await asyncio.shield(running.ready)
            except TimeoutError as error:
                running.kill()
                running.bury()
                raise ProcessDied from error
            return running

    async def _answer(
        self,
        running: Running,
        number: int,
        ended: asyncio.Future[Ended],
        ours: socket.socket,
        order: bytes,
        source: bytes,
    ) -> tuple[ParsedDocument | ReadingFailed, str]:
        try:
            async with asyncio.timeout(self._timeout_s + GRACE_S):
                answer = await _exchanged(ours, order, source)
                if answer is None:
                    running.stop(number)
                end = await asyncio.shield(ended)
        except TimeoutError as error:
            running.kill()
            running.bury()
            raise ProcessDied from error
        except BaseException:
            running.stop(number)
            raise
        if answer is None:
            return UnpackedTooLarge(limit_mb=MOST_BYTES >> 20), ""
        if not answer:
            return self._reason(end), f"signal {end.killed_by}"
        try:
            return await asyncio.to_thread(read_answer, answer)
        except UnreadableAnswer:
            return self._reason(end), f"unreadable answer, signal {end.killed_by}"

    def _reason(self, end: Ended) -> ReadingFailed:
        if end.timed_out:
            return ReadingTimedOut(timeout_s=round(self._timeout_s))
        full = end.peak_mb >= MUCH_MEMORY * self._memory_mb
        if end.killed_by == signal.SIGKILL or (end.killed_by and full):
            return ReadingOutOfMemory(limit_mb=self._memory_mb)
        return CorruptFile() if end.killed_by else ReaderDied()


def _order(source: bytes, name: str, media_type: str | None) -> bytes:
    order = packed((name[-200:], media_type, len(source)))
    return len(order).to_bytes(4, "big") + order


async def _exchanged(ours: socket.socket, order: bytes, source: bytes) -> bytearray | None:
    """Send a document and take the answer; None if that is larger than any honest one."""
    loop = asyncio.get_running_loop()
    ours.setblocking(False)
    answer = bytearray()
    try:
        await loop.sock_sendall(ours, order)
        await loop.sock_sendall(ours, source)
        while piece := await loop.sock_recv(ours, _PIECE):
            answer += piece
            if len(answer) > MOST_BYTES:
                return None
    except (BrokenPipeError, ConnectionResetError):
        # The child is gone; how it ended is told on the control socket.
        pass
    return answer
