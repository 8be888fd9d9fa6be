"""API keys and the set-up link: made, found by their secret, revoked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from svod.foundation.clock import Clock
from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.foundation.storage import Transaction, Vault
from svod.knowledge.workspaces import postgres
from svod.knowledge.workspaces.audit import Action, record
from svod.knowledge.workspaces.caller import Caller, Reading
from svod.knowledge.workspaces.errors import (
    AdminLimited,
    BadKeyRequest,
    KeyNotFound,
    KeyTooStrong,
    OwnKeyRevoked,
    SetupLinkSpent,
)
from svod.knowledge.workspaces.first_run import OWNER
from svod.knowledge.workspaces.grants import Limit, limits_of, lock_people, set_limits, settle
from svod.knowledge.workspaces.roles import Permission
from svod.knowledge.workspaces.secrets import new_secret, secret_hash
from svod.knowledge.workspaces.views import KeyView, NewKey

LONGEST_NAME = 100
SETUP_LINK_LIFE = timedelta(hours=24)
LATEST_EXPIRY = datetime(9999, 1, 1, tzinfo=UTC)
"""Later ones can be stored, but no clock of Python reads them back in every time zone."""


@dataclass(frozen=True, slots=True)
class NewKeyRow:
    """A key to be written: whose it is, who made it, and what it may do."""

    member_id: PrincipalId
    made_by: PrincipalId
    name: str
    permissions: frozenset[Permission]
    expires_at: datetime | None
    operator: bool = False


async def make_key(
    tx: Transaction,
    clock: Clock,
    caller: Caller,
    *,
    name: str,
    permissions: frozenset[Permission],
    expires_at: datetime | None,
    limits: Sequence[Limit] | None = None,
) -> NewKey:
    """A key of the caller's member that may do no more than he, and no more than its maker.

    What the member loses later the key loses too: see `use_key`.

    Raises:
        BadKeyRequest: no name, no permission, or an expiry in the past or beyond any calendar.
        KeyTooStrong: a permission that the maker lacks.
        AdminLimited: an admin's key is not limited to addresses.
        BadLimit, LevelNotFound: it is limited to what is no domain or address here.
    """
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME or not permissions:
        raise BadKeyRequest
    if expires_at is not None and not clock.now() < expires_at <= LATEST_EXPIRY:
        raise BadKeyRequest
    for permission in permissions:
        if not caller.may(permission):
            raise KeyTooStrong(permission=permission.value)
    if limits is not None and Permission.ADMIN in permissions:
        raise AdminLimited
    await lock_people(tx, caller.own.workspace_id)
    new = NewKeyRow(
        member_id=caller.member_id or OWNER,
        made_by=caller.own.principal_id,
        name=name,
        permissions=permissions,
        expires_at=expires_at,
    )
    return await _write_key(tx, clock, caller.own, new, limits)


async def make_owner_key(
    tx: Transaction,
    clock: Clock,
    vault: Vault,
    workspace_id: WorkspaceId,
    *,
    name: str,
    operator: bool = True,
) -> NewKey:
    """A key of the first owner's; on the first workspace he is the operator too."""
    new = NewKeyRow(
        member_id=OWNER,
        made_by=OWNER,
        name=name,
        permissions=frozenset({Permission.ADMIN}),
        expires_at=None,
        operator=operator,
    )
    await lock_people(tx, workspace_id)
    return await _write_key(tx, clock, Reading(workspace_id, OWNER, vault), new, None)


async def list_keys(tx: Transaction, caller: Caller) -> tuple[KeyView, ...]:
    """Every key of the workspace, oldest first, without secrets."""
    workspace_id = caller.own.workspace_id
    rows = await postgres.list_keys(tx, workspace_id)
    limited = [row.principal_id for row in rows if row.limited]
    limits = await limits_of(tx, workspace_id, limited)
    return tuple(
        _view(row, caller.vault, limits[row.principal_id] if row.limited else None) for row in rows
    )


