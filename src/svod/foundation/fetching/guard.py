"""The guard: which addresses a page may be fetched from.

A name is resolved once. Every address that it has must be public, and the connection goes to one of
these and to nothing else, so a name that is resolved differently a moment later leads nowhere.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from svod.foundation.fetching.addresses import is_public, own_addresses
from svod.foundation.fetching.errors import (
    AddressRefused,
    AllowUnfit,
    BadUrl,
    NameUnresolved,
)
from svod.foundation.fetching.hosts import Host, read_host
from svod.foundation.fetching.url import WebUrl

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""A name to its addresses; none if it has none. Raises NameUnresolved if that cannot be told now."""

_LOCAL_ENDINGS = frozenset(
    (
        *("localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home"),
        *("lan", "home.arpa", "onion", "test", "invalid", "example", "arpa"),
    )
)
"""Names that are no public ones whatever they are resolved to; a name without a dot is none either."""
_THREADS = 4


@dataclass(frozen=True, slots=True)
class Allowed:
    """What an administrator lets through although it is not public."""

    hosts: frozenset[str] = frozenset()
    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    @classmethod
    def read(cls, text: str) -> "Allowed":
        """The list in a setting: hosts, addresses and networks, with commas or spaces between.

        Raises:
            AllowUnfit: an entry is none of these.
        """
        hosts: set[str] = set()
        networks: list[IPv4Network | IPv6Network] = []
        for entry in text.replace(",", " ").split():
            try:
                networks.append(ip_network(entry.strip("[]"), strict=False))
            except ValueError:
                hosts.add(_host_name(entry))
        return cls(frozenset(hosts), tuple(networks))

    def lets(self, address: str) -> bool:
        """Whether an address lies in one of the networks."""
        try:
            given = ip_address(address)
        except ValueError:
            return False
        return any(given.version == one.version and given in one for one in self.networks)


def _host_name(entry: str) -> str:
    try:
        return read_host(entry).name
    except BadUrl:
        raise AllowUnfit(entry=entry) from None


class Names:
    """Resolves names as the machine does, in threads of its own: a slow one holds up nobody else."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="names")

    async def __call__(self, name: str) -> Sequence[str]:
        """The addresses of a name, the best first; none if it has none.

        Raises:
            NameUnresolved: the name service does not answer.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _resolved, name)

    def close(self) -> None:
        """Take no more names; those under way are not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _resolved(name: str) -> list[str]:
    try:
        found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    except UnicodeError:
        return []
    except socket.gaierror as error:
        if error.errno in {socket.EAI_AGAIN, socket.EAI_MEMORY, socket.EAI_SYSTEM}:
            raise NameUnresolved from None
        return []
    except OSError:
        raise NameUnresolved from None
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@dataclass(frozen=True, slots=True)
class Guard:
    """Says where a page may be fetched from."""

    resolve: Resolve
    allowed: Allowed = Allowed()
    own: Callable[[], frozenset[str]] = own_addresses

    def check(self, host: Host) -> None:
        """Refuse what is not public by its mere notation, see `check_host`."""
        check_host(host, self.allowed, self.own)

    async def addresses(self, url: WebUrl) -> tuple[str, ...]:
        """The addresses to connect to, in order; all of them public, or allowed.

        Raises:
            AddressRefused: one of them is not, or the name has none.
            NameUnresolved: the name service does not answer.
        """
        host = url.host
        self.check(host)
        if host.address is not None:
            return (host.name,)
        found = tuple(await self.resolve(host.name))
        if not found:
            raise AddressRefused
        if host.name not in self.allowed.hosts:
            for address in found:
                _check_address(address, self.allowed, self.own)
        return found


def check_host(
    host: Host,
    allowed: Allowed = Allowed(),
    own: Callable[[], frozenset[str]] = own_addresses,
) -> None:
    """Refuse a host that is not public by its mere notation; costs no look-up.

    Raises:
        AddressRefused: an address that is not public, or a name that cannot be.
    """
    if host.name in allowed.hosts:
        return
    if host.address is not None:
        _check_address(host.name, allowed, own)
    elif "." not in host.name or _is_local(host.name):
        raise AddressRefused


def _check_address(address: str, allowed: Allowed, own: Callable[[], frozenset[str]]) -> None:
    if allowed.lets(address):
        return
    if not is_public(address) or not own().isdisjoint(_writings(address)):
        raise AddressRefused


def _writings(address: str) -> tuple[str, ...]:
    """An address, and the IPv4 address that it may be in the dress of IPv6."""
    given = ip_address(address)
    mapped = given.ipv4_mapped if isinstance(given, IPv6Address) else None
    return (str(given), str(mapped)) if mapped else (str(given),)


def _is_local(name: str) -> bool:
    parts = name.split(".")
    return any(".".join(parts[at:]) in _LOCAL_ENDINGS for at in range(1, len(parts)))
