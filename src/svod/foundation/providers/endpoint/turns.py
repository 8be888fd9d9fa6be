"""Whose call goes next: what someone waits for overtakes, and calls at once are bounded."""

import asyncio
import heapq
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from svod.foundation.providers.embedding import Purpose

_RANKS = {Purpose.ASK: 0, Purpose.COMPARE: 0, Purpose.STORE: 1, Purpose.RENEW: 2}
_WAITED_FOR = 0


class Turns:
    """At most `most` calls at once, one place of which is kept for what someone waits for."""

    def __init__(self, most: int) -> None:
        """Start with every place free; `most` is 2 or more."""
        self._most = most
        self._taken = 0
        self._count = 0
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def turn(self, purpose: Purpose) -> AsyncGenerator[None]:
        """Hold a place while within."""
        await self._wait(_RANKS[purpose])
        try:
            yield
        finally:
            self._taken -= 1
            self._wake()

    async def _wait(self, rank: int) -> None:
        if self._fits(rank) and not any(other <= rank for other, _, _ in self._waiting):
            self._taken += 1
            return
        self._count += 1
        place = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (rank, self._count, place))
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                # It was given a place and left in the same moment.
                self._taken -= 1
            self._wake()
            raise

    def _fits(self, rank: int) -> bool:
        return self._taken < (self._most if rank == _WAITED_FOR else self._most - 1)

    def _wake(self) -> None:
        while self._waiting:
            rank, _, place = self._waiting[0]
            if place.cancelled():
                heapq.heappop(self._waiting)
                continue
            if not self._fits(rank):
                return
            heapq.heappop(self._waiting)
            self._taken += 1
            place.set_result(None)
