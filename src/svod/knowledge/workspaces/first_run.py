"""The first run: a system workspace for the global level, a workspace, its owner."""

from dataclasses import dataclass

from svod.foundation.clock import Clock
from svod.foundation.ids import PrincipalId, WorkspaceId, new_random_id
from svod.foundation.storage import Transaction, Vaults
from svod.knowledge.workspaces import postgres
from svod.knowledge.workspaces.caller import Reading
from svod.knowledge.workspaces.levels import make_level
from svod.knowledge.workspaces.roles import Role

READER = PrincipalId(0)
"""Through whom everyone reads the global level."""
OPERATOR = PrincipalId(1)
"""Through whom the operator reads and writes the global level."""
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
    await _let_the_operator_in(tx, vaults, clock, system)
    first = next(iter(await postgres.tenants(tx)), None)
    if first is None:
        name = "Рабочая область" if language == "ru" else "Workspace"
        first = await make_workspace(
            tx, vaults, clock, kind="tenant", name=name, language=language, operator=True
        )
    return Ground(system, first)


async def make_workspace(
    tx: Transaction,
    vaults: Vaults,
    clock: Clock,
    *,
    kind: str,
    name: str,
    language: str,
    operator: bool = False,
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
    if kind == "system":
        reader = postgres.NewPrincipal(
            READER, "reader", vault.seal_text("reader", "principal", READER)
        )
        await postgres.insert_principal(tx, workspace_id, reader, now=now)
        level = await make_level(tx, clock, workspace_id, kind="global")
        await postgres.grant_level(tx, workspace_id, READER, level, may_read=True, may_send=False)
        return workspace_id
    await postgres.draw_number(tx, workspace_id, "principal")
    owner = postgres.NewPrincipal(
        OWNER,
        "member",
        vault.seal_text("owner", "principal", OWNER),
        operator=operator,
        role=Role.OWNER,
    )
    await postgres.insert_principal(tx, workspace_id, owner, now=now)
    await make_level(tx, clock, workspace_id, kind="workspace")
    return workspace_id


async def _let_the_operator_in(
    tx: Transaction, vaults: Vaults, clock: Clock, system: WorkspaceId
) -> None:
    reading = Reading(system, OPERATOR, await vaults.of(tx, system))
    if await postgres.read_path(tx, reading, kind="global", name=""):
        return
    operator = postgres.NewPrincipal(
        OPERATOR, "operator", reading.vault.seal_text("operator", "principal", OPERATOR)
    )
    await postgres.insert_principal(tx, system, operator, now=clock.now())
    seen = await postgres.find_level(tx, system, READER, kind="global", name="")
    if seen is not None:
        await postgres.grant_level(
            tx, system, OPERATOR, seen.level_id, may_read=True, may_send=True
        )
