"""The SQL of workspaces, levels, principals and keys; one thin function a statement."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from svod.foundation.ids import LevelId, NamespaceId, PrincipalId, WorkspaceId
from svod.foundation.storage import Statements, Transaction
from svod.knowledge.workspaces.caller import Reading

SQL = Statements("svod.knowledge.workspaces")


@dataclass(frozen=True, slots=True)
class PrincipalRow:
    """Who may act now. Role and member are those of the member who bounds him: himself, or a key's.

    `limited_as` is whose limits count first: his own, else his member's; None for one without.
    """

    principal_id: PrincipalId
    kind: str
    permissions: list[str]
    limited_as: PrincipalId | None
    operator: bool
    role: str
    member_id: PrincipalId
    sealed_name: bytes
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class NewPrincipal:
    """A principal to be written, without limits yet; a member has a role, a key a member."""

    principal_id: PrincipalId
    kind: str
    sealed_name: bytes
    permissions: Sequence[str] = ()
    operator: bool = False
    role: str | None = None
    member_id: PrincipalId | None = None
    made_by: PrincipalId | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key's principal, as listed."""

    principal_id: PrincipalId
    permissions: list[str]
    operator: bool
    limited: bool
    member_id: PrincipalId
    made_by: PrincipalId | None
    sealed_name: bytes
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class LevelRow:
    """A level that may be read."""

    kind: str
    name: str
    may_send: bool
    items: int


@dataclass(frozen=True, slots=True)
class PathRow:
    """A level on a read path."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class GrantedLevel:
    """A level found by name, and whether it may be changed."""

    level_id: LevelId
    may_send: bool


async def system_workspace(tx: Transaction) -> WorkspaceId | None:
    """The workspace that holds the global level, once there is one."""
    return await tx.value(SQL.system_workspace)


async def lock_first_run(tx: Transaction) -> None:
    """Wait for whoever else makes the first workspace."""
    await tx.value(SQL.lock_first_run)


async def tenants(tx: Transaction) -> list[WorkspaceId]:
    """Every workspace but the system's, oldest first."""
    return await tx.values(SQL.tenants)


async def insert_workspace(
    tx: Transaction,
    workspace_id: WorkspaceId,
    *,
    kind: str,
    sealed_name: bytes,
    language: str,
    now: datetime,
) -> None:
    """A new workspace, without keys or levels yet."""
    await tx.run(
        SQL.insert_workspace,
        {
            "workspace_id": workspace_id,
            "kind": kind,
            "sealed_name": sealed_name,
            "language": language,
            "now": now,
        },
    )


async def name_workspace(tx: Transaction, workspace_id: WorkspaceId, sealed_name: bytes) -> None:
    """Name a workspace."""
    await tx.run(SQL.name_workspace, {"workspace_id": workspace_id, "sealed_name": sealed_name})


async def workspace_name(tx: Transaction, workspace_id: WorkspaceId) -> bytes | None:
    """The sealed name; None when there is no such workspace."""
    return await tx.value(SQL.workspace_name, {"workspace_id": workspace_id})


async def draw_number(tx: Transaction, workspace_id: WorkspaceId, name: str) -> int:
    """The next number of a counter of the workspace, from 1."""
    return await tx.value(
        SQL.draw_numbers, {"workspace_id": workspace_id, "name": name, "count": 1}
    )


async def insert_level(
    tx: Transaction,
    workspace_id: WorkspaceId,
    level_id: LevelId,
    *,
    kind: str,
    name: str,
    parent: LevelId | None,
    now: datetime,
) -> None:
    """A new level, granted to nobody yet."""
    await tx.run(
        SQL.insert_level,
        {
            "workspace_id": workspace_id,
            "level_id": level_id,
            "kind": kind,
            "name": name,
            "parent_level_id": parent,
            "now": now,
        },
    )


async def insert_principal(
    tx: Transaction, workspace_id: WorkspaceId, new: NewPrincipal, *, now: datetime
) -> None:
    """A new principal without grants."""
    await tx.run(
        SQL.insert_principal,
        {
            "workspace_id": workspace_id,
            "principal_id": new.principal_id,
            "kind": new.kind,
            "permissions": list(new.permissions),
            "operator": new.operator,
            "role": new.role,
            "member_id": new.member_id,
            "made_by": new.made_by,
            "sealed_name": new.sealed_name,
            "expires_at": new.expires_at,
            "now": now,
        },
    )


async def grant_level(
    tx: Transaction,
    workspace_id: WorkspaceId,
    principal_id: PrincipalId,
    level_id: LevelId,
    *,
    may_read: bool,
    may_send: bool,
) -> None:
    """Set what a principal may do on one level."""
    await tx.run(
        SQL.grant_level,
        {
            "workspace_id": workspace_id,
            "principal_id": principal_id,
            "level_id": level_id,
            "may_read": may_read,
            "may_send": may_send,
        },
    )


