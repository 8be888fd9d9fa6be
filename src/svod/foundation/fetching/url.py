"""The address of a page: read strictly, written one way, and comparable with another.

It is taken apart here and nowhere else: what is checked, what is connected to and what is asked for
come from the same parts, so that no two readers can see two hosts in one address.
"""

import re
from dataclasses import dataclass, field
from urllib.parse import unquote, urljoin

import idna

from svod.foundation.fetching.errors import BadPort, BadScheme, BadUrl, UrlCredentials
from svod.foundation.fetching.hosts import Host, read_host

LONGEST_URL = 4000
DEFAULT_PORTS = {"http": 80, "https": 443}
_FIRST_OPEN_PORT = 1024
_LAST_PORT = 65_535
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_AUTHORITY = re.compile(r"//([^/?#]*)([^?#]*)(?:\?([^#]*))?")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH = _UNRESERVED | frozenset("!$&'()*+,;=:@/")
_QUERY = _PATH | frozenset("?")

_TRACKING = frozenset(
    (
        *("gclid", "gclsrc", "dclid", "wbraid", "gbraid", "srsltid", "_ga", "_gl"),
        *("yclid", "ysclid", "yadclid", "ymclid", "_openstat", "openstat", "roistat", "rb_clickid"),
        *("fbclid", "igshid", "igsh", "twclid", "ttclid", "msclkid", "li_fat_id", "epik"),
        *("mc_cid", "mc_eid", "mkt_tok", "vero_id", "oly_anon_id", "oly_enc_id", "s_cid"),
        *("hsctatracking", "_hsenc", "_hsmi", "__hstc", "__hssc", "__hsfp"),
    )
)
"""Parameters that say who came from where, and nothing about the page."""


@dataclass(frozen=True, slots=True)
class WebUrl:
    """The address of a page over http or https, without fragment, credentials or tracking.

    `path` begins with a slash; `query` is without its question mark, empty if there is none.
    """

    scheme: str
    host: Host
    port: int
    path: str = "/"
    query: str = ""
    text: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", f"{self.origin}{self.target}")

    @property
    def authority(self) -> str:
        """Host and port, as the Host header writes them."""
        is_default = DEFAULT_PORTS[self.scheme] == self.port
        return self.host.shown if is_default else f"{self.host.shown}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.authority}"

    @property
    def target(self) -> str:
        """What is asked of the host: path and query."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def key(self) -> str:
        """Equal for two addresses of one page: as `text`, whether or not a slash ends the path."""
        path = self.path.rstrip("/")
        query = f"?{self.query}" if self.query else ""
        return f"{self.origin}{path}{query}"

    @property
    def shown(self) -> str:
        """As a person reads it: without the scheme, its letters as they are."""
        host = self.host.name
        try:
            readable = idna.decode(host) if "xn--" in host else host
        except UnicodeError:
            readable = host
        words = self.authority.replace(host, readable, 1) + unquote(self.target, errors="replace")
        return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", words).rstrip("/")

    @property
    def name(self) -> str:
        """The last part of the path, decoded; empty for the root."""
        return unquote(self.path.rstrip("/").rpartition("/")[2], errors="replace")

    def join(self, reference: str) -> "WebUrl":
        """Where a reference on this page leads.

        Raises:
            BadUrl and the like: as `read_url`.
        """
        try:
            return read_url(urljoin(self.text, reference))
        except ValueError:
            raise BadUrl from None


def read_url(text: str) -> WebUrl:
    """The address that is written so.

    Raises:
        BadUrl: it is none, or over 4,000 characters.
        BadScheme: neither http nor https.
        UrlCredentials: it holds a user name or a password.
        BadPort: neither 80 nor 443 nor above 1023.
    """
    text = text.strip(" \t\r\n")
    if not text or len(text) > LONGEST_URL or _CONTROL.search(text):
        raise BadUrl
    scheme = _SCHEME.match(text)
    if scheme is None:
        raise BadUrl
    kind = scheme[1].lower()
    if kind not in DEFAULT_PORTS:
        raise BadScheme
    parts = _AUTHORITY.match(text, scheme.end())
    # Browsers take a backslash for a slash, others do not: then they see different hosts.
    if parts is None or "\\" in parts[1] + parts[2]:
        raise BadUrl
    if "@" in parts[1]:
        raise UrlCredentials
    host, port = _host_and_port(parts[1], kind)
    path = _without_dots(_written(parts[2] or "/", _PATH))
    url = WebUrl(kind, host, port, path, _without_tracking(_written(parts[3] or "", _QUERY)))
    if len(url.text) > LONGEST_URL:
        raise BadUrl
    return url


def _host_and_port(authority: str, scheme: str) -> tuple[Host, int]:
    host, colon, port = authority, "", ""
    bracket = authority.rfind("]")
    if ":" in authority[bracket + 1 :]:
        host, colon, port = authority.rpartition(":")
    read = read_host(host)
    if not colon or not port:
        return read, DEFAULT_PORTS[scheme]
    if not (port.isascii() and port.isdigit()) or len(port) > len(str(_LAST_PORT)):
        raise BadUrl
    number = int(port)
    if not 0 < number <= _LAST_PORT:
        raise BadUrl
    if number not in DEFAULT_PORTS.values() and number < _FIRST_OPEN_PORT:
        raise BadPort
    return read, number


def _written(text: str, plain: frozenset[str]) -> str:
    """The one way to write it: what may stand plainly does, the rest is escaped in capitals."""
    written: list[str] = []
    at = 0
    while at < len(text):
        escape = _ESCAPE.match(text, at)
        if escape:
            letter = chr(int(escape[0][1:], 16))
            written.append(letter if letter in _UNRESERVED else escape[0].upper())
            at = escape.end()
            continue
        letter = text[at]
        written.append(
            letter if letter in plain else "".join(f"%{byte:02X}" for byte in letter.encode())
        )
        at += 1
    return "".join(written)


def _without_dots(path: str) -> str:
    """The path with `.` and `..` carried out. Source: RFC 3986, 5.2.4."""
    kept: list[str] = []
    parts = path.split("/")[1:]
    for part in parts:
        if part == "..":
            if kept:
                kept.pop()
        elif part != ".":
            kept.append(part)
    if parts[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)


def _without_tracking(query: str) -> str:
    return "&".join(part for part in query.split("&") if part and not _is_tracking(part))


def _is_tracking(parameter: str) -> bool:
    name = unquote(parameter.partition("=")[0]).lower()
    return name in _TRACKING or name.startswith("utm_")
