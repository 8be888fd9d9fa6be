"""Levels: making them, their read path, and finding the place an item goes to."""

import re

from svod.foundation.clock import Clock
from svod.foundation.errors import Invalid, Says
from svod.foundation.ids import LevelId, NamespaceId, WorkspaceId
from svod.foundation.storage import Transaction
from svod.knowledge.workspaces import postgres
from svod.knowledge.workspaces.caller import Reading
from svod.knowledge.workspaces.errors import LevelNotFound, LevelReadOnly
from svod.knowledge.workspaces.grants import settle
from svod.knowledge.workspaces.names import read_level, write_level
from svod.knowledge.workspaces.views import LevelView, Place

_NAMESPACE = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}|")


class BadNamespace(Invalid):
    """A namespace's machine name holds other letters than it may."""

    code = "workspaces.bad_namespace"
    says = Says(
        "A namespace is named with 1 to 64 of a-z, 0-9, - and _, starting with a letter or digit.",
        "Имя раздела: от 1 до 64 знаков a-z, 0-9, - и _, начиная с буквы или цифры.",
    )


async def make_level(
    tx: Transaction,
    clock: Clock,
    workspace_id: WorkspaceId,
    *,
    kind: str,
    name: str = "",
    parent: LevelId | None = None,
) -> LevelId:
    """A new level with its unnamed namespace, granted to everyone whose limits cover it."""
    level_id = LevelId(await postgres.draw_number(tx, workspace_id, "level"))
    await postgres.insert_level(
        tx, workspace_id, level_id, kind=kind, name=name, parent=parent, now=clock.now()
    )
    await _make_namespace(tx, clock, workspace_id, level_id, "")
    await settle(tx, workspace_id, levels=[level_id])
    return level_id


async def read_path(
    tx: Transaction, own: Reading, system: Reading, *, level: str
) -> tuple[str, ...]:
    """The levels that a read for `level` covers, the most specific first (K3, K4).

    Raises:
        LevelNotFound: there is no such level, or it may not be read.
    """
    kind, name = read_level(level)
    wider = await postgres.read_path(tx, system, kind="global", name="")
    path = wider if kind == "global" else await postgres.read_path(tx, own, kind=kind, name=name)
    if not path:
        raise LevelNotFound(level=level)
    rows = path if kind == "global" else [*path, *wider]
    return tuple(write_level(row.kind, row.name) for row in rows)


async def levels_of(tx: Transaction, reading: Reading, *, may_write: bool) -> list[LevelView]:
    """The levels of one workspace that may be read."""
    rows = await postgres.list_levels(tx, reading.workspace_id, reading.principal_id)
    return [
        LevelView(write_level(row.kind, row.name), row.kind, row.items, row.may_send and may_write)
        for row in rows
    ]


async def place_to_write(
    tx: Transaction, clock: Clock, reading: Reading, *, level: str, namespace: str
) -> Place:
    """Where an item of this level and namespace goes; a missing namespace is made.

    Raises:
        LevelNotFound: there is no such level, or it may not be read.
        LevelReadOnly: it may be read, not changed.
        BadNamespace: the name of the namespace is not a machine name.
    """
    if not _NAMESPACE.fullmatch(namespace):
        raise BadNamespace
    kind, name = read_level(level)
    granted = await postgres.find_level(
        tx, reading.workspace_id, reading.principal_id, kind=kind, name=name
    )
    if granted is None:
        raise LevelNotFound(level=level)
    if not granted.may_send:
        raise LevelReadOnly(level=level)
    namespace_id = await _find_or_make(tx, clock, reading.workspace_id, granted.level_id, namespace)
    return Place(granted.level_id, namespace_id)


async def _find_or_make(
    tx: Transaction, clock: Clock, workspace_id: WorkspaceId, level_id: LevelId, name: str
) -> NamespaceId:
    found = await postgres.find_namespace(tx, workspace_id, level_id, name)
    if found is None:
        await _make_namespace(tx, clock, workspace_id, level_id, name)
        found = await postgres.find_namespace(tx, workspace_id, level_id, name)
    if found is None:  # its maker was undone meanwhile; asking again will make it
        raise LevelNotFound(level=name)
    return found


async def _make_namespace(
    tx: Transaction, clock: Clock, workspace_id: WorkspaceId, level_id: LevelId, name: str
) -> None:
    number = NamespaceId(await postgres.draw_number(tx, workspace_id, "namespace"))
    await postgres.insert_namespace(tx, workspace_id, level_id, name, number, now=clock.now())
