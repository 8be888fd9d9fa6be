"""Fetching: only where it may, only as much as fits, only as long as it may take."""

import asyncio
import gzip
import ssl
import zlib
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpcore2
import pytest
import pytest_asyncio
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from fakes.web import (
    LOOPBACK,
    ScriptedNames,
    Site,
    WatchedNetwork,
    Writing,
    a_fetcher,
    a_response,
    serving,
)
from svod.foundation.fetching import Allowed, Fetcher, FetchFailed, Guard, Limits, Names, Turns
from svod.foundation.fetching.errors import (
    AddressRefused,
    BadResponse,
    BadScheme,
    Downgraded,
    FetchTimedOut,
    HttpStatus,
    NameUnresolved,
    NotText,
    PageTooLarge,
    TlsFailed,
    TooManyRedirects,
    Unreachable,
)

PUBLIC, OTHER, PRIVATE = "93.184.216.34", "93.184.216.35", "10.0.0.5"
LIMITS = Limits(bytes=200_000, deadline_s=0.5, connect_s=0.5, silence_s=0.5)
PAGE = "<title>Цены</title><p>От 100 рублей</p>"


@pytest_asyncio.fixture
async def site() -> AsyncGenerator[Site]:
    async with serving(Site()) as running:
        yield running


def redirect(to: str, status: int = 302) -> bytes:
    return a_response(status=status, Location=to)


async def test_a_page_comes_with_what_is_to_be_known_of_it(site: Site) -> None:
    site.pages["/%D1%86%D0%B5%D0%BD%D1%8B"] = a_response(
        PAGE.encode("cp1251"),
        media_type="Text/HTML; Charset=windows-1251",
        ETag='"v1"',
        Last_Modified="Mon, 01 Jun 2026 10:00:00 GMT",
        Set_Cookie="session=1",
    )
    fetched = await a_fetcher().fetch(f"{site.url}/цены?utm_source=x#top")
    assert fetched.content == PAGE.encode("cp1251")
    assert fetched.media_type == "text/html; charset=cp1251"
    assert (fetched.status, fetched.not_modified) == (200, False)
    assert fetched.final_url == f"{site.url}/%D1%86%D0%B5%D0%BD%D1%8B"
    assert (fetched.etag, fetched.last_modified) == ('"v1"', "Mon, 01 Jun 2026 10:00:00 GMT")
    assert str(site.header("User-Agent")).startswith("Svod/")
    assert site.header("Host") == site.url.removeprefix("http://")


@pytest.mark.spec("X11")
async def test_nothing_of_ours_is_sent_along(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9/")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9/")
    site.pages["/a"] = a_response(status=302, Location="/b", Set_Cookie="secret=1; Path=/")
    site.pages["/b"] = a_response(b"b", Set_Cookie="secret=2")
    fetcher = a_fetcher()
    await fetcher.fetch(f"{site.url}/a")
    await fetcher.fetch(f"{site.url}/b")
    assert site.paths == ["/a", "/b", "/b"]
    for request in range(3):
        for name in ("Cookie", "Referer", "Authorization", "Proxy-Authorization", "Origin"):
            assert site.header(name, request) is None


@pytest.mark.spec("K34", "K17")
async def test_an_unchanged_page_is_told_by_its_marks(site: Site) -> None:
    site.pages["/a"] = a_response(status=304, media_type=None, ETag='"v1"')
    fetched = await a_fetcher().fetch(f"{site.url}/a", etag='"v1"', last_modified="Mon, 1 Jun 2026")
    assert (fetched.not_modified, fetched.content, fetched.etag) == (True, b"", '"v1"')
    assert site.header("If-None-Match") == '"v1"'
    assert site.header("If-Modified-Since") == "Mon, 1 Jun 2026"


async def test_marks_go_only_to_the_page_whose_they_are(site: Site) -> None:
    """Else another page that happens to bear the same mark would pass for ours."""
    site.pages["/a"] = redirect("/new")
    site.pages["/new"] = a_response(b"new", ETag='"1"')
    fetched = await a_fetcher().fetch(f"{site.url}/a", etag='"1"', seen_at=f"{site.url}/old")
    assert fetched.content == b"new"
    assert [site.header("If-None-Match", request) for request in (0, 1)] == [None, None]
    await a_fetcher().fetch(f"{site.url}/a", etag='"1"', seen_at=f"{site.url}/new")
    assert [site.header("If-None-Match", request) for request in (2, 3)] == [None, '"1"']


