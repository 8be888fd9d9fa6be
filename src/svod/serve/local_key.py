"""The key by which the machine's own user commands his server: `cli.key` in the data folder."""

import contextlib
import os
from pathlib import Path

from svod.knowledge.workspaces import Unauthenticated, Workspaces

FILE = "cli.key"


async def ensure_local_key(workspaces: Workspaces, data: Path) -> None:
    """Make an owner's key, readable by its owner alone, unless a valid one is there."""
    file = data / FILE
    with contextlib.suppress(OSError, UnicodeDecodeError, Unauthenticated):
        await workspaces.authenticate(_read(file))
        return
    made = await workspaces.make_owner_key(name="cli")
    _write(file, made.secret)


def _read(file: Path) -> str:
    return file.read_text(encoding="ascii").strip()


def _write(file: Path, secret: str) -> None:
    fresh = file.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(secret + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    fresh.replace(file)