async def insert_key(
    tx: Transaction, workspace_id: WorkspaceId, secret_hash: bytes, principal_id: PrincipalId
) -> None:
    """The hash by which a principal's key is found."""
    await tx.run(
        SQL.insert_key,
        {"workspace_id": workspace_id, "secret_hash": secret_hash, "principal_id": principal_id},
    )


async def use_key(
    tx: Transaction, workspace_id: WorkspaceId, secret_hash: bytes, *, now: datetime
) -> PrincipalRow | None:
    """The principal of a valid key; notes its last use."""
    return await tx.first(
        SQL.use_key,
        {"workspace_id": workspace_id, "secret_hash": secret_hash, "now": now},
        row=PrincipalRow,
    )


async def find_principal(
    tx: Transaction, workspace_id: WorkspaceId, principal_id: PrincipalId
) -> PrincipalRow | None:
    """A member or key by number, if he may act."""
    return await tx.first(
        SQL.find_principal,
        {"workspace_id": workspace_id, "principal_id": principal_id},
        row=PrincipalRow,
    )


async def list_keys(tx: Transaction, workspace_id: WorkspaceId) -> list[KeyRow]:
    """Every key, oldest first."""
    return await tx.rows(SQL.list_keys, {"workspace_id": workspace_id}, row=KeyRow)


async def revoke_key(
    tx: Transaction, workspace_id: WorkspaceId, principal_id: PrincipalId, *, now: datetime
) -> bool:
    """Revoke a key; False when there is none."""
    keys = {"workspace_id": workspace_id, "principal_id": principal_id, "now": now}
    return await tx.run(SQL.revoke_key, keys) > 0


async def list_levels(
    tx: Transaction, workspace_id: WorkspaceId, principal_id: PrincipalId
) -> list[LevelRow]:
    """The levels that a principal may read."""
    keys = {"workspace_id": workspace_id, "principal_id": principal_id}
    return await tx.rows(SQL.list_levels, keys, row=LevelRow)


async def find_level(
    tx: Transaction, workspace_id: WorkspaceId, principal_id: PrincipalId, *, kind: str, name: str
) -> GrantedLevel | None:
    """A level by name, if the principal may read it."""
    return await tx.first(
        SQL.find_level,
        {"workspace_id": workspace_id, "principal_id": principal_id, "kind": kind, "name": name},
        row=GrantedLevel,
    )


async def read_path(tx: Transaction, reading: Reading, *, kind: str, name: str) -> list[PathRow]:
    """A level and those above it that may be read; empty when the level itself may not."""
    return await tx.rows(SQL.read_path, reading.sql | {"kind": kind, "name": name}, row=PathRow)


async def find_namespace(
    tx: Transaction, workspace_id: WorkspaceId, level_id: LevelId, name: str
) -> NamespaceId | None:
    """A namespace of a level by its machine name."""
    keys = {"workspace_id": workspace_id, "level_id": level_id, "clean_namespace": name}
    return await tx.value(SQL.find_namespace, keys)


async def insert_namespace(
    tx: Transaction,
    workspace_id: WorkspaceId,
    level_id: LevelId,
    name: str,
    namespace_id: NamespaceId,
    *,
    now: datetime,
) -> None:
    """A new namespace; nothing happens if another one took the name meanwhile."""
    await tx.run(
        SQL.insert_namespace,
        {
            "workspace_id": workspace_id,
            "level_id": level_id,
            "clean_namespace": name,
            "namespace_id": namespace_id,
            "now": now,
        },
    )


async def replace_setup_link(
    tx: Transaction, workspace_id: WorkspaceId, secret_hash: bytes, *, expires_at: datetime
) -> None:
    """A new set-up link in place of an unused one."""
    await tx.run(
        SQL.replace_setup_link,
        {"workspace_id": workspace_id, "secret_hash": secret_hash, "expires_at": expires_at},
    )


async def setup_was_done(tx: Transaction, workspace_id: WorkspaceId) -> bool:
    """Whether a set-up link was ever used."""
    return await tx.value(SQL.setup_was_done, {"workspace_id": workspace_id})


async def use_setup_link(
    tx: Transaction, workspace_id: WorkspaceId, secret_hash: bytes, *, now: datetime
) -> bool:
    """Spend a set-up link; False when it is not there, too old, or spent."""
    keys = {"workspace_id": workspace_id, "secret_hash": secret_hash, "now": now}
    return await tx.run(SQL.use_setup_link, keys) > 0
