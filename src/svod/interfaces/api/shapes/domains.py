"""Domains and addresses."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from svod.foundation.ids import write_id
from svod.interfaces.api.shapes.pages import PageAsked
from svod.interfaces.api.shapes.strict import Asked, Moment, Told
from svod.knowledge.workspaces.domains import Address, Addresses, Domain, Domains


class DomainAsked(Asked):
    """A domain to register: a mail domain, or a channel on a platform."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "example.com"}, {"name": "telegram:shop_bot"}]}
    )

    name: Annotated[str, Field(min_length=1, max_length=300)]


class AddressAsked(Asked):
    """An address to register, of a registered domain."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "support@example.com"}]})

    name: Annotated[str, Field(min_length=1, max_length=400)]


class AddressesAsked(PageAsked):
    """Which addresses: all, or those of one domain."""

    domain: Annotated[str, Field(max_length=300)] | None = None


class DomainTold(Told):
    """A domain. `level` names it as a level; `items` counts those of its addresses too."""

    domain_id: str
    name: str
    shown_as: str
    kind: Literal["mail", "platform"]
    level: str
    addresses: int
    items: int
    created_at: Moment

    @classmethod
    def of(cls, domain: Domain) -> "DomainTold":
        """The domain as it is told."""
        return cls(
            domain_id=write_id(domain.domain_id),
            name=domain.name,
            shown_as=domain.shown_as,
            kind="platform" if domain.platform else "mail",
            level=domain.level,
            addresses=domain.addresses,
            items=domain.items,
            created_at=domain.created_at,
        )


DOMAIN_EXAMPLE: dict[str, Any] = {
    "domain_id": "0000000000002",
    "name": "xn----7sbbr1acdnljs4o.xn--p1ai",
    "shown_as": "лесная-полка.рф",
    "kind": "mail",
    "level": "domain:xn----7sbbr1acdnljs4o.xn--p1ai",
    "addresses": 2,
    "items": 12,
    "created_at": "2026-11-30T12:00:00Z",
}


class DomainsTold(Told):
    """Domains, in the order registered."""

    domains: list[DomainTold]
    next_cursor: str | None

    @classmethod
    def of(cls, page: Domains) -> "DomainsTold":
        """The page as it is told."""
        return cls(
            domains=[DomainTold.of(domain) for domain in page.domains],
            next_cursor=write_id(page.next_after) if page.next_after else None,
        )


DOMAINS_EXAMPLE: dict[str, Any] = {"domains": [DOMAIN_EXAMPLE], "next_cursor": None}


class AddressTold(Told):
    """An address. `base` is the address that a plus-address reads before its domain."""

    address_id: str
    name: str
    domain: str
    base: str | None
    level: str
    items: int
    created_at: Moment

    @classmethod
    def of(cls, address: Address) -> "AddressTold":
        """The address as it is told."""
        return cls(
            address_id=write_id(address.address_id),
            name=address.name,
            domain=address.domain,
            base=address.base,
            level=address.level,
            items=address.items,
            created_at=address.created_at,
        )


ADDRESS_EXAMPLE: dict[str, Any] = {
    "address_id": "0000000000003",
    "name": "support+eu@example.com",
    "domain": "example.com",
    "base": "support@example.com",
    "level": "address:support+eu@example.com",
    "items": 3,
    "created_at": "2026-11-30T12:00:00Z",
}


class AddressesTold(Told):
    """Addresses, in the order registered."""

    addresses: list[AddressTold]
    next_cursor: str | None

    @classmethod
    def of(cls, page: Addresses) -> "AddressesTold":
        """The page as it is told."""
        return cls(
            addresses=[AddressTold.of(address) for address in page.addresses],
            next_cursor=write_id(page.next_after) if page.next_after else None,
        )


ADDRESSES_EXAMPLE: dict[str, Any] = {"addresses": [ADDRESS_EXAMPLE], "next_cursor": None}
