"""How often one caller may ask: a bucket of tokens each, filled evenly, half a minute deep.

Counted in this process alone; it keeps a program gone wild from taking the server from others, and
a guesser of keys from guessing quickly. Passwords are counted apart, for all processes together.

Source: the token bucket of RFC 2697, with one rate.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass

from fastapi import FastAPI

from svod.interfaces.api.errors import TooManyRequests

MOST_BUCKETS = 10_000
REFUSED_KEYS_PER_MINUTE = 600
"""Keys that are not valid, from one address; none can be guessed, but each costs a look-up."""
_MINUTE_S = 60.0


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled_at: float


class Rates:
    """The buckets of one kind of caller; the least used are forgotten."""

    def __init__(self, per_minute: int) -> None:
        """Let each caller ask so often a minute; 0 lets him ask as he likes."""
        self._per_s = per_minute / _MINUTE_S
        self._deep = max(1.0, per_minute / 2)
        self._buckets: OrderedDict[object, _Bucket] = OrderedDict()

    def take(self, caller: object) -> None:
        """Count a request.

        Raises:
            TooManyRequests: his bucket is empty.
        """
        if self._per_s and not self._filled(caller, take=True):
            raise TooManyRequests

    def check(self, caller: object) -> None:
        """Go on only while his bucket holds something; nothing is counted.

        Raises:
            TooManyRequests: his bucket is empty.
        """
        if self._per_s and not self._filled(caller, take=False):
            raise TooManyRequests

    def _filled(self, caller: object, *, take: bool) -> bool:
        now = time.monotonic()
        bucket = self._buckets.setdefault(caller, _Bucket(self._deep, now))
        self._buckets.move_to_end(caller)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        bucket.tokens = min(self._deep, bucket.tokens + (now - bucket.filled_at) * self._per_s)
        bucket.filled_at = now
        if bucket.tokens < 1:
            return False
        bucket.tokens -= take
        return True


def limit_rates(app: FastAPI, *, per_minute: int) -> None:
    """Give an application its buckets: of principals, and of addresses whose keys are refused."""
    app.state.rates = Rates(per_minute)
    app.state.refused = Rates(REFUSED_KEYS_PER_MINUTE)


def rates_of(app: FastAPI) -> Rates:
    """The buckets of principals, by workspace and number."""
    return app.state.rates


def refused_of(app: FastAPI) -> Rates:
    """The buckets of addresses, from which keys were shown that are not valid."""
    return app.state.refused
