"""Fetching a page from an address that a user gave, without being led astray by it.

Every address is checked before it is connected to, also where a page leads on to another; what comes
is limited in size, packed and unpacked, and in time. Nothing is sent along: no cookies, no
credentials, no page that led here, and no proxy of the environment stands between.
"""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import cast

import httpcore2
import httpx2

from svod.foundation.fetching.connecting import CheckedNetwork
from svod.foundation.fetching.errors import (
    BadResponse,
    Downgraded,
    FetchTimedOut,
    HttpStatus,
    PageTooLarge,
    TlsFailed,
    TooManyRedirects,
    Unreachable,
)
from svod.foundation.fetching.guard import Guard
from svod.foundation.fetching.media import UNKNOWN, media_type
from svod.foundation.fetching.unpacking import ACCEPTED, Unpacking
from svod.foundation.fetching.url import WebUrl, read_url

MOST_REDIRECTS = 5
_MEGABYTE = 1024 * 1024
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_OK = frozenset({200, 203})
_NOT_MODIFIED = 304
_LONGEST_MARK = 400
_LONGEST_WAIT_S = 3600
_ACCEPTS = (
    "text/html,application/xhtml+xml,text/markdown,text/plain,application/pdf,application/json,"
    "text/csv,*/*;q=0.5"
)

Headers = dict[str, str]


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page, or the news that it did not change (`not_modified`, then without content).

    `final_url` is where redirects ended; `media_type` is what the site says, as far as it is known,
    with a charset; `etag` and `last_modified` are to be given the next time.
    """

    status: int
    final_url: str
    media_type: str
    content: bytes
    etag: str | None
    last_modified: str | None
    not_modified: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a page is taken, and how long it may take."""

    bytes: int = 5 * _MEGABYTE
    deadline_s: float = 20.0
    connect_s: float = 5.0
    silence_s: float = 10.0


@dataclass(frozen=True, slots=True)
class Marks:
    """By what a site recognises the copy that we have, and of which address it is a copy."""

    url: str
    etag: str | None
    last_modified: str | None

    def of(self, at: WebUrl) -> Headers:
        """What to send with them to an address: nothing where they are not at home."""
        if self.url != at.text:
            return {}
        given = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in given.items() if value}


