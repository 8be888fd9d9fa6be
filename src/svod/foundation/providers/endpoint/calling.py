"""One POST to an endpoint, tried again while that may help."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from secrets import SystemRandom

import httpx2
import structlog

from svod.foundation.clock import SystemClock
from svod.foundation.providers.endpoint.reply import error_code
from svod.foundation.providers.errors import (
    EndpointBusy,
    EndpointFailed,
    EndpointKeyRefused,
    EndpointRefused,
    EndpointUnfit,
    EndpointUnreachable,
)

log = structlog.get_logger()

_LONGEST_WAIT_S = 60.0
_MOST_BYTES = 64 << 20
_TRANSIENT = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_OF_THE_KEY = {401, 403}
_CHANCE = SystemRandom()


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a call may take: one try, and all of them."""

    tries: int
    timeout_s: float


PATIENT = Patience(tries=5, timeout_s=90.0)
HURRIED = Patience(tries=2, timeout_s=15.0)
"""For what someone waits for: words alone serve him better than a late vector."""


class Calling:
    """Speaks to one endpoint: no redirects, every failure told as ours."""

    def __init__(self, url: str, key: str | None, *, first_wait_s: float) -> None:
        """Get ready; nothing is sent yet.

        Args:
            url: of the embeddings operation.
            key: sent as a bearer token.
            first_wait_s: before the second try; it doubles from try to try, with chance added.
        """
        self._url = url
        self._first_wait_s = first_wait_s
        self._rest_until = 0.0
        self._client = httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            limits=httpx2.Limits(max_connections=16, max_keepalive_connections=8),
        )

    async def post(self, body: bytes, patience: Patience) -> bytes:
        """The body of a good reply.

        Raises:
            EndpointFailed: none came, after the tries that the failure deserves.
        """
        attempt = 0
        while True:
            attempt += 1
            if patience is PATIENT:
                await self._rest()
            try:
                return await self._once(body, patience.timeout_s)
            except EndpointFailed as failure:
                may_help = isinstance(failure, EndpointBusy | EndpointUnreachable)
                if not may_help or attempt >= patience.tries:
                    raise
                wait_s = self._wait_s(attempt, failure)
                if patience is not PATIENT and wait_s > patience.timeout_s:
                    raise
                log.info("model.tried_again", code=failure.code, attempt=attempt)
                await asyncio.sleep(wait_s)

    async def close(self) -> None:
        """Let the connections go."""
        await self._client.aclose()

    async def _once(self, body: bytes, timeout_s: float) -> bytes:
        try:
            # The client's own limits are for each read; a server that drips would hold us for ever.
            async with (
                asyncio.timeout(timeout_s),
                self._client.stream(
                    "POST",
                    self._url,
                    content=body,
                    headers={"Content-Type": "application/json"},
                    timeout=timeout_s,
                ) as reply,
            ):
                given = await _read(reply)
        except (TimeoutError, httpx2.TimeoutException) as late:
            raise EndpointUnreachable(reason="no reply in time") from late
        except (httpx2.HTTPError, httpx2.InvalidURL) as gone:
            raise EndpointUnreachable(reason=type(gone).__name__) from gone
        if reply.status_code == HTTPStatus.OK:
            return given
        raise self._refusal(reply, given)

    def _refusal(self, reply: httpx2.Response, given: bytes) -> EndpointFailed:
        status = reply.status_code
        if status in _OF_THE_KEY:
            return EndpointKeyRefused(status=status)
        code = error_code(given)
        if status in _TRANSIENT and code != "insufficient_quota":
            wait_s = _retry_after_s(reply.headers.get("Retry-After"))
            if wait_s is not None:
                until = asyncio.get_running_loop().time() + wait_s
                self._rest_until = max(self._rest_until, until)
            return EndpointBusy(status=status, wait_s=wait_s or 0.0)
        return EndpointRefused(status=status, reason=code or "no reason")

    async def _rest(self) -> None:
        """Wait as long as the endpoint asked for; whoever hurries tries his luck instead."""
        left = self._rest_until - asyncio.get_running_loop().time()
        if left > 0:
            await asyncio.sleep(left)

    def _wait_s(self, attempt: int, failure: EndpointFailed) -> float:
        asked = float(str(failure.facts.get("wait_s", 0.0)))
        backoff = min(_LONGEST_WAIT_S, self._first_wait_s * 2 ** (attempt - 1))
        return asked + backoff * _CHANCE.uniform(0.5, 1.0)


async def _read(reply: httpx2.Response) -> bytes:
    parts = bytearray()
    async for part in reply.aiter_bytes():
        parts += part
        if len(parts) > _MOST_BYTES:
            raise EndpointUnfit(reason="a reply of more than 64 MB")
    return bytes(parts)


def _retry_after_s(header: str | None) -> float | None:
    """Seconds to wait, at most a minute; the header holds seconds or a date."""
    if not header:
        return None
    try:
        wait_s = float(header)
    except ValueError:
        try:
            at = parsedate_to_datetime(header)
        except ValueError:
            return None
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at
        wait_s = (at - _now()).total_seconds()
    # `nan` is a float too, and compares with nothing.
    return min(wait_s, _LONGEST_WAIT_S) if wait_s > 0 else 0.0


def _now() -> datetime:
    return SystemClock().now()