@pytest.mark.spec("X11", "N-62")
async def test_a_name_that_changes_its_address_leads_nowhere() -> None:
    names = ScriptedNames({"rebind.example.com": [[PUBLIC], [PRIVATE]]})
    network = WatchedNetwork()
    fetcher = a_fetcher(allowed=Allowed(), names=names, network=network)
    await fetcher.fetch("http://rebind.example.com/")
    assert names.asked == ["rebind.example.com"]
    assert network.connected == [(PUBLIC, 80)]
    with pytest.raises(AddressRefused):
        await fetcher.fetch("http://rebind.example.com/")
    assert network.connected == [(PUBLIC, 80)]


@pytest.mark.spec("X11", "N-62")
@pytest.mark.parametrize(
    "answer",
    [[PUBLIC, PRIVATE], [PRIVATE, PUBLIC], ["::1"], [PUBLIC, "fe80::1%eth0"], ["169.254.169.254"]],
)
async def test_one_inner_address_of_a_name_is_enough_to_refuse(answer: list[str]) -> None:
    network = WatchedNetwork()
    names = ScriptedNames({"mixed.example.com": [answer]})
    with pytest.raises(AddressRefused):
        await a_fetcher(allowed=Allowed(), names=names, network=network).fetch(
            "http://mixed.example.com/"
        )
    assert network.connected == []


async def test_the_next_address_of_a_name_is_tried_if_one_is_deaf() -> None:
    names = ScriptedNames({"two.example.com": [[PUBLIC, OTHER]]})
    network = WatchedNetwork(deaf=frozenset({PUBLIC}))
    await a_fetcher(names=names, network=network).fetch("http://two.example.com:8080/")
    assert network.connected == [(PUBLIC, 8080), (OTHER, 8080)]
    network = WatchedNetwork(deaf=frozenset({PUBLIC, OTHER}))
    with pytest.raises(Unreachable):
        await a_fetcher(names=names, network=network).fetch("http://two.example.com/")


@pytest.mark.spec("X11", "N-62")
@pytest.mark.parametrize(
    ("to", "failure"),
    [
        ("http://127.0.0.1/", AddressRefused),
        ("http://2130706433/", AddressRefused),
        ("//0x7f.1/", AddressRefused),
        ("http://[::1]:8765/", AddressRefused),
        ("http://169.254.169.254/latest/meta-data/", AddressRefused),
        ("http://inner.example.com/", AddressRefused),
        ("http://localhost/", AddressRefused),
        ("file:///etc/passwd", BadScheme),
        ("gopher://127.0.0.1:6379/_", BadScheme),
        ("http://user:pass@example.com/", FetchFailed),
        ("http://example.com:22/", FetchFailed),
        ("http://exa mple.com/", FetchFailed),
    ],
)
@pytest.mark.parametrize("status", [301, 307])
async def test_every_redirect_is_checked_anew(
    to: str, failure: type[FetchFailed], status: int
) -> None:
    names = ScriptedNames({"good.example.com": [[PUBLIC]], "inner.example.com": [[PRIVATE]]})
    network = WatchedNetwork([redirect(to, status)])
    with pytest.raises(failure):
        await a_fetcher(allowed=Allowed(), names=names, network=network).fetch(
            "http://good.example.com/"
        )
    assert network.connected == [(PUBLIC, 80)]


async def test_five_redirects_are_followed_and_a_sixth_is_not(site: Site) -> None:
    for step in range(7):
        site.pages[f"/{step}"] = redirect(f"/{step + 1}")
    site.pages["/6"] = a_response(b"there")
    assert (await a_fetcher().fetch(f"{site.url}/1")).content == b"there"
    with pytest.raises(TooManyRedirects):
        await a_fetcher().fetch(f"{site.url}/0")


async def test_a_redirect_in_a_circle_ends(site: Site) -> None:
    site.pages["/a"] = redirect("/a")
    with pytest.raises(TooManyRedirects):
        await a_fetcher().fetch(f"{site.url}/a")
    assert len(site.asked) == 6


@pytest.mark.spec("X11")
async def test_a_secure_address_leads_to_no_insecure_one() -> None:
    names = ScriptedNames({"good.example.com": [[PUBLIC]]})
    network = WatchedNetwork([redirect("http://good.example.com/")])
    with pytest.raises(Downgraded):
        await a_fetcher(names=names, network=network).fetch("https://good.example.com/")
    assert network.connected == [(PUBLIC, 443)]


