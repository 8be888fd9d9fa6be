"""The SQL of whole workspaces; one thin function a statement."""

from dataclasses import dataclass
from datetime import datetime

from svod.foundation.ids import WorkspaceId
from svod.foundation.storage import Statements, Transaction

SQL = Statements("svod.knowledge.workspaces.tenants")


@dataclass(frozen=True, slots=True)
class TenantRow:
    """A workspace; its name is opened by its own vault."""

    workspace_id: WorkspaceId
    sealed_name: bytes
    language: str
    created_at: datetime
    revision: int


async def list_tenants(
    tx: Transaction,
    *,
    after: int = 0,
    limit: int = 1,
    workspace_id: WorkspaceId | None = None,
) -> list[TenantRow]:
    """Workspaces after one, by id, without the system's; or the one of an id."""
    keys = {"after": after, "limit": limit, "workspace_id": workspace_id}
    return await tx.rows(SQL.list_tenants, keys, row=TenantRow)


async def hold_tenant(tx: Transaction, workspace_id: WorkspaceId) -> int | None:
    """Hold a workspace for changing it; its revision, or None when there is none."""
    return await tx.value(SQL.hold_tenant, {"workspace_id": workspace_id})


async def hold_whole(tx: Transaction, workspace_id: WorkspaceId) -> bool:
    """Hold a workspace for deleting it; False when it is gone.

    Its items and namespaces are held by the room that removes them, in the order in which others
    hold them.
    """
    keys = {"workspace_id": workspace_id}
    if await tx.value(SQL.hold_whole, keys) is None:
        return False
    await tx.value(SQL.take_time)
    return True


async def change_tenant(
    tx: Transaction, workspace_id: WorkspaceId, *, sealed_name: bytes | None, language: str | None
) -> None:
    """Change what is not None."""
    keys = {"workspace_id": workspace_id, "sealed_name": sealed_name, "language": language}
    await tx.run(SQL.change_tenant, keys)


async def release_domains(tx: Transaction, system: WorkspaceId, holder_id: WorkspaceId) -> None:
    """Let others hold the domains of a workspace."""
    await tx.run(SQL.release_domains, {"workspace_id": system, "holder_id": holder_id})


async def delete_rows(tx: Transaction, workspace_id: WorkspaceId) -> None:
    """Remove every row of a workspace from every table, itself and its keys included."""
    await tx.value(SQL.delete_rows, {"workspace_id": workspace_id})
