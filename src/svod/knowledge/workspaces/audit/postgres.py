"""The SQL of the log; one thin function a statement."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.foundation.storage import Statements, Transaction

SQL = Statements("svod.knowledge.workspaces.audit")


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to write."""

    audit_id: int
    at: datetime
    principal_id: PrincipalId
    action: str
    subject_id: int | None
    sealed_facts: bytes


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry, with the name of who did it if he is still there."""

    audit_id: int
    at: datetime
    principal_id: PrincipalId
    action: str
    subject_id: int | None
    sealed_facts: bytes
    sealed_name: bytes | None


async def insert_entry(tx: Transaction, workspace_id: WorkspaceId, entry: NewEntry) -> None:
    """Write an entry."""
    await tx.run(SQL.insert_entry, {"workspace_id": workspace_id, **asdict(entry)})


async def list_entries(
    tx: Transaction, workspace_id: WorkspaceId, filters: Mapping[str, object]
) -> list[EntryRow]:
    """Entries, newest first; `filters` names every parameter."""
    return await tx.rows(SQL.list_entries, {"workspace_id": workspace_id, **filters}, row=EntryRow)
