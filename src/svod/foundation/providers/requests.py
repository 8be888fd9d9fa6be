"""What callers asked the model for, and in which order it is done."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from svod.foundation.errors import Unavailable
from svod.foundation.providers.embedding import Purpose, Vectors
from svod.foundation.providers.errors import EmbedderClosed


@dataclass(slots=True, eq=False)
class Request:
    """Texts of one call; answered in the loop of its caller, who may have left."""

    texts: Sequence[str]
    purpose: Purpose
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Vectors]
    abandoned: bool = field(default=False)

    def resolve(self, vectors: Vectors) -> None:
        """Hand over the result, from any thread."""
        self._later(lambda: self.answer.set_result(vectors))

    def fail(self, error: Unavailable) -> None:
        """Hand over a failure, from any thread; each caller gets an exception of his own."""
        self._later(lambda: self.answer.set_exception(type(error)(**error.facts)))

    def _later(self, act: Callable[[], None]) -> None:
        def unless_done() -> None:
            if not self.answer.done():
                act()

        try:
            self.loop.call_soon_threadsafe(unless_done)
        except RuntimeError:
            # The caller's loop is closed: nobody waits any more.
            self.abandoned = True


class Waiting:
    """Requests in order: what someone waits for first, then the rest, each as they came."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._asked: deque[Request] = deque()
        self._stored: deque[Request] = deque()
        self._renewed: deque[Request] = deque()
        self._closed = False

    @property
    def _lines(self) -> tuple[deque[Request], ...]:
        return (self._asked, self._stored, self._renewed)

    def add(self, request: Request) -> None:
        """Queue a request.

        Raises:
            EmbedderClosed: nothing is taken any more.
        """
        with self._changed:
            if self._closed:
                raise EmbedderClosed
            match request.purpose:
                case Purpose.STORE:
                    self._stored.append(request)
                case Purpose.RENEW:
                    self._renewed.append(request)
                case Purpose.ASK | Purpose.COMPARE:
                    self._asked.append(request)
            self._changed.notify()

    def first(self) -> Request | None:
        """Wait for a request and look at the one whose turn it is; None once closed."""
        with self._changed:
            while not self._closed:
                for line in self._lines:
                    while line and line[0].abandoned:
                        line.popleft()
                    if line:
                        return line[0]
                self._changed.wait()
            return None

    def remove(self, request: Request) -> None:
        """Take a request out, finished or failed."""
        with self._changed:
            for line in self._lines:
                if request in line:
                    line.remove(request)

    def fail_all(self, error: Unavailable) -> None:
        """Fail everybody who waits now."""
        with self._changed:
            waiting = [request for line in self._lines for request in line]
            for line in self._lines:
                line.clear()
        for request in waiting:
            request.fail(error)

    def close(self) -> None:
        """Take nothing any more and wake the thread; those who wait are failed."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.fail_all(EmbedderClosed())
