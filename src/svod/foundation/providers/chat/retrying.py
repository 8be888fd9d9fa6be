"""Trying again: how often, after which failures, and how long to wait between."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from svod.foundation.providers.chat.errors import ModelRejected, ModelUnreachable

MOST_TRIES = 5
_GROWTH = 2.0

Got = TypeVar("Got")


class TryFailed(Exception):
    """One try failed.

    `passing` says that another may succeed; `retry_after_s` is how long the endpoint asked to wait.
    """

    def __init__(self, reason: str, *, passing: bool, retry_after_s: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.passing = passing
        self.retry_after_s = retry_after_s


def _spread() -> float:
    """0.5 to 1.5, so that many who failed together do not come back together."""
    return 0.5 + secrets.randbelow(1001) / 1000


@dataclass(frozen=True, slots=True)
class Retries:
    """A policy: up to `tries`, with waits that double and are spread out.

    An endpoint that asks for a longer wait than `longest_wait_s` is given up at once: someone waits
    for the answer.
    """

    tries: int = MOST_TRIES
    first_wait_s: float = 0.5
    longest_wait_s: float = 20.0
    spread: Callable[[], float] = _spread
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def run(self, attempt: Callable[[], Awaitable[Got]]) -> Got:
        """What the first try that succeeds gives; an attempt fails by `TryFailed`.

        Raises:
            ModelRejected: a try failed as every other would.
            ModelUnreachable: the last try failed, or too long a wait was asked for.
        """
        for number in range(1, self.tries + 1):
            try:
                return await attempt()
            except TryFailed as failed:
                if not failed.passing:
                    raise ModelRejected(reason=failed.reason) from None
                wait_s = self._wait_s(number, failed.retry_after_s)
                if number == self.tries or wait_s > self.longest_wait_s:
                    raise ModelUnreachable(reason=failed.reason, tries=number) from None
            await self.sleep(wait_s)
        raise AssertionError("the last try returns or raises")

    def _wait_s(self, number: int, asked_s: float | None) -> float:
        if asked_s is not None:
            return asked_s
        wait_s = self.first_wait_s * _GROWTH ** (number - 1) * self.spread()
        return min(wait_s, self.longest_wait_s)
