"""A small web site on loopback, and networks and name services that a test can watch."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpcore2

from svod.foundation.fetching import Allowed, Fetcher, Guard, Limits

Writing = Callable[[asyncio.StreamWriter], Awaitable[None]]
LOOPBACK = Allowed.read("127.0.0.0/8")


def a_response(
    content: bytes = b"",
    *,
    status: int = 200,
    media_type: str | None = "text/html",
    **headers: str,
) -> bytes:
    """A whole response; `_` in the names of headers stands for `-`."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    if media_type:
        given.setdefault("Content-Type", media_type)
    given.setdefault("Content-Length", str(len(content)))
    lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {value}" for name, value in given.items())]
    return "\r\n".join([*lines, "", ""]).encode() + content


@dataclass
class Site:
    """Answers each path with bytes, or with what writes them; `asked` holds every request."""

    pages: dict[str, bytes | Writing] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    url: str = ""

    @property
    def paths(self) -> list[str]:
        """What was asked for, in order."""
        return [request.split(" ", 2)[1] for request in self.asked]

    def header(self, name: str, request: int = -1) -> str | None:
        """A header of a request that came."""
        for line in self.asked[request].split("\r\n")[1:]:
            key, _, value = line.partition(":")
            if key.lower() == name.lower():
                return value.strip()
        return None

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.asked.append(request)
            page = self.pages.get(request.split(" ", 2)[1], a_response(b"-", status=404))
            if isinstance(page, bytes):
                writer.write(page)
                await writer.drain()
            else:
                await page(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(site: Site) -> AsyncGenerator[Site]:
    """The site, on a free port of loopback."""
    server = await asyncio.start_server(site.answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    site.url = f"http://127.0.0.1:{port}"
    try:
        yield site
    finally:
        server.close()


@dataclass
class ScriptedNames:
    """A name service that gives its answers in turn, the last one for ever."""

    answers: dict[str, list[Sequence[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def __call__(self, name: str) -> Sequence[str]:
        self.asked.append(name)
        left = self.answers.get(name, [()])
        return left.pop(0) if len(left) > 1 else left[0]


@dataclass
class WatchedNetwork(httpcore2.AsyncNetworkBackend):
    """A network without wires: notes whom it is to connect to, and plays a response for each."""

    responses: list[bytes] = field(default_factory=lambda: [a_response(b"<p>page</p>")])
    deaf: frozenset[str] = frozenset()
    connected: list[tuple[str, int]] = field(default_factory=list)

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 - as the library calls it
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,  # noqa: ARG002
    ) -> httpcore2.AsyncNetworkStream:
        self.connected.append((host, port))
        if host in self.deaf:
            raise httpcore2.ConnectError
        played = self.responses.pop(0) if len(self.responses) > 1 else self.responses[0]
        return httpcore2.AsyncMockStream([played])

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def a_fetcher(
    *,
    allowed: Allowed = LOOPBACK,
    names: ScriptedNames | None = None,
    network: httpcore2.AsyncNetworkBackend | None = None,
    limits: Limits | None = None,
) -> Fetcher:
    """A fetcher that may read from loopback."""
    guard = Guard(names or ScriptedNames(), allowed, own=frozenset)
    return Fetcher(guard, limits=limits or Limits(), network=network)
