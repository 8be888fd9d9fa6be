"""The host of an address, in whatever notation it is written.

Whoever reads a host more narrowly than the network does can be led past a check, so this follows
what browsers and resolvers take: numbers in decimal, octal and hexadecimal, one to four of them,
letters of any width, dots of any script.

Source: WHATWG URL, «host parsing»; UTS #46.
"""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

import idna

from svod.foundation.fetching.errors import BadUrl

_NAME = re.compile(
    r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LONGEST = 253
_BYTE = 256


@dataclass(frozen=True, slots=True)
class Host:
    """A host: a name in lower case and ASCII, or an address, which `name` then writes plainly."""

    name: str
    address: IPv4Address | IPv6Address | None = None

    @property
    def shown(self) -> str:
        """As it stands in a URL."""
        return f"[{self.name}]" if isinstance(self.address, IPv6Address) else self.name


def read_host(text: str) -> Host:
    """The host that is written so.

    Raises:
        BadUrl: it is none; a zone (`fe80::1%eth0`) is never taken.
    """
    if text.startswith("[") and text.endswith("]"):
        return _in_brackets(text[1:-1])
    if not text or len(text) > _LONGEST:
        raise BadUrl
    name = _in_ascii(text).removesuffix(".")
    last = name.rpartition(".")[2]
    if _NUMBER.fullmatch(last):
        address = IPv4Address(_number_of(name))
        return Host(str(address), address)
    if len(name) > _LONGEST or not _NAME.fullmatch(name):
        raise BadUrl
    return Host(name)


def _in_brackets(text: str) -> Host:
    if "%" in text:
        raise BadUrl
    try:
        address = IPv6Address(text)
    except ValueError:
        raise BadUrl from None
    return Host(str(address), address)


def _in_ascii(text: str) -> str:
    if text.isascii():
        return text.lower()
    try:
        return idna.encode(text, uts46=True).decode("ascii").lower()
    except (UnicodeError, ValueError):
        raise BadUrl from None


def _number_of(name: str) -> int:
    parts = name.split(".")
    if len(parts) > 4:  # noqa: PLR2004 - as many as an address has bytes
        raise BadUrl
    *high, low = [_part(part) for part in parts]
    if any(part >= _BYTE for part in high) or low >= _BYTE ** (4 - len(high)):
        raise BadUrl
    number = low
    for place, part in enumerate(high):
        number += part * _BYTE ** (3 - place)
    return number


def _part(text: str) -> int:
    if not _NUMBER.fullmatch(text) or len(text) > _LONGEST:
        raise BadUrl
    if text.startswith("0x"):
        return int(text[2:] or "0", 16)
    try:
        return int(text, 8 if text.startswith("0") and len(text) > 1 else 10)
    except ValueError:
        raise BadUrl from None
