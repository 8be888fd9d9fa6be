"""Addresses are read strictly, written one way, and judged by where they lead."""

import pytest

from fakes.web import ScriptedNames, WatchedNetwork, a_fetcher
from svod.foundation.errors import Language
from svod.foundation.fetching import Allowed, FetchFailed, Guard, read_url
from svod.foundation.fetching.addresses import is_public, own_addresses
from svod.foundation.fetching.errors import (
    FAILURES,
    AddressRefused,
    AllowUnfit,
    BadPort,
    BadScheme,
    BadUrl,
    UrlCredentials,
    fetch_failure,
)

LOOPBACK = (
    "http://127.0.0.1/",
    "http://127.0.0.1:8080/",
    "http://127.1/",
    "http://127.0.1/",
    "http://127.000.000.001/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0x7f000001/",
    "http://0X7F000001/",
    "http://0x7f.1/",
    "http://0x7f.0x0.0x0.0x1/",
    "http://0177.0.0.1/",
    "http://0177.0x0.0.01/",
    "http://127.0.0.1./",
    "http://127.255.255.254/",
    "http://１２７.0.0.1/",
    "http://①②⑦.0.0.1/",
    "http://127。0。0。1/",
    "http://0x７f.1/",
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://localhost:8765/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
    "http://loca\u00adlhost/",
    "http://a.localhost/",
    "http://localhost.localdomain/",
    "http://0/",
    "http://0.0.0.0/",
    "http://0x/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[::7f00:1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:7f00:1::1]/",
    "http://[fe80::5efe:127.0.0.1]/",
    "http://[2a00:1450::5efe:7f00:1]/",
)
PRIVATE = (
    "http://10.0.0.1/",
    "http://10.255.255.255/",
    "http://167772161/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.1.1/",
    "http://0xc0.0xa8.0x1.0x1/",
    "http://3232235777/",
    "http://100.64.0.1/",
    "http://100.100.100.200/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://[::ffff:169.254.169.254]/",
    "http://[fd00:ec2::254]/",
    "http://[fc00::1]/",
    "http://[fe80::1]/",
    "http://[fec0::1]/",
    "http://168.63.129.16/",
    "http://192.0.0.192/",
    "http://192.0.2.1/",
    "http://198.18.0.1/",
    "http://198.51.100.7/",
    "http://203.0.113.9/",
    "http://224.0.0.1/",
    "http://239.255.255.250/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
    "http://[100::1]/",
    "http://[64:ff9b::10.0.0.1]/",
    "http://[2002:a00:1::1]/",
    "http://[3fff::1]/",
    "http://[4000::1]/",
    "http://intranet/",
    "http://printer.local/",
    "http://metadata.google.internal/",
    "http://router.home.arpa/",
    "http://kubernetes.default.svc.cluster.local/",
)
MISREAD = {
    "http://[fe80::1%25eth0]/": BadUrl,
    "http://[fe80::1%eth0]/": BadUrl,
    "http://[::1/": BadUrl,
    "http://::1/": BadUrl,
    "http://1.2.3.4.5/": BadUrl,
    "http://256.1.1.1/": BadUrl,
    "http://1..1/": BadUrl,
    "http://09.1.1.1/": BadUrl,
    "http://4294967296/": BadUrl,
    "http://%31%32%37.0.0.1/": BadUrl,
    "http://127.0.0.1%2f@example.com/": UrlCredentials,
    "http://example.com\\@127.0.0.1/": BadUrl,
    "http:\\\\127.0.0.1/": BadUrl,
    "http:/\\127.0.0.1/": BadUrl,
    "http://example.com\\.127.0.0.1/": BadUrl,
    "http:127.0.0.1/": BadUrl,
    "http:/127.0.0.1/": BadUrl,
    "http:///127.0.0.1/": BadUrl,
    "http://": BadUrl,
    "http://?": BadUrl,
    "//127.0.0.1/": BadUrl,
    "127.0.0.1": BadUrl,
    "": BadUrl,
    "http://exa mple.com/": BadUrl,
    "http://exa\tmple.com/": BadUrl,
    "http://example.com/\r\nHost: evil": BadUrl,
    "http://example.com/\x00": BadUrl,
    "http://example.com/\ud800": BadUrl,
    "http://exa\u2100mple.com/": BadUrl,
    "http://-.com/": BadUrl,
    "http://example.com:80:80/": BadUrl,
    "http://example.com:0/": BadUrl,
    "http://example.com:65536/": BadUrl,
    "http://example.com:８０/": BadUrl,
    "http://example.com:-1/": BadUrl,
    "http://" + "a" * 300 + ".com/": BadUrl,
    "http://example.com/" + "a" * 4000: BadUrl,
    "http://user@example.com/": UrlCredentials,
    "http://user:pass@example.com/": UrlCredentials,
    "http://@example.com/": UrlCredentials,
    "http://a@b@127.0.0.1/": UrlCredentials,
    "http://example.com@127.0.0.1/": UrlCredentials,
    "http://example.com:80@127.0.0.1/": UrlCredentials,
    "http://example.com:22/": BadPort,
    "http://example.com:25/": BadPort,
    "https://example.com:445/": BadPort,
    "file:///etc/passwd": BadScheme,
    "ftp://example.com/": BadScheme,
    "gopher://127.0.0.1:6379/_": BadScheme,
    "data:text/html,hello": BadScheme,
    "javascript:alert(1)": BadScheme,
    "unix:/var/run/docker.sock": BadScheme,
    "dict://127.0.0.1/": BadScheme,
    "ws://example.com/": BadScheme,
}


