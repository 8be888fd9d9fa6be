"""Rooms on a real database, without anything that reads files or models."""

from pathlib import Path

import pytest
import pytest_asyncio

from svod.foundation.clock import SystemClock
from svod.foundation.facts import Facts
from svod.foundation.jobs import Jobs
from svod.foundation.storage import Blobs, Database, Vaults
from svod.knowledge.items import ItemChanged, Items, ItemsDeleted
from svod.knowledge.workspaces import Caller, Workspaces


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

    facts.listen(ItemChanged, hear)
    facts.listen(ItemsDeleted, hear)
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