@pytest.mark.parametrize(
    ("status", "temporary"),
    [
        *((status, False) for status in (204, 300, 304, 401, 403, 404, 410, 451)),
        *((status, True) for status in (408, 429, 500, 502, 503)),
    ],
)
async def test_a_failing_status_is_told(site: Site, status: int, temporary: bool) -> None:
    site.pages["/a"] = a_response(status=status)
    with pytest.raises(HttpStatus) as failed:
        await a_fetcher().fetch(f"{site.url}/a")
    assert failed.value.temporary is temporary
    assert failed.value.is_gone is (status in {404, 410})


async def test_a_site_may_say_how_long_to_wait(site: Site) -> None:
    site.pages["/a"] = a_response(status=503, Retry_After="30")
    site.pages["/b"] = a_response(status=429, Retry_After="9" * 50)
    site.pages["/c"] = a_response(status=429, Retry_After="Mon, 01 Jun 2026 10:00:00 GMT")
    for path, wait_s in (("/a", 30.0), ("/b", 3600.0), ("/c", None)):
        with pytest.raises(HttpStatus) as failed:
            await a_fetcher().fetch(f"{site.url}{path}")
        assert failed.value.wait_s == wait_s


@pytest.mark.parametrize("kind", ["image/png", "video/mp4", "audio/mpeg", "font/woff2"])
async def test_what_holds_no_text_is_not_loaded(site: Site, kind: str) -> None:
    site.pages["/a"] = a_response(b"x", media_type=kind)
    with pytest.raises(NotText):
        await a_fetcher().fetch(f"{site.url}/a")


@pytest.mark.spec("X5")
@pytest.mark.parametrize(
    ("header", "kept"),
    [
        ("text/html", "text/html"),
        ("application/pdf", "application/pdf"),
        ("text/plain; charset=KOI8-R", "text/plain; charset=koi8-r"),
        ("text/plain; charset=no-such", "text/plain"),
        ("text/secret-word", "application/octet-stream"),
        ("Тайное слово", "application/octet-stream"),
        ("text/html\x0b; x", "application/octet-stream"),
        ("", "application/octet-stream"),
    ],
)
async def test_of_a_media_type_only_known_words_are_kept(header: str, kept: str) -> None:
    body = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n"
    body += b"Content-Type: " + header.encode() + b"\r\n\r\nx" if header else b"\r\nx"
    network = WatchedNetwork([body])
    names = ScriptedNames({"good.example.com": [[PUBLIC]]})
    fetcher = a_fetcher(names=names, network=network)
    try:
        assert (await fetcher.fetch("http://good.example.com/")).media_type == kept
    except BadResponse:
        assert "\x0b" in header


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "deflate", "bare deflate", "two members"])
async def test_a_packed_page_is_unpacked(site: Site, coding: str) -> None:
    text = PAGE.encode() * 50
    bare = zlib.compressobj(wbits=-15)
    packed = {
        "gzip": gzip.compress(text),
        "x-gzip": gzip.compress(text),
        "deflate": zlib.compress(text),
        "bare deflate": bare.compress(text) + bare.flush(),
        "two members": gzip.compress(text[:100]) + gzip.compress(text[100:]) + b"\0" * 20,
    }[coding]
    name = {"bare deflate": "deflate", "two members": "gzip"}.get(coding, coding)
    site.pages["/a"] = a_response(packed, Content_Encoding=name)
    assert (await a_fetcher().fetch(f"{site.url}/a")).content == text