@pytest.mark.spec("X11", "N-62")
@pytest.mark.parametrize("url", [*LOOPBACK, *PRIVATE])
async def test_no_notation_leads_to_what_is_not_public(url: str) -> None:
    network = WatchedNetwork()
    names = ScriptedNames()
    fetcher = a_fetcher(allowed=Allowed(), names=names, network=network)
    with pytest.raises(AddressRefused):
        await fetcher.fetch(url)
    assert network.connected == []
    assert names.asked == []


@pytest.mark.spec("X11")
@pytest.mark.parametrize("url", MISREAD)
async def test_what_two_readers_could_read_differently_is_refused(url: str) -> None:
    network = WatchedNetwork()
    with pytest.raises(MISREAD[url]):
        await a_fetcher(allowed=Allowed(), network=network).fetch(url)
    assert network.connected == []


@pytest.mark.spec("K13", "N-65")
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("HTTP://EXAMPLE.com", "http://example.com/"),
        ("http://example.com:80/", "http://example.com/"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("https://example.com:/a", "https://example.com/a"),
        ("https://example.com:8443/a", "https://example.com:8443/a"),
        ("https://example.com./a", "https://example.com/a"),
        ("https://example.com/a#part", "https://example.com/a"),
        ("https://example.com/a?", "https://example.com/a"),
        ("https://example.com/a/../b/./c", "https://example.com/b/c"),
        ("https://example.com/a/%2e%2e/b", "https://example.com/b"),
        ("https://example.com/../..", "https://example.com/"),
        ("https://example.com/%7euser/%41%d0%bf", "https://example.com/~user/A%D0%BF"),
        ("https://example.com/100%", "https://example.com/100%25"),
        ("https://example.com/a b|c", "https://example.com/a%20b%7Cc"),
        ("https://ru.example.com/Лиса", "https://ru.example.com/%D0%9B%D0%B8%D1%81%D0%B0"),
        ("https://пример.рф/цены", "https://xn--e1afmkfd.xn--p1ai/%D1%86%D0%B5%D0%BD%D1%8B"),
        ("https://ПРИМЕР.РФ/", "https://xn--e1afmkfd.xn--p1ai/"),
        ("http://134744072/", "http://8.8.8.8/"),
        ("http://[2A00:1450:0::1]:8080/", "http://[2a00:1450::1]:8080/"),
        ("https://example.com/?b=2&a=1", "https://example.com/?b=2&a=1"),
        ("https://example.com/?utm_source=x&a=1&UTM_Medium=y", "https://example.com/?a=1"),
        ("https://example.com/?gclid=1&yclid=2&fbclid=3", "https://example.com/"),
        ("https://example.com/?a=1&ysclid=2#utm", "https://example.com/?a=1"),
        ("  https://example.com/a\n", "https://example.com/a"),
    ],
)
def test_an_address_is_written_one_way(written: str, meant: str) -> None:
    url = read_url(written)
    assert url.text == meant
    assert read_url(url.text) == url


@pytest.mark.spec("K13", "N-65")
def test_a_slash_at_the_end_makes_no_other_page() -> None:
    variants = ("https://e.com/docs", "https://e.com/docs/", "https://E.com:443/docs/#top")
    assert len({read_url(one).key for one in variants}) == 1
    assert read_url("https://e.com").key == read_url("https://e.com/").key
    assert read_url("https://e.com/docs/?a=1").key == read_url("https://e.com/docs?a=1").key
    others = ("https://e.com/docs", "http://e.com/docs", "https://e.com/Docs", "https://e.com/d?a")
    assert len({read_url(one).key for one in others}) == len(others)


