"""The SQL of signing in; one thin function a statement."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.foundation.storage import Statements, Transaction
from svod.knowledge.workspaces.caller import Reading
from svod.knowledge.workspaces.secrets import shared_hash

SQL = Statements("svod.knowledge.workspaces.sign_in")


@dataclass(frozen=True, slots=True)
class LoginRow:
    """Who may sign in, and the e-mail that he has as a member now."""

    holder_id: WorkspaceId
    principal_id: PrincipalId
    password_hash: str
    sealed_email: bytes | None
    email_key: bytes | None


@dataclass(frozen=True, slots=True)
class InvitedRow:
    """Whose an invitation is."""

    principal_id: PrincipalId
    sealed_email: bytes | None


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A workspace that a session leads to."""

    workspace_id: WorkspaceId
    principal_id: PrincipalId
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """How often a name was tried in the running window."""

    name_key: bytes
    count: int


async def list_logins(
    tx: Transaction, system: WorkspaceId, login_key: bytes, *, most: int
) -> list[LoginRow]:
    """Members who may act and have a password, by the e-mail that they set it with."""
    keys = {"workspace_id": system, "login_key": login_key, "most": most}
    return await tx.rows(SQL.list_logins, keys, row=LoginRow)


async def find_login(tx: Transaction, system: WorkspaceId, reading: Reading) -> LoginRow | None:
    """A member's password, if he has one."""
    keys = {"system_id": system, **reading.sql}
    return await tx.first(SQL.find_login, keys, row=LoginRow)


async def put_login(
    tx: Transaction,
    system: WorkspaceId,
    login_key: bytes,
    reading: Reading,
    password_hash: str,
    *,
    now: datetime,
) -> None:
    """Keep a member's password, in place of an earlier one."""
    await tx.run(
        SQL.put_login,
        {
            "system_id": system,
            "login_key": login_key,
            **reading.sql,
            "password_hash": password_hash,
            "now": now,
        },
    )


async def insert_session(
    tx: Transaction, reading: Reading, secret_hash: bytes, *, now: datetime, expires_at: datetime
) -> None:
    """A session of a member."""
    keys = {**reading.sql, "secret_hash": secret_hash, "now": now, "expires_at": expires_at}
    await tx.run(SQL.insert_session, keys)


async def use_session(
    tx: Transaction,
    workspace_id: WorkspaceId,
    secret_hash: bytes,
    *,
    now: datetime,
    idle_since: datetime,
) -> PrincipalId | None:
    """The member of a session that lives; notes that it was seen."""
    keys = {
        "workspace_id": workspace_id,
        "secret_hash": secret_hash,
        "now": now,
        "idle_since": idle_since,
    }
    return await tx.value(SQL.use_session, keys)


async def list_sessions(
    tx: Transaction,
    system: WorkspaceId,
    entered: WorkspaceId,
    secret_hash: bytes,
    *,
    now: datetime,
) -> list[SessionRow]:
    """Every workspace that a session leads to, the entered one first."""
    keys = {
        "system_id": system,
        "workspace_id": entered,
        "secret_hash": secret_hash,
        "now": now,
    }
    return await tx.rows(SQL.list_sessions, keys, row=SessionRow)


async def end_session(tx: Transaction, reading: Reading, secret_hash: bytes) -> None:
    """End a session in one workspace."""
    await tx.run(
        SQL.end_session, {"workspace_id": reading.workspace_id, "secret_hash": secret_hash}
    )


async def end_sessions(tx: Transaction, reading: Reading, *, but: str | None) -> None:
    """End every session of a member, but the one of a secret."""
    kept = shared_hash(but) if but else b""
    await tx.run(SQL.end_sessions, {**reading.sql, "kept": kept})


async def put_invitation(
    tx: Transaction,
    workspace_id: WorkspaceId,
    principal_id: PrincipalId,
    secret_hash: bytes,
    *,
    expires_at: datetime,
) -> None:
    """A member's invitation, in place of an earlier one."""
    await tx.run(
        SQL.put_invitation,
        {
            "workspace_id": workspace_id,
            "principal_id": principal_id,
            "secret_hash": secret_hash,
            "expires_at": expires_at,
        },
    )


async def find_invitation(
    tx: Transaction, workspace_id: WorkspaceId, secret_hash: bytes, *, now: datetime
) -> InvitedRow | None:
    """Whose an invitation is that can still be spent."""
    keys = {"workspace_id": workspace_id, "secret_hash": secret_hash, "now": now}
    return await tx.first(SQL.find_invitation, keys, row=InvitedRow)


async def spend_invitation(
    tx: Transaction, workspace_id: WorkspaceId, secret_hash: bytes, *, now: datetime
) -> bool:
    """Spend an invitation; False when it is gone or too old."""
    keys = {"workspace_id": workspace_id, "secret_hash": secret_hash, "now": now}
    return await tx.run(SQL.spend_invitation, keys) > 0


async def count_attempts(
    tx: Transaction,
    system: WorkspaceId,
    name_keys: Sequence[bytes],
    *,
    now: datetime,
    window_began: datetime,
) -> list[AttemptRow]:
    """Count one more attempt of each name; how many there were in its window."""
    keys = {
        "workspace_id": system,
        "name_keys": list(name_keys),
        "now": now,
        "window_began": window_began,
    }
    return await tx.rows(SQL.count_attempts, keys, row=AttemptRow)


async def forget_attempts(tx: Transaction, system: WorkspaceId, name_key: bytes) -> None:
    """Forget the attempts of a name, and all those of windows long over."""
    await tx.run(SQL.forget_attempts, {"workspace_id": system, "name_key": name_key})
