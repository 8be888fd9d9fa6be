"""The master key: where it is, and whether it is the one."""

import asyncio
import base64
import binascii
import contextlib
import os
import secrets
import stat
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from svod.foundation.ids import WorkspaceId
from svod.foundation.settings import Settings
from svod.foundation.storage.database import Database
from svod.foundation.storage.errors import MasterKeyMissing, MasterKeyUnusable
from svod.foundation.storage.sealing import KEY_BYTES, MasterKey, SealBroken
from svod.foundation.storage.statements import Statements

SQL = Statements(__package__ or "")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_VARIABLE = "SVOD_MASTER_KEY"
FILE = "master.key"
"""The master key in the data folder."""


@dataclass(frozen=True, slots=True)
class WrappedKey:
    """A data key as it is stored."""

    workspace_id: WorkspaceId
    purpose: str
    key_id: int
    wrapped: bytes


async def load_master_key(settings: Settings, database: Database) -> MasterKey:
    """The master key: `SVOD_MASTER_KEY`, else `master.key` in the data folder, made if nothing is sealed yet.

    Raises:
        MasterKeyUnusable: it is malformed, or others may read its file.
        MasterKeyMissing: the database was sealed with another.
    """
    async with database.transaction() as tx:
        sealed = await tx.first(SQL.find_any_key, row=WrappedKey)
    where = settings.data / FILE
    if settings.master_key is not None:
        key, place = _read(settings.master_key.get_secret_value(), _VARIABLE), _VARIABLE
    else:
        if sealed and not where.exists():
            raise MasterKeyMissing(where=where)
        key, place = await asyncio.to_thread(_from_file, where), str(where)
    if sealed and not _fits(key, sealed):
        changed = None if settings.master_key else await asyncio.to_thread(_next_of, where, sealed)
        if changed is None:
            raise MasterKeyMissing(where=place)
        key = changed
    return MasterKey(key)


async def change_master_key(settings: Settings, database: Database, new_file: Path) -> int:
    """Wrap every data key with another master key, in one transaction; how many there were.

    The database may be in use. If the master key is in the data folder, it is replaced there too;
    a crash in between is mended by the next start.

    Args:
        settings: say where the master key is.
        database: holds the wrapped keys.
        new_file: holds the new master key; made if it does not exist.

    Raises:
        MasterKeyUnusable: the file holds no key, or others may read it.
        MasterKeyMissing: the present master key is not here.
    """
    old = await load_master_key(settings, database)
    raw = await asyncio.to_thread(_from_file, new_file)
    new, upcoming = MasterKey(raw), _upcoming(settings.data / FILE)
    if settings.master_key is None:
        await asyncio.to_thread(_write_key, upcoming, raw)
    async with database.transaction() as tx:
        await tx.run(SQL.hold_keys_alone)
        rows = await tx.rows(SQL.list_all_keys, row=WrappedKey)
        wrapped = [_wrapped_anew(row, old, new) for row in rows]
        await tx.run_many(SQL.rewrap_key, [asdict(row) for row in wrapped])
    if settings.master_key is None:
        upcoming.replace(settings.data / FILE)
    return len(rows)


def _wrapped_anew(row: WrappedKey, old: MasterKey, new: MasterKey) -> WrappedKey:
    about = (row.workspace_id, row.purpose, row.key_id)
    return replace(row, wrapped=new.wrap(old.unwrap(row.wrapped, *about), *about))


def find_master_key(settings: Settings) -> str | None:
    """The master key as text, if it is here; none is made."""
    if settings.master_key is not None:
        return settings.master_key.get_secret_value().strip()
    try:
        return (settings.data / FILE).read_text(encoding="ascii", errors="replace").strip()
    except FileNotFoundError:
        return None


def read_master_key(text: str, where: str) -> MasterKey:
    """The master key that a text holds.

    Raises:
        MasterKeyUnusable: it holds none.
    """
    return MasterKey(_read(text, where))


def _from_file(where: Path) -> bytes:
    if not where.exists():
        _make(where)
    if where.stat().st_mode & _OTHERS:
        raise MasterKeyUnusable(
            where=where,
            problem_en="can be read by others; run `chmod 600` on it",
            problem_ru="доступен другим; выполните для него `chmod 600`",
        )
    return _read(where.read_text(encoding="ascii", errors="replace"), str(where))


def _upcoming(where: Path) -> Path:
    """Where the next master key lies while data keys are being wrapped with it."""
    return where.with_name(f"{where.name}.next")


def _next_of(where: Path, sealed: WrappedKey) -> bytes | None:
    """The next master key, if it is the one by now: a change was broken off at its very end."""
    upcoming = _upcoming(where)
    if not upcoming.exists():
        return None
    key = _from_file(upcoming)
    if not _fits(key, sealed):
        return None
    upcoming.replace(where)
    return key


def _fits(key: bytes, sealed: WrappedKey) -> bool:
    try:
        MasterKey(key).unwrap(sealed.wrapped, sealed.workspace_id, sealed.purpose, sealed.key_id)
    except SealBroken:
        return False
    return True


def _write_key(where: Path, key: bytes) -> None:
    where.unlink(missing_ok=True)
    file = os.open(where, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, base64.b64encode(key) + b"\n")
        os.fsync(file)
    finally:
        os.close(file)


def _make(where: Path) -> None:
    """Write a new key; when several processes try, all get the first one's."""
    where.parent.mkdir(parents=True, exist_ok=True)
    unfinished = where.with_name(f"{where.name}.{secrets.token_hex(4)}")
    _write_key(unfinished, secrets.token_bytes(KEY_BYTES))
    with contextlib.suppress(FileExistsError):
        where.hardlink_to(unfinished)
    unfinished.unlink()
    folder = os.open(where.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _read(text: str, where: str) -> bytes:
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise MasterKeyUnusable(
            where=where,
            problem_en=f"is not {KEY_BYTES} bytes in base64",
            problem_ru=f"— не {KEY_BYTES} байта в base64",
        )
    return key
