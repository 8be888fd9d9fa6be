"""The first run: a system workspace for the global level, a workspace, its owner."""

from dataclasses import dataclass

from svod.foundation.clock import Clock
from svod.foundation.ids import LevelId, PrincipalId, WorkspaceId, new_random_id
from svod.foundation.storage import Transaction, Vaults
from svod.knowledge.workspaces import postgres
from svod.knowledge.workspaces.caller import Permission
from svod.knowledge.workspaces.levels import make_level

READER = PrincipalId(0)
"""Through whom everyone reads the global level."""
OWNER = PrincipalId(1)


@dataclass(frozen=True, slots=True)
class Ground:
    """The workspaces that a server starts with."""

    system: WorkspaceId
    first: WorkspaceId


async def lay_ground(tx: Transaction, vaults: Vaults, clock: Clock, *, language: str) -> Ground:
    """Make what is missing of the system workspace and a first one; harmless to repeat."""
    await postgres.lock_first_run(tx)
    system = await postgres.system_workspace(tx)
    if system is None:
        system = await make_workspace(
            tx, vaults, clock, kind="system", name="global", language="en"
        )
    first = next(iter(await postgres.tenants(tx)), None)
    if first is None:
        name = "Рабочая область" if language == "ru" else "Workspace"
        first = await make_workspace(tx, vaults, clock, kind="tenant", name=name, language=language)
    return Ground(system, first)


async def make_workspace(
    tx: Transaction, vaults: Vaults, clock: Clock, *, kind: str, name: str, language: str
) -> WorkspaceId:
    """A workspace with keys, its widest level, and its reader or owner."""
    workspace_id = WorkspaceId(new_random_id())
    now = clock.now()
    # The name is sealed with keys that refer to the workspace, so it is written in two steps.
    await postgres.insert_workspace(
        tx, workspace_id, kind=kind, sealed_name=b"", language=language, now=now
    )
    await vaults.create_keys(tx, workspace_id)
    vault = await vaults.of(tx, workspace_id)
    await postgres.name_workspace(tx, workspace_id, vault.seal_text(name, "workspace"))
    is_system = kind == "system"
    person = READER if is_system else OWNER
    if not is_system:
        await postgres.draw_number(tx, workspace_id, "principal")
    principal = postgres.PrincipalRow(
        principal_id=person,
        kind="reader" if is_system else "member",
        permissions=[Permission.KNOWLEDGE_READ if is_system else Permission.ADMIN],
        operator=not is_system,
        limited=False,
        sealed_name=vault.seal_text("reader" if is_system else "owner", "principal", person),
        expires_at=None,
    )
    await postgres.insert_principal(tx, workspace_id, principal, now=now)
    level: LevelId = await make_level(
        tx, clock, workspace_id, kind="global" if is_system else "workspace"
    )
    await postgres.grant_level(
        tx, workspace_id, person, level, may_read=True, may_send=not is_system
    )
    return workspace_id
