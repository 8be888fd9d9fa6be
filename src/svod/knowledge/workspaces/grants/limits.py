"""Limits to some domains and addresses, and the grants that follow from them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from svod.foundation.errors import Invalid, Says
from svod.foundation.ids import LevelId, PrincipalId, WorkspaceId
from svod.foundation.storage import Transaction
from svod.knowledge.workspaces.caller import Reading
from svod.knowledge.workspaces.errors import LevelNotFound
from svod.knowledge.workspaces.grants import postgres
from svod.knowledge.workspaces.names import read_level, write_level

MOST_LIMITS = 1000
_LIMITABLE = ("domain", "address")


class Grant(StrEnum):
    """What is granted on a domain or address (X2a)."""

    READ = "read"
    SEND = "send"


@dataclass(frozen=True, slots=True)
class Limit:
    """A domain or address, named as a level, and what is granted there."""

    level: str
    grant: Grant


class BadLimit(Invalid):
    """One is limited to domains and addresses, and to no more of them than can be listed."""

    code = "workspaces.bad_limit"
    says = Says(
        "One can be limited to at most {most} domains and addresses, not to «{level}».",
        "Ограничить можно доменами и адресами, не больше {most}, но не уровнем «{level}».",
    )
    hint = Says(
        "Name a level as `domain:example.com` or `address:support@example.com`.",
        "Назовите уровень как `domain:example.com` или `address:support@example.com`.",
    )


async def settle(
    tx: Transaction,
    workspace_id: WorkspaceId,
    *,
    principals: Sequence[PrincipalId] | None = None,
    levels: Sequence[LevelId] | None = None,
) -> None:
    """Write the grants that follow from limits: of some principals and their keys, on some levels.

    To be called in the transaction that made, changed or removed a level, a principal or a limit,
    once `lock_people` holds the workspace.
    """
    await postgres.settle_grants(tx, workspace_id, principal_ids=principals, level_ids=levels)


async def set_limits(
    tx: Transaction,
    giver: Reading,
    principal_id: PrincipalId,
    limits: Sequence[Limit] | None,
) -> None:
    """Limit a principal to what is named, or to nothing at all by an empty list; None lifts it.

    A level named twice counts with the greater grant. The grants are not settled yet.

    Raises:
        BadLimit: something else than a domain or address, or more than `MOST_LIMITS`.
        LevelNotFound: there is no such domain or address that the giver may read.
    """
    if limits is None:
        await postgres.replace_limits(tx, giver.workspace_id, principal_id, None)
        return
    wished: dict[tuple[str, str], bool] = {}
    for limit in limits:
        named = read_level(limit.level)
        if named[0] not in _LIMITABLE or len(wished) >= MOST_LIMITS:
            raise BadLimit(level=limit.level, most=MOST_LIMITS)
        wished[named] = wished.get(named, False) or limit.grant is Grant.SEND
    found = await postgres.find_limit_levels(
        tx, giver.workspace_id, giver.principal_id, list(wished)
    )
    known = {(level.kind, level.name): level.level_id for level in found}
    for kind, name in wished:
        if (kind, name) not in known:
            raise LevelNotFound(level=write_level(kind, name))
    rows = [(known[named], may_send) for named, may_send in wished.items()]
    await postgres.replace_limits(tx, giver.workspace_id, principal_id, rows)


async def limits_of(
    tx: Transaction, workspace_id: WorkspaceId, principals: Sequence[PrincipalId]
) -> Mapping[PrincipalId, tuple[Limit, ...]]:
    """What each is limited to; those who are limited to nothing have an empty entry."""
    found: dict[PrincipalId, tuple[Limit, ...]] = defaultdict(tuple)
    for row in await postgres.list_limits(tx, workspace_id, principals):
        limit = Limit(write_level(row.kind, row.name), Grant.SEND if row.may_send else Grant.READ)
        found[row.principal_id] += (limit,)
    return found
