"""What is told about domains and addresses."""

from dataclasses import dataclass
from datetime import datetime

from svod.foundation.ids import LevelId


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain: `shown_as` spells `xn--…` out; `items` counts its own and those of its addresses."""

    domain_id: LevelId
    name: str
    shown_as: str
    platform: bool
    addresses: int
    items: int
    created_at: datetime

    @property
    def level(self) -> str:
        """The level of the same name."""
        return f"domain:{self.name}"


@dataclass(frozen=True, slots=True)
class Address:
    """An address; `base` is the address that a plus-address stands on."""

    address_id: LevelId
    name: str
    domain: str
    base: str | None
    items: int
    created_at: datetime

    @property
    def level(self) -> str:
        """The level of the same name."""
        return f"address:{self.name}"


@dataclass(frozen=True, slots=True)
class Domains:
    """A page of domains; `next_after` is what to ask the next page with, None at the end."""

    domains: tuple[Domain, ...]
    next_after: LevelId | None


@dataclass(frozen=True, slots=True)
class Addresses:
    """A page of addresses; `next_after` is what to ask the next page with, None at the end."""

    addresses: tuple[Address, ...]
    next_after: LevelId | None
