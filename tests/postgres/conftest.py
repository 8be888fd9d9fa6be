"""Rooms on a real database, without anything that reads files or models."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio

from fakes.way import Way, a_way
from svod.foundation.clock import SystemClock
from svod.foundation.facts import Facts
from svod.foundation.jobs import Jobs
from svod.foundation.storage import Blobs, Database, Vaults
from svod.knowledge.items import Items
from svod.knowledge.items.facts import (
    ItemChanged,
    ItemsCancelled,
    ItemsChanged,
    ItemsDeleted,
    ItemsMoved,
)
from svod.knowledge.workspaces import Caller, Workspaces
from svod.knowledge.workspaces.domains import Registry
from svod.knowledge.workspaces.first_run import OWNER, make_workspace


@pytest_asyncio.fixture(scope="module")
async def workspaces(database: Database, vaults: Vaults) -> Workspaces:
    return await Workspaces.open(database, vaults, SystemClock())


@pytest_asyncio.fixture(scope="module")
async def owner(workspaces: Workspaces) -> Caller:
    return await workspaces.owner()


@pytest.fixture
def announced(facts: Facts) -> list[object]:
    """Every fact the items room announces, in order."""
    heard: list[object] = []

    async def hear(_tx: object, fact: object) -> None:  # noqa: RUF029 - a listener is awaited
        heard.append(fact)

    for kind in (ItemChanged, ItemsChanged, ItemsMoved, ItemsCancelled, ItemsDeleted):
        facts.listen(kind, hear)
    return heard


@pytest.fixture
def facts() -> Facts:
    return Facts()


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(tmp_path / "blobs")


@pytest.fixture
def items(database: Database, blobs: Blobs, facts: Facts) -> Items:
    return Items(database, blobs, Jobs(database), facts, SystemClock())


@pytest_asyncio.fixture
async def way(database: Database, vaults: Vaults, tmp_path: Path) -> AsyncGenerator[Way]:
    """An item's whole way, wired as in the server, with its jobs run by hand."""
    async with a_way(database, vaults, tmp_path) as way:
        yield way


@pytest.fixture
def registry(workspaces: Workspaces, way: Way) -> Registry:
    """Domains and addresses, heard by the rooms of `way`."""
    return Registry(workspaces.database, workspaces.clock, way.facts, workspaces.ground.system)


@pytest_asyncio.fixture
async def tenant(workspaces: Workspaces) -> Caller:
    """The owner of a workspace of the test's own."""
    async with workspaces.database.transaction() as tx:
        workspace_id = await make_workspace(
            tx, workspaces.vaults, workspaces.clock, kind="tenant", name="Лавка", language="ru"
        )
    return await workspaces.member(workspace_id, OWNER)