async def revoke_key(
    tx: Transaction, clock: Clock, caller: Caller, principal_id: PrincipalId
) -> None:
    """Make a key invalid from the next statement on; revoking twice is harmless.

    Raises:
        KeyNotFound: there is no such key in the workspace.
        OwnKeyRevoked: it is the caller's own.
    """
    if principal_id == caller.own.principal_id:
        raise OwnKeyRevoked
    workspace_id = caller.own.workspace_id
    if not await postgres.revoke_key(tx, workspace_id, principal_id, now=clock.now()):
        raise KeyNotFound
    await settle(tx, workspace_id, principals=[principal_id])
    await record(tx, clock, caller.own, Action.KEY_REVOKED, subject=principal_id)


async def make_setup_link(tx: Transaction, clock: Clock, workspace_id: WorkspaceId) -> str | None:
    """The secret of a new set-up link, in place of an unused one; None once one was used."""
    if await postgres.setup_was_done(tx, workspace_id):
        return None
    secret = new_secret(workspace_id)
    expires_at = clock.now() + SETUP_LINK_LIFE
    await postgres.replace_setup_link(tx, workspace_id, secret_hash(secret), expires_at=expires_at)
    return secret


async def use_setup_link(
    tx: Transaction, clock: Clock, vault: Vault, workspace_id: WorkspaceId, secret: str
) -> NewKey:
    """Spend a set-up link for an owner's key.

    Raises:
        SetupLinkSpent: it is not there, older than a day, or used.
    """
    await spend_setup_link(tx, clock, workspace_id, secret)
    return await make_owner_key(tx, clock, vault, workspace_id, name="setup")


async def spend_setup_link(
    tx: Transaction, clock: Clock, workspace_id: WorkspaceId, secret: str
) -> None:
    """Spend a set-up link.

    Raises:
        SetupLinkSpent: it is not there, older than a day, or used.
    """
    now = clock.now()
    if not await postgres.use_setup_link(tx, workspace_id, secret_hash(secret), now=now):
        raise SetupLinkSpent


async def _write_key(
    tx: Transaction, clock: Clock, giver: Reading, new: NewKeyRow, limits: Sequence[Limit] | None
) -> NewKey:
    workspace_id, vault, now = giver.workspace_id, giver.vault, clock.now()
    principal_id = PrincipalId(await postgres.draw_number(tx, workspace_id, "principal"))
    row = postgres.NewPrincipal(
        principal_id,
        "key",
        vault.seal_text(new.name, "principal", principal_id),
        permissions=sorted(new.permissions),
        operator=new.operator,
        member_id=new.member_id,
        made_by=new.made_by,
        expires_at=new.expires_at,
    )
    await postgres.insert_principal(tx, workspace_id, row, now=now)
    if limits is not None:
        await set_limits(tx, giver, principal_id, limits)
    await settle(tx, workspace_id, principals=[principal_id])
    secret = new_secret(workspace_id)
    await postgres.insert_key(tx, workspace_id, secret_hash(secret), principal_id)
    await record(tx, clock, giver, Action.KEY_MADE, subject=principal_id)
    kept = None
    if limits is not None:
        kept = (await limits_of(tx, workspace_id, [principal_id]))[principal_id]
    view = KeyView(
        principal_id=principal_id,
        name=new.name,
        permissions=tuple(sorted(new.permissions)),
        operator=new.operator,
        created_at=now,
        expires_at=new.expires_at,
        revoked_at=None,
        last_used_at=None,
        limits=kept,
        member_id=new.member_id,
        made_by=new.made_by,
    )
    return NewKey(view, secret)


def _view(row: postgres.KeyRow, vault: Vault, limits: tuple[Limit, ...] | None) -> KeyView:
    return KeyView(
        principal_id=row.principal_id,
        name=vault.open_text(row.sealed_name, "principal", row.principal_id),
        permissions=tuple(Permission(name) for name in row.permissions),
        operator=row.operator,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        last_used_at=row.last_used_at,
        limits=limits,
        member_id=row.member_id,
        made_by=row.made_by,
    )
