"""Files at rest: sealed, under the keyed hash of their bytes, one a workspace."""

import asyncio
import contextlib
import errno
import os
import secrets
import shutil
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from svod.foundation.ids import WorkspaceId
from svod.foundation.storage.database import Database
from svod.foundation.storage.errors import BlobMissing, DiskFull
from svod.foundation.storage.sealing import Vault
from svod.foundation.storage.standstill import files_may_change
from svod.foundation.storage.statements import Statements

SQL = Statements(__package__ or "")
_YOUNG_S = 3600
"""A file may stand this long before its row is committed."""
_TRASH = ".gone"
_NEW = ".new"


class Blobs:
    """A folder of sealed files: `<workspace>/<2 hex>/<32 hex>`."""

    def __init__(self, folder: Path) -> None:
        """Name the folder; it is made when the first file is put."""
        self._folder = folder

    @staticmethod
    def key(vault: Vault, content: bytes) -> bytes:
        """The key under which some bytes are, or would be, stored."""
        return vault.key_for("blob", content)

    async def put(self, vault: Vault, content: bytes) -> bytes:
        """Store bytes and return their key; on the disk for good when this returns.

        The same bytes are stored once. Put them before the transaction that adds their row; what a
        crash leaves without a row is swept.

        Raises:
            DiskFull: there is no room.
        """
        return await asyncio.to_thread(self._put, vault, content)

    async def get(self, vault: Vault, blob_key: bytes) -> bytes:
        """The bytes.

        Raises:
            BlobMissing: the file is not there.
            SealBroken: it was altered, or belongs to another.
        """
        return await asyncio.to_thread(self._get, vault, blob_key)

    async def reseal(self, vault: Vault, blob_key: bytes) -> bool:
        """Seal a file anew if another key has sealed it; whether one had.

        Only while nobody may remove it, for it would come back.

        Raises:
            DiskFull: there is no room for the new one beside the old one.
        """
        return await asyncio.to_thread(self._reseal, vault, blob_key)

    async def is_old(self, vault: Vault, blob_key: bytes) -> bool:
        """Whether another key than the one that seals now has sealed a file."""
        return await asyncio.to_thread(self._is_old, vault, blob_key)

    async def remove(self, workspace_id: WorkspaceId, blob_keys: Sequence[bytes]) -> None:
        """Unlink files, as far as they are there. Only for those that no row points at."""
        files = [self._file(workspace_id, blob_key) for blob_key in blob_keys]
        await asyncio.to_thread(_unlink, files)

    async def remove_all(self, workspace_id: WorkspaceId) -> None:
        """Unlink every file of a workspace. Only for one that is gone, with every row."""
        await asyncio.to_thread(_remove_folder, self._folder / str(workspace_id))

    async def sweep(self, database: Database) -> int:
        """Unlink what no row points at and is older than an hour; how many files that was.

        None while a backup is being made.
        """
        swept = 0
        for workspace in await asyncio.to_thread(_folders, self._folder):
            if workspace.name.isdigit() and (old := await asyncio.to_thread(_old_files, workspace)):
                async with database.transaction() as tx:
                    if not await files_may_change(tx):
                        break
                    # Asked after the files were listed: a row that comes later made its file young.
                    keys = await tx.values(
                        SQL.list_blob_keys, {"workspace_id": int(workspace.name)}
                    )
                    kept = {bytes(key).hex() for key in keys}
                    swept += await asyncio.to_thread(_unlink_unless, kept, old)
        return swept

    def _put(self, vault: Vault, content: bytes) -> bytes:
        blob_key = self.key(vault, content)
        file = self._file(vault.workspace_id, blob_key)
        with _told():
            with contextlib.suppress(FileNotFoundError):
                # Young again: a sweep that is under way then leaves it.
                os.utime(file)
                return blob_key
            sealed = vault.seal(content, "blob", blob_key.hex())
            _make_folder(file.parent, self._folder.parent)
            _write(file, sealed)
        return blob_key

    def _get(self, vault: Vault, blob_key: bytes) -> bytes:
        file = self._file(vault.workspace_id, blob_key)
        for place in (file, trash(file), file):
            with contextlib.suppress(FileNotFoundError):
                return vault.open(place.read_bytes(), "blob", blob_key.hex())
        raise BlobMissing

    def _reseal(self, vault: Vault, blob_key: bytes) -> bool:
        if not self._is_old(vault, blob_key):
            return False
        content = self._get(vault, blob_key)
        with _told():
            sealed = vault.seal(content, "blob", blob_key.hex())
            _write(self._file(vault.workspace_id, blob_key), sealed)
        return True

    def _is_old(self, vault: Vault, blob_key: bytes) -> bool:
        try:
            with self._file(vault.workspace_id, blob_key).open("rb") as file:
                return file.read(1) != bytes([vault.seals_with])
        except FileNotFoundError:
            return False

    def _file(self, workspace_id: WorkspaceId, blob_key: bytes) -> Path:
        name = bytes(blob_key).hex()
        return self._folder / str(workspace_id) / name[:2] / name


def _unlink(files: Sequence[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def _write(file: Path, sealed: bytes) -> None:
    unfinished = file.with_name(f"{file.name}.{secrets.token_hex(4)}{_NEW}")
    try:
        with open(unfinished, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as out:
            out.write(sealed)
            out.flush()
            os.fsync(out.fileno())
        unfinished.rename(file)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    _sync(file.parent)


def _make_folder(folder: Path, root: Path) -> None:
    """Make a folder and those above it, each on the disk for good."""
    if folder.exists() or folder == root:
        return
    _make_folder(folder.parent, root)
    folder.mkdir(mode=0o700, exist_ok=True)
    _sync(folder.parent)


def _remove_folder(folder: Path) -> None:
    # Whoever puts a file at this moment makes its folder again; the sweep finds it.
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(folder)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _folders(folder: Path) -> list[Path]:
    return [entry for entry in folder.iterdir() if entry.is_dir()] if folder.exists() else []


def _old_files(workspace: Path) -> list[Path]:
    try:
        return [file for one in _folders(workspace) for file in one.iterdir() if _is_old(file)]
    except FileNotFoundError:  # the workspace is being deleted
        return []


def _is_old(file: Path) -> bool:
    try:
        return file.stat().st_mtime < time.time() - _YOUNG_S
    except FileNotFoundError:
        return False


def _unlink_unless(kept: set[str], old: list[Path]) -> int:
    swept = 0
    for file in old:
        name = file.name.removesuffix(_TRASH)
        if name not in kept:
            swept += _unlink_old(file)
        elif file.name != name:
            # An earlier sweep was killed before it put the file back.
            file.rename(file.with_name(name))
    return swept


def _unlink_old(file: Path) -> bool:
    """Unlink a file, unless somebody has put it again meanwhile.

    It is moved away first: whoever puts it after that writes it anew, and who did so before has
    made it young.
    """
    aside = trash(file)
    try:
        file.rename(aside)
    except FileNotFoundError:
        return False
    if _is_old(aside):
        aside.unlink()
        return True
    aside.rename(file)
    return False


def trash(file: Path) -> Path:
    """Where a sweep puts a file before it unlinks it."""
    return file.with_name(f"{file.name}{_TRASH}")


@contextmanager
def _told() -> Generator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFull from error
        raise
