"""The SQL of limits and of the grants that follow from them; one thin function a statement."""

from collections.abc import Sequence
from dataclasses import dataclass

from svod.foundation.ids import LevelId, PrincipalId, WorkspaceId
from svod.foundation.storage import Statements, Transaction

SQL = Statements("svod.knowledge.workspaces.grants")


@dataclass(frozen=True, slots=True)
class FoundLevel:
    """A domain or address that was named."""

    level_id: LevelId
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class LimitRow:
    """One level that a principal is limited to."""

    principal_id: PrincipalId
    kind: str
    name: str
    may_send: bool


async def lock_people(tx: Transaction, workspace_id: WorkspaceId) -> bool:
    """Wait for whoever else changes levels or people; False when the workspace is gone."""
    return await tx.value(SQL.lock_people, {"workspace_id": workspace_id}) is not None


async def settle_grants(
    tx: Transaction,
    workspace_id: WorkspaceId,
    *,
    principal_ids: Sequence[PrincipalId] | None,
    level_ids: Sequence[LevelId] | None,
) -> None:
    """Write the grants that follow from limits; None stands for all."""
    await tx.run(
        SQL.settle_grants,
        {
            "workspace_id": workspace_id,
            "principal_ids": None if principal_ids is None else list(principal_ids),
            "level_ids": None if level_ids is None else list(level_ids),
        },
    )


async def find_limit_levels(
    tx: Transaction,
    workspace_id: WorkspaceId,
    principal_id: PrincipalId,
    named: Sequence[tuple[str, str]],
) -> list[FoundLevel]:
    """The domains and addresses of these kinds and names that a principal may read."""
    keys = {
        "workspace_id": workspace_id,
        "principal_id": principal_id,
        "kinds": [kind for kind, _ in named],
        "names": [name for _, name in named],
    }
    return await tx.rows(SQL.find_limit_levels, keys, row=FoundLevel)


async def replace_limits(
    tx: Transaction,
    workspace_id: WorkspaceId,
    principal_id: PrincipalId,
    limits: Sequence[tuple[LevelId, bool]] | None,
) -> None:
    """Limit a principal to levels, each with whether he may send there; None limits him nowhere."""
    keys = {"workspace_id": workspace_id, "principal_id": principal_id}
    await tx.run(SQL.set_limited, keys | {"limited": limits is not None})
    await tx.run(SQL.clear_limits, keys)
    if limits:
        ids, sends = [level for level, _ in limits], [may_send for _, may_send in limits]
        await tx.run(SQL.insert_limits, keys | {"level_ids": ids, "may_sends": sends})


async def list_limits(
    tx: Transaction, workspace_id: WorkspaceId, principal_ids: Sequence[PrincipalId]
) -> list[LimitRow]:
    """What principals are limited to, domains first."""
    keys = {"workspace_id": workspace_id, "principal_ids": list(principal_ids)}
    return await tx.rows(SQL.list_limits, keys, row=LimitRow)


async def limited_to(
    tx: Transaction, workspace_id: WorkspaceId, level_ids: Sequence[LevelId]
) -> list[PrincipalId]:
    """Who is limited to some of these levels."""
    keys = {"workspace_id": workspace_id, "level_ids": list(level_ids)}
    return await tx.values(SQL.limited_to, keys)
