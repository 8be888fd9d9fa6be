"""`svod backup` and `svod restore`: on this machine, beside a running server or without one."""

import asyncio
import contextlib
import os
import shutil
from pathlib import Path

from svod.foundation.settings import Settings
from svod.foundation.storage.backup import (
    make_backup,
    master_key_in,
    require_empty,
    restore_backup,
    verify,
)
from svod.foundation.storage.backup.errors import TargetNotEmpty
from svod.foundation.storage.keys import FILE as MASTER_KEY
from svod.foundation.storage.keys import find_master_key, read_master_key
from svod.foundation.storage.migrations import migrate
from svod.serve import words
from svod.serve.process import Voice, database
from svod.serve.running import LOCK, UNFINISHED, DataFolder

_MIB = 1 << 20
_MAY_BE_THERE = {MASTER_KEY, LOCK, UNFINISHED}


async def backup(settings: Settings, voice: Voice, file: Path, *, with_master_key: bool) -> int:
    """Write a backup; 1 if the disk lacked a file that the database knows.

    Raises:
        SvodError: it could not be written; nothing of it is left.
    """
    key = find_master_key(settings)
    async with database(settings, voice) as dsn:
        made = await asyncio.to_thread(
            make_backup,
            dsn,
            settings.data / "blobs",
            file,
            master_key=key if with_master_key else None,
        )
    voice(words.BACKED_UP, file=file, size=f"{made.bytes / _MIB:.1f}", files=made.files)
    if with_master_key and key is not None:
        voice(words.KEY_INSIDE)
    else:
        where = "SVOD_MASTER_KEY" if settings.master_key else settings.data / MASTER_KEY
        voice(words.KEY_APART, where=where)
    if made.missing:
        voice(words.FILES_MISSING, missing=made.missing)
    return int(made.missing > 0)


async def restore(settings: Settings, voice: Voice, file: Path) -> int:
    """Restore a backup into an empty data folder.

    Raises:
        SvodError: it could not be restored; an empty place is left empty.
    """
    voice(words.VERIFYING, file=file)
    manifest = await asyncio.to_thread(verify, file)
    _require_empty_folder(settings.data)
    folder = DataFolder(settings.data)
    try:
        (settings.data / UNFINISHED).touch()
        inside = master_key_in(file) if manifest.master_key else None
        key = find_master_key(settings) or inside
        blobs = settings.data / "blobs"
        shutil.rmtree(blobs, ignore_errors=True)
        blobs.mkdir(mode=0o700)
        async with database(settings, voice) as dsn:
            await require_empty(dsn)
            files = await asyncio.to_thread(
                restore_backup,
                file,
                dsn,
                blobs,
                master_key=read_master_key(key, MASTER_KEY) if key else None,
            )
            await migrate(dsn)
        if inside is not None and find_master_key(settings) is None:
            _write_key(settings.data / MASTER_KEY, inside)
        (settings.data / UNFINISHED).unlink()
    finally:
        folder.release()
    voice(words.RESTORED, made_at=f"{manifest.made_at:%Y-%m-%d %H:%M} UTC", files=files)
    if key is None:
        voice(words.KEY_NEEDED, where=settings.data / MASTER_KEY)
    return 0


def _require_empty_folder(data: Path) -> None:
    if (data / UNFINISHED).exists():
        return  # of a restore that was broken off, which this one begins again
    with contextlib.suppress(FileNotFoundError):
        if any(entry.name not in _MAY_BE_THERE for entry in data.iterdir()):
            raise TargetNotEmpty(place=data)


def _write_key(file: Path, key: str) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as out:
        out.write(f"{key}\n")
        out.flush()
        os.fsync(out.fileno())
