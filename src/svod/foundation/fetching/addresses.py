"""Which addresses are public.

Written as a list of what is let through, not of what is refused: an address of a sort that nobody
thought of is refused. An address that carries another one inside is judged by that one.

Source: the IANA registries of special-purpose IPv4 and IPv6 addresses (RFC 6890 and later).
"""

from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
)

import psutil

IpAddress = IPv4Address | IPv6Address

_SPECIAL = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT; some clouds keep their metadata here
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's own services, behind a public number
        "169.254.0.0/16",  # link-local; metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_SPECIAL_6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: carries IPv4, and is no longer in use
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
)
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_LOW_32 = 0xFFFF_FFFF
_ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE})


def is_public(text: str) -> bool:
    """Whether this address is one of the open internet; False for what is no address."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv4Address):
        return _is_public_4(address)
    return _is_public_6(address)


def _is_public_4(address: IPv4Address) -> bool:
    return address.is_global and not any(address in network for network in _SPECIAL)


def _is_public_6(address: IPv6Address) -> bool:
    if address.scope_id is not None:
        return False
    number = int(address)
    inside = IPv4Address(number & _LOW_32)
    if address in _MAPPED or address in _NAT64:
        # Where there is IPv6 only, NAT64 is how every IPv4 site is reached.
        return _is_public_4(inside)
    if (number >> 32) & _LOW_32 in _ISATAP and not _is_public_4(inside):
        return False
    return (
        address in _GLOBAL_UNICAST
        and address.is_global
        and not any(address in network for network in _SPECIAL_6)
    )


def own_addresses() -> frozenset[str]:
    """The addresses of this machine: a public one of its own leads to what listens inside."""
    found = psutil.net_if_addrs().values()
    return frozenset(
        address.address.partition("%")[0] for interface in found for address in interface
    )
