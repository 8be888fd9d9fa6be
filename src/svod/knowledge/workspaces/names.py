"""How levels are named: domains and addresses in one form each, however they were written.

A domain is a mail domain (`example.com`), or a channel on a platform (`telegram:shop_bot`). An
address is `name@domain`: a mailbox, or an account on such a channel. All are lower case; a mail
domain is kept in ASCII (IDNA 2008, mapped by UTS 46), so that `Почта.РФ` and `xn--80a1acny.xn--p1ai`
are one.
"""

import re
import unicodedata
from dataclasses import dataclass

import idna

from svod.foundation.errors import Invalid, Says

_WHOLE = ("workspace", "global")
_PLATFORM = re.compile(r"([a-z][a-z0-9_-]{0,31}):([^\s@:,;<>\"\\]{1,100})")
_LOCAL = re.compile(r"[^\s@,;:<>()\[\]\"\\.]+(?:\.[^\s@,;:<>()\[\]\"\\.]+)*")
_LONGEST_LOCAL = 64
_LONGEST_DOMAIN = 253


class BadDomain(Invalid):
    """What was given is neither a mail domain nor a channel on a platform."""

    code = "workspaces.bad_domain"
    says = Says(
        "This is neither a mail domain nor a channel of a platform.",
        "Это не почтовый домен и не канал площадки.",
    )
    hint = Says(
        "Write `example.com`, or `telegram:shop_bot`: the platform, a colon, the channel.",
        "Пишите `example.com` или `telegram:shop_bot`: площадка, двоеточие, канал.",
    )


class BadAddress(Invalid):
    """What was given is no address of a domain."""

    code = "workspaces.bad_address"
    says = Says("This is not an address.", "Это не адрес.")
    hint = Says(
        "Write `support@example.com`, or `account@telegram:shop_bot`.",
        "Пишите `support@example.com` или `account@telegram:shop_bot`.",
    )


@dataclass(frozen=True, slots=True)
class AddressName:
    """An address taken apart; `base` is what a plus-address has before its plus, as an address."""

    name: str
    domain: str
    base: str | None


def is_platform(domain: str) -> bool:
    """Whether a domain in its one form is a channel on a platform."""
    return ":" in domain


def read_domain(text: str) -> str:
    """A domain in its one form.

    Raises:
        BadDomain: it is none.
    """
    text = unicodedata.normalize("NFC", text.strip())
    if is_platform(text):
        platform = text.lower()
        if not _PLATFORM.fullmatch(platform) or not platform.isprintable():
            raise BadDomain
        return platform
    try:
        name = idna.encode(text.removesuffix("."), uts46=True, std3_rules=True).decode()
    except (idna.IDNAError, UnicodeError):
        raise BadDomain from None
    labels = name.split(".")
    if len(labels) < 2 or labels[-1].isdigit() or len(name) > _LONGEST_DOMAIN:  # noqa: PLR2004
        raise BadDomain
    return name


def read_address(text: str) -> AddressName:
    """An address in its one form, taken apart.

    Raises:
        BadAddress: it is none, or what follows its @ is no domain.
    """
    local, at, place = unicodedata.normalize("NFC", text.strip()).rpartition("@")
    local = local.lower()
    if not at or not _LOCAL.fullmatch(local) or not local.isprintable():
        raise BadAddress
    if len(local) > _LONGEST_LOCAL:
        raise BadAddress
    try:
        domain = read_domain(place)
    except BadDomain:
        raise BadAddress from None
    before, plus, _ = local.partition("+")
    has_base = plus and before and not is_platform(domain)
    return AddressName(f"{local}@{domain}", domain, f"{before}@{domain}" if has_base else None)


def show_domain(name: str) -> str:
    """A domain as people write it: `xn--…` is spelled out."""
    if "xn--" not in name:
        return name
    try:
        return idna.decode(name)
    except (idna.IDNAError, UnicodeError):
        return name


def write_level(kind: str, name: str) -> str:
    """A level as it is named outside: `workspace`, `global`, `domain:…`, `address:…`."""
    return kind if kind in _WHOLE else f"{kind}:{name}"


def read_level(text: str) -> tuple[str, str]:
    """The kind and name of a level named from outside; never fails, an unknown one is not found."""
    if text in _WHOLE:
        return text, ""
    kind, _, name = text.partition(":")
    try:
        match kind:
            case "domain":
                return kind, read_domain(name)
            case "address":
                return kind, read_address(name).name
            case _:
                return kind, name
    except (BadDomain, BadAddress):
        return kind, name
