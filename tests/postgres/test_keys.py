"""The master key is made once, kept from others, and never silently replaced."""

import asyncio
import base64
import os
import secrets
from collections.abc import AsyncGenerator
from pathlib import Path

import psycopg
import pytest
import pytest_asyncio
from pydantic import SecretStr

from svod.foundation.ids import WorkspaceId, new_random_id
from svod.foundation.settings import Settings
from svod.foundation.storage import (
    Database,
    MasterKey,
    Vaults,
    load_master_key,
    migrate,
    open_database,
)
from svod.foundation.storage.errors import KeysMissing, MasterKeyMissing, MasterKeyUnusable


@pytest_asyncio.fixture
async def new_database(empty_dsn: str) -> AsyncGenerator[Database]:
    await migrate(empty_dsn)
    database = await open_database(empty_dsn, connections=4)
    yield database
    await database.close()


async def with_a_workspace(database: Database, master_key: MasterKey) -> WorkspaceId:
    workspace_id = WorkspaceId(new_random_id())
    async with database.transaction() as tx:
        await tx.connection.execute(
            "insert into workspace (workspace_id, kind, sealed_name, created_at)"
            " values (%s, 'tenant', 'x', now())",
            (workspace_id,),
        )
        await Vaults(database, master_key).create_keys(tx, workspace_id)
    return workspace_id


@pytest.mark.spec("X5")
async def test_the_master_key_is_made_once_and_only_its_owner_reads_it(
    new_database: Database, tmp_path: Path
) -> None:
    settings = Settings(data=tmp_path)
    async with asyncio.TaskGroup() as group:
        loads = [group.create_task(load_master_key(settings, new_database)) for _ in range(4)]
    file = tmp_path / "master.key"
    assert file.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["master.key"]  # noqa: PTH208 - no loop waits here
    workspace_id = await with_a_workspace(new_database, loads[0].result())
    for load in loads:
        await Vaults(new_database, load.result()).of(new_database, workspace_id)


@pytest.mark.spec("X5")
async def test_a_lost_master_key_is_said_and_not_replaced(
    new_database: Database, tmp_path: Path
) -> None:
    settings = Settings(data=tmp_path)
    await with_a_workspace(new_database, await load_master_key(settings, new_database))
    (tmp_path / "master.key").unlink()
    with pytest.raises(MasterKeyMissing):
        await load_master_key(settings, new_database)
    assert not (tmp_path / "master.key").exists()


@pytest.mark.spec("X5")
async def test_another_master_key_is_refused(new_database: Database, tmp_path: Path) -> None:
    await with_a_workspace(new_database, MasterKey(secrets.token_bytes(32)))
    other = SecretStr(base64.b64encode(secrets.token_bytes(32)).decode())
    with pytest.raises(MasterKeyMissing, match="SVOD_MASTER_KEY"):
        await load_master_key(Settings(data=tmp_path, master_key=other), new_database)


@pytest.mark.parametrize("text", ["", "short", base64.b64encode(bytes(31)).decode(), "ключ"])
async def test_a_malformed_master_key_is_refused(
    new_database: Database, tmp_path: Path, text: str
) -> None:
    settings = Settings(data=tmp_path, master_key=SecretStr(text))
    with pytest.raises(MasterKeyUnusable):
        await load_master_key(settings, new_database)


async def test_a_master_key_that_others_can_read_is_refused(
    new_database: Database, tmp_path: Path
) -> None:
    settings = Settings(data=tmp_path)
    await load_master_key(settings, new_database)
    (tmp_path / "master.key").chmod(0o640)
    with pytest.raises(MasterKeyUnusable, match="others"):
        await load_master_key(settings, new_database)


@pytest.mark.spec("X5")
async def test_no_data_key_lies_in_the_database_in_the_clear(
    database: Database, master_key: MasterKey
) -> None:
    workspace_id = await with_a_workspace(database, master_key)
    vaults = Vaults(database, master_key)
    sealed = (await vaults.of(database, workspace_id)).seal(b"x", "note", 1)
    with psycopg.connect(database.pool.conninfo) as connection:
        rows = connection.execute(
            "select purpose, wrapped from workspace_key where workspace_id = %s", (workspace_id,)
        ).fetchall()
    assert {purpose for purpose, _ in rows} == {"seal", "words"}
    assert len({wrapped for _, wrapped in rows}) == 2
    again = await Vaults(database, master_key).of(database, workspace_id)
    assert again.open(sealed, "note", 1) == b"x"


async def test_a_workspace_without_keys_does_not_exist(vaults: Vaults, database: Database) -> None:
    with pytest.raises(KeysMissing):
        await vaults.of(database, WorkspaceId(new_random_id()))
