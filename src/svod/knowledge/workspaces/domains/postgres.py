"""The SQL of domains and addresses; one thin function a statement."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from svod.foundation.ids import LevelId, WorkspaceId
from svod.foundation.storage import Statements, Transaction

SQL = Statements("svod.knowledge.workspaces.domains")


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A level by its kind and name."""

    level_id: LevelId
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class DomainRow:
    """A domain, as listed."""

    level_id: LevelId
    name: str
    created_at: datetime
    addresses: int
    items: int


@dataclass(frozen=True, slots=True)
class AddressRow:
    """An address, as listed; `base` where it is a plus-address."""

    level_id: LevelId
    name: str
    domain: str
    base: str | None
    created_at: datetime
    items: int


async def hold_domain(
    tx: Transaction, system: WorkspaceId, name: str, holder_id: WorkspaceId
) -> bool:
    """Hold a domain for a workspace; False when it is held already, by whomever."""
    keys = {"workspace_id": system, "name": name, "holder_id": holder_id}
    return await tx.run(SQL.hold_domain, keys) > 0


async def release_domain(
    tx: Transaction, system: WorkspaceId, name: str, holder_id: WorkspaceId
) -> None:
    """Let another workspace hold a domain."""
    keys = {"workspace_id": system, "name": name, "holder_id": holder_id}
    await tx.run(SQL.release_domain, keys)


async def find_levels(
    tx: Transaction, workspace_id: WorkspaceId, named: Sequence[tuple[str, str]]
) -> list[PlaceRow]:
    """The levels of these kinds and names that are there, in the order asked."""
    keys = {
        "workspace_id": workspace_id,
        "kinds": [kind for kind, _ in named],
        "names": [name for _, name in named],
    }
    return await tx.rows(SQL.find_levels, keys, row=PlaceRow)


async def list_domains(
    tx: Transaction,
    workspace_id: WorkspaceId,
    *,
    after: int = 0,
    limit: int = 1,
    level_id: LevelId | None = None,
) -> list[DomainRow]:
    """Domains after one, in the order registered, or the one of an id."""
    keys = {"workspace_id": workspace_id, "after": after, "limit": limit, "level_id": level_id}
    return await tx.rows(SQL.list_domains, keys, row=DomainRow)


async def list_addresses(
    tx: Transaction,
    workspace_id: WorkspaceId,
    *,
    after: int = 0,
    limit: int = 1,
    level_id: LevelId | None = None,
    domain: str | None = None,
) -> list[AddressRow]:
    """Addresses after one, in the order registered, of one domain or all; or the one of an id."""
    keys = {
        "workspace_id": workspace_id,
        "after": after,
        "limit": limit,
        "level_id": level_id,
        "domain": domain,
    }
    return await tx.rows(SQL.list_addresses, keys, row=AddressRow)


async def levels_below(
    tx: Transaction, workspace_id: WorkspaceId, level_id: LevelId, *, kind: str
) -> list[PlaceRow]:
    """A level of this kind, first, and those that stand on it; empty when there is none."""
    keys = {"workspace_id": workspace_id, "level_id": level_id, "kind": kind}
    return await tx.rows(SQL.levels_below, keys, row=PlaceRow)


async def delete_levels(
    tx: Transaction, workspace_id: WorkspaceId, level_ids: Sequence[LevelId]
) -> None:
    """Remove levels on which no items are left."""
    keys = {"workspace_id": workspace_id, "level_ids": list(level_ids)}
    await tx.run(SQL.delete_levels, keys)
