"""Files are sealed, stored once, and swept when nothing points at them."""

import os
import time
from pathlib import Path

import pytest
import pytest_asyncio

from svod.foundation.ids import WorkspaceId
from svod.foundation.storage import Blobs, Database, SealBroken, Vault, Vaults
from svod.foundation.storage.errors import BlobMissing

CONTENTS = [b"", "Возврат — 21 день".encode(), b"\x00\xff" * 100_000]


@pytest_asyncio.fixture
async def own(database: Database, vaults: Vaults, workspace_id: WorkspaceId) -> Vault:
    async with database.transaction() as tx:
        await vaults.create_keys(tx, workspace_id)
    return await vaults.of(database, workspace_id)


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def age(folder: Path) -> None:
    past = time.time() - 7200
    for file in files(folder):
        os.utime(file, (past, past))


async def point_at(database: Database, vault: Vault, blob_key: bytes) -> None:
    async with database.transaction() as tx:
        await tx.connection.execute(
            "insert into blob (workspace_id, blob_key, bytes, created_at)"
            " values (%s, %s, 1, now())",
            (vault.workspace_id, blob_key),
        )


@pytest.mark.spec("X5")
@pytest.mark.parametrize("content", CONTENTS, ids=["empty", "ru", "large"])
async def test_bytes_come_back_and_lie_sealed(tmp_path: Path, vault: Vault, content: bytes) -> None:
    blobs = Blobs(tmp_path / "blobs")
    blob_key = await blobs.put(vault, content)
    assert await blobs.get(vault, blob_key) == content
    (file,) = files(tmp_path)
    assert file.stat().st_mode & 0o777 == 0o600
    assert all(folder.stat().st_mode & 0o777 == 0o700 for folder in list(file.parents)[:3])
    assert not content or content not in file.read_bytes()


async def test_the_same_bytes_are_stored_once(tmp_path: Path, vault: Vault) -> None:
    blobs = Blobs(tmp_path / "blobs")
    assert await blobs.put(vault, b"same") == await blobs.put(vault, b"same")
    assert blobs.key(vault, b"same") == await blobs.put(vault, b"same")
    await blobs.put(vault, b"other")
    assert len(files(tmp_path)) == 2


@pytest.mark.spec("X5")
async def test_a_file_moved_to_another_name_does_not_open(tmp_path: Path, vault: Vault) -> None:
    blobs = Blobs(tmp_path / "blobs")
    one = await blobs.put(vault, b"one")
    (file,) = files(tmp_path)
    other = bytes(16)
    moved = file.parent.parent / "00" / other.hex()
    moved.parent.mkdir()
    file.rename(moved)
    with pytest.raises(SealBroken):
        await blobs.get(vault, other)
    with pytest.raises(BlobMissing):
        await blobs.get(vault, one)


async def test_a_removed_file_is_gone_and_may_be_removed_again(
    tmp_path: Path, vault: Vault
) -> None:
    blobs = Blobs(tmp_path / "blobs")
    blob_key = await blobs.put(vault, b"x")
    await blobs.remove(vault.workspace_id, [blob_key])
    await blobs.remove(vault.workspace_id, [blob_key])
    assert files(tmp_path) == []


@pytest.mark.spec("X9")
async def test_only_old_files_that_nothing_points_at_are_swept(
    database: Database, own: Vault, tmp_path: Path
) -> None:
    blobs = Blobs(tmp_path / "blobs")
    kept = await blobs.put(own, b"kept")
    await point_at(database, own, kept)
    await blobs.put(own, b"orphan")
    (tmp_path / "blobs" / str(own.workspace_id) / kept.hex()[:2] / "ab.1234.new").touch()
    age(tmp_path)
    young = await blobs.put(own, b"young")
    assert await blobs.sweep(database) == 2
    assert await blobs.get(own, kept) == b"kept"
    assert await blobs.get(own, young) == b"young"
    assert len(files(tmp_path)) == 2


@pytest.mark.spec("X9")
async def test_putting_an_old_orphan_again_saves_it(
    database: Database, own: Vault, tmp_path: Path
) -> None:
    blobs = Blobs(tmp_path / "blobs")
    blob_key = await blobs.put(own, b"again")
    age(tmp_path)
    await blobs.put(own, b"again")
    assert await blobs.sweep(database) == 0
    assert await blobs.get(own, blob_key) == b"again"


@pytest.mark.spec("X9")
async def test_a_sweep_that_was_killed_halfway_loses_nothing(
    database: Database, own: Vault, tmp_path: Path
) -> None:
    blobs = Blobs(tmp_path / "blobs")
    blob_key = await blobs.put(own, b"needed")
    await point_at(database, own, blob_key)
    (file,) = files(tmp_path)
    file.rename(file.with_name(f"{file.name}.gone"))
    assert await blobs.get(own, blob_key) == b"needed"
    age(tmp_path)
    await blobs.sweep(database)
    assert file.exists()