class Fetcher:
    """Fetches pages from public addresses."""

    def __init__(
        self,
        guard: Guard,
        *,
        limits: Limits = Limits(),
        network: httpcore2.AsyncNetworkBackend | None = None,
        certificates: ssl.SSLContext | None = None,
        closing: Callable[[], None] | None = None,
    ) -> None:
        """Get ready.

        Args:
            guard: says what may be connected to.
            limits: size and time.
            network: makes the connections; for tests.
            certificates: which are trusted; those of the machine if not given.
            closing: called when it is closed.
        """
        self.check_host = guard.check
        """Refuses hosts that are not public by their mere notation."""
        self._guard = guard
        self._closing = closing
        self._limits = limits
        # Its type is a union with a stand-in for where anyio is missing; ours is never that.
        self._network = network or cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())
        self._certificates = certificates
        self._agent = f"Svod/{version('svod')} (knowledge server; reads pages that its users add)"

    async def fetch(
        self,
        url: str,
        *,
        etag: str | None = None,
        last_modified: str | None = None,
        seen_at: str | None = None,
    ) -> Fetched:
        """The page at an address.

        Args:
            url: an http or https address on the open internet.
            etag: that of the copy at hand.
            last_modified: the like.
            seen_at: the final address of the copy at hand; `url` if not given. Only there are the
                marks of the copy sent, for elsewhere the same mark may be another page's.

        Raises:
            FetchFailed: with the reason; `temporary` tells whether to try again soon.
        """
        start = read_url(url)
        marks = Marks(seen_at or start.text, etag, last_modified)
        if self._certificates is None:
            self._certificates = await asyncio.to_thread(_trusted)
        try:
            async with asyncio.timeout(self._limits.deadline_s):
                return await self._follow(start, marks, self._certificates)
        except TimeoutError:
            raise self._too_late() from None

    def close(self) -> None:
        """Take no more addresses; what is under way is not waited for."""
        if self._closing is not None:
            self._closing()

    async def _follow(self, at: WebUrl, marks: Marks, certificates: ssl.SSLContext) -> Fetched:
        for _ in range(MOST_REDIRECTS + 1):
            came = await self._ask(at, marks, certificates)
            if isinstance(came, Fetched):
                return came
            if at.scheme == "https" and came.scheme == "http":
                raise Downgraded
            at = came
        raise TooManyRedirects(limit=MOST_REDIRECTS)

    async def _ask(
        self, at: WebUrl, marks: Marks, certificates: ssl.SSLContext
    ) -> Fetched | WebUrl:
        """One request: the page, or where it leads on to."""
        addresses = await self._guard.addresses(at)
        network = CheckedNetwork(self._network, at.host.name, addresses)
        with self._told():
            async with (
                httpcore2.AsyncConnectionPool(
                    ssl_context=certificates,
                    max_connections=1,
                    max_keepalive_connections=0,
                    http1=True,
                    http2=False,
                    network_backend=network,
                ) as pool,
                self._stream(pool, at, marks) as response,
            ):
                return await self._answer(at, marks, response)

    @asynccontextmanager
    async def _stream(
        self, pool: httpcore2.AsyncConnectionPool, at: WebUrl, marks: Marks
    ) -> AsyncGenerator[httpcore2.Response]:
        headers = {
            "Host": at.authority,
            "User-Agent": self._agent,
            "Accept": _ACCEPTS,
            "Accept-Encoding": ACCEPTED,
            "Connection": "close",
        } | marks.of(at)
        asked = httpcore2.URL(
            scheme=at.scheme.encode(),
            host=at.host.name.encode(),
            port=at.port,
            target=at.target.encode(),
        )
        silence_s = self._limits.silence_s
        timeouts = {"connect": self._limits.connect_s, "read": silence_s, "write": silence_s}
        async with pool.stream(
            "GET",
            asked,
            headers=[(name.encode(), value.encode()) for name, value in headers.items()],
            extensions={"timeout": timeouts | {"pool": silence_s}},
        ) as response:
            yield response

    async def _answer(
        self, at: WebUrl, asked: Marks, response: httpcore2.Response
    ) -> Fetched | WebUrl:
        headers = _headers(response)
        if response.status in _REDIRECTS and "location" in headers:
            return at.join(headers["location"])
        marks = _mark(headers.get("etag")), _mark(headers.get("last-modified"))
        if response.status == _NOT_MODIFIED and asked.of(at):
            return Fetched(response.status, at.text, UNKNOWN, b"", *marks, not_modified=True)
        if response.status not in _OK:
            raise HttpStatus(**_status_facts(response.status, headers))
        kind = media_type(headers.get("content-type", ""))
        content = await self._body(headers, response)
        return Fetched(response.status, at.text, kind, content, *marks)

    async def _body(self, headers: Headers, response: httpcore2.Response) -> bytes:
        most = self._limits.bytes
        unpacking = Unpacking(headers.get("content-encoding", ""), most_bytes=most)
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length[:20]) > most:
            raise PageTooLarge(limit_mb=most // _MEGABYTE)
        async for piece in response.aiter_stream():
            unpacking.feed(piece)
            # Thousands of tiny pieces may lie in one read.
            await asyncio.sleep(0)
        return unpacking.finish()

    @contextmanager
    def _told(self) -> Generator[None]:
        """The network's failures as ours."""
        try:
            yield
        except httpcore2.ConnectError as error:
            # The library hands on what it met as an argument; as a cause it is lost on the way.
            if any(isinstance(met, ssl.SSLError) for met in error.args):
                raise TlsFailed from None
            raise Unreachable from None
        except httpcore2.TimeoutException:
            raise self._too_late() from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError, OSError):
            raise BadResponse from None

    def _too_late(self) -> FetchTimedOut:
        return FetchTimedOut(timeout_s=round(self._limits.deadline_s))


def _trusted() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)


def _headers(response: httpcore2.Response) -> Headers:
    """The headers, of each the first; a site may send UTF-8 where Latin-1 is due."""
    headers: Headers = {}
    for name, value in response.headers:
        try:
            text = value.decode()
        except UnicodeDecodeError:
            text = value.decode("latin-1")
        headers.setdefault(name.decode("latin-1").lower(), text)
    return headers


def _mark(value: str | None) -> str | None:
    """A mark that can be sent back as it came."""
    usable = value and len(value) <= _LONGEST_MARK and value.isascii() and value.isprintable()
    return value if usable else None


def _status_facts(status: int, headers: Headers) -> dict[str, int]:
    wait = headers.get("retry-after", "").strip()
    if wait.isascii() and wait.isdecimal():
        return {"status": status, "wait_s": min(int(wait[:9]), _LONGEST_WAIT_S)}
    return {"status": status}