@pytest.mark.parametrize(
    ("reference", "leads_to"),
    [
        ("/b", "https://example.com/b"),
        ("b", "https://example.com/docs/b"),
        ("../b", "https://example.com/b"),
        ("?x=1", "https://example.com/docs/a?x=1"),
        ("//other.example.org/", "https://other.example.org/"),
        ("/цены", "https://example.com/%D1%86%D0%B5%D0%BD%D1%8B"),
    ],
)
def test_a_reference_is_read_from_where_it_stands(reference: str, leads_to: str) -> None:
    assert read_url("https://example.com/docs/a").join(reference).text == leads_to


@pytest.mark.parametrize(
    "reference",
    ["file:///etc/passwd", "//127.0.0.1\\@x", "http://user@example.com/", "http://[", "\\\\evil\\"],
)
def test_a_reference_to_no_page_is_refused(reference: str) -> None:
    with pytest.raises(FetchFailed):
        read_url("https://example.com/docs/a").join(reference)


@pytest.mark.spec("X11")
@pytest.mark.parametrize(
    "address",
    [
        *("8.8.8.8", "1.1.1.1", "93.184.216.34", "2a00:1450:4001::1", "2606:4700::1111"),
        # On a network of IPv6 alone, every IPv4 site is reached like this.
        *("64:ff9b::8.8.8.8", "::ffff:8.8.8.8"),
    ],
)
def test_addresses_of_the_open_internet_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address", ["", "example.com", "fe80::1%eth0", "8.8.8.8 ", "::ffff:10.0.0.1"]
)
def test_what_is_no_public_address_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.spec("X11")
async def test_a_public_address_of_this_machine_is_refused() -> None:
    assert "127.0.0.1" in own_addresses()
    names = ScriptedNames({"example.com": [["93.184.216.34"]]})
    guard = Guard(names, own=lambda: frozenset({"93.184.216.34"}))
    for url in ("http://example.com/", "http://93.184.216.34/", "http://[::ffff:93.184.216.34]/"):
        with pytest.raises(AddressRefused):
            await guard.addresses(read_url(url))


@pytest.mark.spec("X11")
async def test_an_administrator_lets_hosts_and_networks_through() -> None:
    names = ScriptedNames({"wiki.corp": [["10.1.2.3"]], "other.corp.example.com": [["10.1.2.3"]]})
    guard = Guard(names, Allowed.read("wiki.corp, 10.9.0.0/16 ::1"), own=frozenset)
    assert await guard.addresses(read_url("http://WIKI.corp/")) == ("10.1.2.3",)
    assert await guard.addresses(read_url("http://10.9.8.7/")) == ("10.9.8.7",)
    assert await guard.addresses(read_url("http://[::1]/")) == ("::1",)
    for url in ("http://10.1.2.3/", "http://other.corp.example.com/", "http://a.wiki.corp/"):
        with pytest.raises(AddressRefused):
            await guard.addresses(read_url(url))


@pytest.mark.parametrize("text", ["10.0.0.0/99", "a b@c", "http://x/", "*.example.com"])
def test_an_unfit_list_of_what_is_allowed_is_named(text: str) -> None:
    with pytest.raises(AllowUnfit):
        Allowed.read(text)


@pytest.mark.spec("X3", "X11")
@pytest.mark.parametrize("language", list(Language))
async def test_a_refusal_does_not_tell_what_lies_inside(language: Language) -> None:
    """A name that leads inside, one that nobody knows, and an inner address look alike."""
    names = ScriptedNames({"inner.example.com": [["10.0.0.5"]], "unknown.example.com": [()]})
    fetcher = a_fetcher(allowed=Allowed(), names=names, network=WatchedNetwork())
    said: set[tuple[str, str, str | None]] = set()
    for host in ("inner.example.com", "unknown.example.com", "10.0.0.5", "[::1]", "intranet"):
        with pytest.raises(AddressRefused) as refused:
            await fetcher.fetch(f"http://{host}/")
        error = refused.value
        said.add((error.code, error.message(language), error.advice(language)))
    assert len(said) == 1


@pytest.mark.parametrize("code", FAILURES)
@pytest.mark.parametrize("language", list(Language))
def test_a_failure_can_be_told_again_from_what_was_stored(code: str, language: Language) -> None:
    failure = fetch_failure(code, {})
    assert failure.code == code
    assert failure.message(language)
    assert failure.advice(language)
