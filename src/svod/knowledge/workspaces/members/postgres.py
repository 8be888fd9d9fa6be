"""The SQL of members; one thin function a statement."""

from dataclasses import dataclass
from datetime import datetime

from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.foundation.storage import Statements, Transaction
from svod.knowledge.workspaces.caller import Reading

SQL = Statements("svod.knowledge.workspaces.members")


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member, as listed; `keys` is how many of his could still be used."""

    principal_id: PrincipalId
    role: str
    operator: bool
    limited: bool
    sealed_name: bytes
    sealed_email: bytes | None
    disabled_at: datetime | None
    created_at: datetime
    revision: int
    keys: int


@dataclass(frozen=True, slots=True)
class NewMember:
    """A member to be written, without limits yet."""

    principal_id: PrincipalId
    role: str
    made_by: PrincipalId
    sealed_name: bytes
    sealed_email: bytes
    email_key: bytes


@dataclass(frozen=True, slots=True)
class ChangedMember:
    """What of a member changes; None leaves it, but for `disabled_at`."""

    disabled_at: datetime | None
    role: str | None = None
    sealed_name: bytes | None = None
    sealed_email: bytes | None = None
    email_key: bytes | None = None


async def insert_member(
    tx: Transaction, workspace_id: WorkspaceId, new: NewMember, *, now: datetime
) -> None:
    """A new member without grants."""
    await tx.run(
        SQL.insert_member,
        {
            "workspace_id": workspace_id,
            "principal_id": new.principal_id,
            "role": new.role,
            "made_by": new.made_by,
            "sealed_name": new.sealed_name,
            "sealed_email": new.sealed_email,
            "email_key": new.email_key,
            "now": now,
        },
    )


async def find_by_email(
    tx: Transaction, workspace_id: WorkspaceId, email_key: bytes
) -> PrincipalId | None:
    """The member with an e-mail."""
    keys = {"workspace_id": workspace_id, "email_key": email_key}
    return await tx.value(SQL.find_by_email, keys)


async def list_members(
    tx: Transaction,
    workspace_id: WorkspaceId,
    *,
    now: datetime,
    after: int = -1,
    limit: int = 1,
    principal_id: PrincipalId | None = None,
) -> list[MemberRow]:
    """Members after one, in the order they came, or the one of a number."""
    keys = {
        "workspace_id": workspace_id,
        "now": now,
        "after": after,
        "limit": limit,
        "principal_id": principal_id,
    }
    return await tx.rows(SQL.list_members, keys, row=MemberRow)


async def change_member(
    tx: Transaction, workspace_id: WorkspaceId, principal_id: PrincipalId, changed: ChangedMember
) -> None:
    """Change a member's own row."""
    await tx.run(
        SQL.change_member,
        {
            "workspace_id": workspace_id,
            "principal_id": principal_id,
            "role": changed.role,
            "sealed_name": changed.sealed_name,
            "sealed_email": changed.sealed_email,
            "email_key": changed.email_key,
            "disabled_at": changed.disabled_at,
        },
    )


async def other_owners(
    tx: Transaction, workspace_id: WorkspaceId, principal_id: PrincipalId
) -> int:
    """How many owners who may act there are besides one."""
    keys = {"workspace_id": workspace_id, "principal_id": principal_id}
    return await tx.value(SQL.other_owners, keys)


async def delete_member(
    tx: Transaction, workspace_id: WorkspaceId, principal_id: PrincipalId
) -> None:
    """Remove a member and his keys."""
    keys = {"workspace_id": workspace_id, "principal_id": principal_id}
    await tx.run(SQL.delete_member, keys)


async def rename_login(
    tx: Transaction,
    system: Reading,
    login_key: bytes,
    own: Reading,
    principal_id: PrincipalId,
) -> None:
    """Let a member sign in with another e-mail; nothing if he has no password."""
    keys = {
        "system_id": system.workspace_id,
        "login_key": login_key,
        "workspace_id": own.workspace_id,
        "principal_id": principal_id,
    }
    await tx.run(SQL.rename_login, keys)
