"""API keys and the set-up link: made, found by their secret, revoked."""

from datetime import UTC, datetime, timedelta

from svod.foundation.clock import Clock
from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.foundation.storage import Transaction, Vault
from svod.knowledge.workspaces import postgres
from svod.knowledge.workspaces.caller import Caller, Permission
from svod.knowledge.workspaces.errors import (
    BadKeyRequest,
    KeyNotFound,
    KeyTooStrong,
    OwnKeyRevoked,
    SetupLinkSpent,
)
from svod.knowledge.workspaces.first_run import OWNER
from svod.knowledge.workspaces.secrets import new_secret, secret_hash
from svod.knowledge.workspaces.views import KeyView, NewKey

LONGEST_NAME = 100
SETUP_LINK_LIFE = timedelta(hours=24)
LATEST_EXPIRY = datetime(9999, 1, 1, tzinfo=UTC)
"""Later ones can be stored, but no clock of Python reads them back in every time zone."""


async def make_key(
    tx: Transaction,
    clock: Clock,
    caller: Caller,
    *,
    name: str,
    permissions: frozenset[Permission],
    expires_at: datetime | None,
) -> NewKey:
    """A key that may do no more than its maker, on no more levels.

    Raises:
        BadKeyRequest: no name, no permission, or an expiry in the past or beyond any calendar.
        KeyTooStrong: a permission that the maker lacks.
    """
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME or not permissions:
        raise BadKeyRequest
    if expires_at is not None and not clock.now() < expires_at <= LATEST_EXPIRY:
        raise BadKeyRequest
    for permission in permissions:
        if not caller.may(permission):
            raise KeyTooStrong(permission=permission.value)
    reading = caller.own
    return await _write_key(
        tx,
        clock,
        reading.vault,
        reading.workspace_id,
        maker=reading.principal_id,
        name=name,
        permissions=permissions,
        expires_at=expires_at,
        operator=False,
    )


async def make_owner_key(
    tx: Transaction, clock: Clock, vault: Vault, workspace_id: WorkspaceId, *, name: str
) -> NewKey:
    """A key of the owner's, who is the operator too; for the machine's own user."""
    return await _write_key(
        tx,
        clock,
        vault,
        workspace_id,
        maker=OWNER,
        name=name,
        permissions=frozenset({Permission.ADMIN}),
        expires_at=None,
        operator=True,
    )


async def list_keys(tx: Transaction, caller: Caller) -> tuple[KeyView, ...]:
    """Every key of the workspace, oldest first, without secrets."""
    rows = await postgres.list_keys(tx, caller.own.workspace_id)
    return tuple(_view(row, caller.vault) for row in rows)


async def revoke_key(
    tx: Transaction, clock: Clock, caller: Caller, principal_id: PrincipalId
) -> None:
    """Make a key invalid from the next request on; revoking twice is harmless.

    Raises:
        KeyNotFound: there is no such key in the workspace.
        OwnKeyRevoked: it is the caller's own.
    """
    if principal_id == caller.own.principal_id:
        raise OwnKeyRevoked
    workspace_id = caller.own.workspace_id
    if not await postgres.revoke_key(tx, workspace_id, principal_id, now=clock.now()):
        raise KeyNotFound


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
    now = clock.now()
    if not await postgres.use_setup_link(tx, workspace_id, secret_hash(secret), now=now):
        raise SetupLinkSpent
    return await make_owner_key(tx, clock, vault, workspace_id, name="setup")


async def _write_key(
    tx: Transaction,
    clock: Clock,
    vault: Vault,
    workspace_id: WorkspaceId,
    *,
    maker: PrincipalId,
    name: str,
    permissions: frozenset[Permission],
    expires_at: datetime | None,
    operator: bool,
) -> NewKey:
    principal_id = PrincipalId(await postgres.draw_number(tx, workspace_id, "principal"))
    now = clock.now()
    made_by = await postgres.find_principal(tx, workspace_id, maker)
    principal = postgres.PrincipalRow(
        principal_id=principal_id,
        kind="key",
        permissions=sorted(permissions),
        operator=operator,
        limited=made_by is not None and made_by.limited,
        sealed_name=vault.seal_text(name, "principal", principal_id),
        expires_at=expires_at,
    )
    await postgres.insert_principal(tx, workspace_id, principal, now=now)
    await postgres.grant_levels_of(tx, workspace_id, principal_id, maker)
    secret = new_secret(workspace_id)
    await postgres.insert_key(tx, workspace_id, secret_hash(secret), principal_id)
    view = KeyView(
        principal_id=principal_id,
        name=name,
        permissions=tuple(sorted(permissions)),
        operator=operator,
        created_at=now,
        expires_at=expires_at,
        revoked_at=None,
        last_used_at=None,
    )
    return NewKey(view, secret)


def _view(row: postgres.KeyRow, vault: Vault) -> KeyView:
    return KeyView(
        principal_id=row.principal_id,
        name=vault.open_text(row.sealed_name, "principal", row.principal_id),
        permissions=tuple(Permission(name) for name in row.permissions),
        operator=row.operator,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        last_used_at=row.last_used_at,
    )