def bomb(megabytes: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    zeros = bytes(1024 * 1024)
    return b"".join(packer.compress(zeros) for _ in range(megabytes)) + packer.flush()


@pytest.mark.spec("X11", "X8")
async def test_a_bomb_does_not_unfold(site: Site) -> None:
    packed = bomb(64)
    assert len(packed) < LIMITS.bytes
    site.pages["/gzip"] = a_response(packed, Content_Encoding="gzip")
    site.pages["/members"] = a_response(bomb(1) * 60, Content_Encoding="gzip")
    for path in ("/gzip", "/members"):
        with pytest.raises(PageTooLarge):
            await a_fetcher(limits=LIMITS).fetch(f"{site.url}{path}")


@pytest.mark.spec("X11")
@pytest.mark.parametrize("coding", ["br", "zstd", "gzip, gzip", "compress", "aes128gcm"])
async def test_packing_that_was_not_asked_for_is_refused(site: Site, coding: str) -> None:
    site.pages["/a"] = a_response(gzip.compress(gzip.compress(b"x")), Content_Encoding=coding)
    with pytest.raises(BadResponse):
        await a_fetcher().fetch(f"{site.url}/a")
    assert site.header("Accept-Encoding") == "gzip, deflate"


@pytest.mark.parametrize("content", [b"not gzip", gzip.compress(PAGE.encode() * 9)[:-12]])
async def test_a_packed_page_that_is_damaged_is_a_broken_response(
    site: Site, content: bytes
) -> None:
    site.pages["/a"] = a_response(content, Content_Encoding="gzip")
    with pytest.raises(BadResponse):
        await a_fetcher().fetch(f"{site.url}/a")


def endless(head: str, piece: bytes) -> Writing:
    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(head.encode())
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)

    return write


def slow(head: bytes, pieces: bytes, pause_s: float = 0.1) -> Writing:
    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        for piece in pieces:
            await asyncio.sleep(pause_s)
            writer.write(bytes([piece]))
            await writer.drain()

    return write


OPEN = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = f"{OPEN}Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.spec("X11", "X8")
@pytest.mark.parametrize(
    ("page", "failure"),
    [
        pytest.param(endless(f"{OPEN}\r\n", b"x" * 5000), PageTooLarge, id="endless body"),
        pytest.param(
            endless(CHUNKED, b"3E8\r\n" + b"x" * 1000 + b"\r\n"), PageTooLarge, id="endless chunks"
        ),
        pytest.param(
            endless(f"{OPEN}Content-Encoding: gzip\r\n\r\n", gzip.compress(b"") * 99),
            PageTooLarge,
            id="endless nothing, packed",
        ),
        pytest.param(
            a_response(b"x", Content_Length="5000000"), PageTooLarge, id="length over the limit"
        ),
        pytest.param(a_response(b"x", Content_Length="9" * 400), FetchFailed, id="absurd length"),
        pytest.param(a_response(b"x", Content_Length="50"), BadResponse, id="cut short"),
        pytest.param(a_response(b"x", Content_Length="-1"), BadResponse, id="negative length"),
        pytest.param(
            f"{OPEN}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx".encode(),
            BadResponse,
            id="two lengths",
        ),
        pytest.param(f"{CHUNKED}zz\r\n".encode(), BadResponse, id="broken chunks"),
        pytest.param(
            endless("HTTP/1.1 200 OK\r\n", b"X-More: yes\r\n" * 99),
            BadResponse,
            id="endless headers",
        ),
        pytest.param(a_response(b"x", X_Huge="x" * 200_000), BadResponse, id="one huge header"),
        pytest.param(
            endless("", b"HTTP/1.1 100 Continue\r\n\r\n"), FetchTimedOut, id="endless hints"
        ),
        pytest.param(slow(b"", b"HTTP/1.1 200 OK" * 9), FetchTimedOut, id="slow headers"),
        pytest.param(slow(f"{OPEN}\r\n".encode(), b"x" * 99), FetchTimedOut, id="slow body"),
        pytest.param(slow(b"", b"x", 5.0), FetchTimedOut, id="silence"),
        pytest.param(b"SSH-2.0-OpenSSH_9\r\n\r\n", BadResponse, id="another protocol"),
        pytest.param(b"", BadResponse, id="no answer"),
        pytest.param(a_response(status=101, Upgrade="x"), FetchFailed, id="another protocol asked"),
    ],
)
async def test_a_hostile_site_fails_alone(
    site: Site, page: bytes | Writing, failure: type[FetchFailed]
) -> None:
    site.pages["/a"] = page
    async with asyncio.timeout(10):
        with pytest.raises(failure):
            await a_fetcher(limits=LIMITS).fetch(f"{site.url}/a")


async def test_a_body_that_just_fits_comes_whole(site: Site) -> None:
    site.pages["/a"] = a_response(b"x" * LIMITS.bytes)
    site.pages["/b"] = a_response(b"x" * (LIMITS.bytes + 1))
    assert len((await a_fetcher(limits=LIMITS).fetch(f"{site.url}/a")).content) == LIMITS.bytes
    with pytest.raises(PageTooLarge):
        await a_fetcher(limits=LIMITS).fetch(f"{site.url}/b")


