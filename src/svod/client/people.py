"""What calls about people and places give back."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Limit:
    """A domain or address, named as a level, and what is granted there: `read` or `send`."""

    level: str
    grant: str


@dataclass(frozen=True, slots=True)
class Level:
    """A level that the caller may read."""

    name: str
    kind: str
    items: int
    may_change: bool


@dataclass(frozen=True, slots=True)
class Whoami:
    """Who the caller is, and what he may do where; `limits` is None for one who is not limited."""

    workspace_id: str
    workspace_name: str
    principal_id: str
    kind: str
    name: str
    permissions: tuple[str, ...]
    operator: bool
    expires_at: datetime | None
    role: str | None
    limits: tuple[Limit, ...] | None
    levels: tuple[Level, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """A key without its secret; `member_id` is the member whose it is, `made_by` who made it."""

    principal_id: str
    name: str
    permissions: tuple[str, ...]
    operator: bool
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    limits: tuple[Limit, ...] | None
    member_id: str | None
    made_by: str | None


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key just made; the secret is shown this once."""

    key: Key
    secret: str


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain, `mail` or `platform`; `items` counts those of its addresses too."""

    domain_id: str
    name: str
    shown_as: str
    kind: str
    level: str
    addresses: int
    items: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Address:
    """An address; `base` is the address that a plus-address reads before its domain."""

    address_id: str
    name: str
    domain: str
    base: str | None
    level: str
    items: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Member:
    """A member; `limits` is None for one who is not limited, `keys` counts those still usable."""

    member_id: str
    email: str | None
    name: str
    role: str
    limits: tuple[Limit, ...] | None
    operator: bool
    disabled_at: datetime | None
    created_at: datetime
    revision: int
    keys: int


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace; `is_first` is the operator's own."""

    workspace_id: str
    name: str
    language: str
    is_first: bool
    created_at: datetime
    revision: int


@dataclass(frozen=True, slots=True)
class NewWorkspace:
    """A workspace just made, and its owner's first key; its secret is shown this once."""

    workspace: Workspace
    key: NewKey