async def test_a_longer_body_than_was_said_is_cut_there(site: Site) -> None:
    site.pages["/a"] = a_response(b"page and more", Content_Length="4")
    assert (await a_fetcher().fetch(f"{site.url}/a")).content == b"page"


async def test_slow_names_fall_under_the_deadline_too() -> None:
    async def never(name: str) -> list[str]:  # noqa: ARG001
        await asyncio.sleep(60)
        return [PUBLIC]

    fetcher = Fetcher(Guard(never), limits=LIMITS, network=WatchedNetwork())
    with pytest.raises(FetchTimedOut):
        await fetcher.fetch("http://slow.example.com/")


async def test_a_name_service_that_does_not_answer_is_a_passing_failure() -> None:
    async def down(name: str) -> list[str]:  # noqa: ARG001, RUF029 - as a name service
        raise NameUnresolved

    fetcher = Fetcher(Guard(down), network=WatchedNetwork())
    with pytest.raises(NameUnresolved) as failed:
        await fetcher.fetch("http://down.example.com/")
    assert failed.value.temporary


async def test_names_are_resolved_as_the_machine_does() -> None:
    names = Names()
    assert "127.0.0.1" in await names("localhost")
    assert await names("a..b") == []
    assert await names("x" * 300) == []
    names.close()


async def test_a_closed_port_is_unreachable(site: Site) -> None:
    port = int(site.url.rpartition(":")[2])
    async with serving(Site()) as other:
        closed = other.url
    assert closed != f"http://127.0.0.1:{port}"
    with pytest.raises(Unreachable):
        await a_fetcher().fetch(f"{closed}/")


class Loopback(httpcore2.AsyncNetworkBackend):
    """Connects to loopback, whichever address is asked for."""

    def __init__(self) -> None:
        self.inner = httpcore2.AnyIOBackend()
        self.asked: list[str] = []

    async def connect_tcp(self, host: str, *args: object, **kwargs: object):  # type: ignore[override]
        self.asked.append(host)
        return await self.inner.connect_tcp("127.0.0.1", *args, **kwargs)  # type: ignore[arg-type]


@pytest.mark.spec("X11")
@pytest.mark.parametrize("trusted", [True, False])
async def test_the_certificate_must_be_that_of_the_name(tmp_path: Path, trusted: bool) -> None:
    """The connection goes to an address, but TLS asks for the name that was given."""
    certificate, key = a_certificate("good.example.com")
    (tmp_path / "key.pem").write_bytes(key + certificate)
    ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    ours.load_cert_chain(tmp_path / "key.pem")
    site = Site({"/": a_response(b"secure")})
    server = await asyncio.start_server(site.answer, "127.0.0.1", 0, ssl=ours)
    port = server.sockets[0].getsockname()[1]
    theirs = ssl.create_default_context()
    if trusted:
        theirs.load_verify_locations(cadata=certificate.decode())
    names = ScriptedNames({"good.example.com": [[PUBLIC]], "bad.example.com": [[PUBLIC]]})
    network = Loopback()
    guard = Guard(names, LOOPBACK, own=frozenset)
    fetcher = Fetcher(guard, network=network, certificates=theirs)
    if trusted:
        fetched = await fetcher.fetch(f"https://good.example.com:{port}/")
        assert fetched.content == b"secure"
    else:
        with pytest.raises(TlsFailed):
            await fetcher.fetch(f"https://good.example.com:{port}/")
    with pytest.raises(TlsFailed):
        await fetcher.fetch(f"https://bad.example.com:{port}/")
    assert network.asked == [PUBLIC, PUBLIC]
    server.close()


def a_certificate(name: str) -> tuple[bytes, bytes]:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    today = datetime(2026, 1, 1, tzinfo=UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(today - timedelta(days=3000))
        .not_valid_after(today + timedelta(days=30000))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    private = serialization.PrivateFormat.TraditionalOpenSSL
    return made.public_bytes(pem), key.private_bytes(pem, private, serialization.NoEncryption())


@pytest.mark.spec("K36")
def test_a_host_is_asked_once_at_a_time_with_a_pause() -> None:
    moment = 100.0
    turns = Turns(gap_s=1.0, now=lambda: moment)
    assert turns.take("a") == 0
    assert [turns.take("a"), turns.take("a"), turns.take("b")] == [1.0, 2.0, 0]
    turns.end("a")
    assert turns.take("a") > 0
    moment = 101.0
    assert turns.take("a") == 0
