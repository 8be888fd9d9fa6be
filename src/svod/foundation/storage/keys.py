"""The master key, and the vaults that it opens."""

import asyncio
import base64
import binascii
import contextlib
import os
import secrets
import stat
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from svod.foundation.ids import WorkspaceId
from svod.foundation.settings import Settings
from svod.foundation.storage.database import Database
from svod.foundation.storage.errors import KeysMissing, MasterKeyMissing, MasterKeyUnusable
from svod.foundation.storage.sealing import KEY_BYTES, MasterKey, SealBroken, Vault
from svod.foundation.storage.statements import Statements
from svod.foundation.storage.transaction import Transaction

SQL = Statements(__package__ or "")
_MOST_VAULTS = 1000
_FIRST_KEY = 1
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_VARIABLE = "SVOD_MASTER_KEY"
FILE = "master.key"
"""The master key in the data folder."""


@dataclass(frozen=True, slots=True)
class _WrappedKey:
    workspace_id: WorkspaceId
    purpose: str
    key_id: int
    wrapped: bytes


@dataclass(frozen=True, slots=True)
class _KeyRow:
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
        sealed = await tx.first(SQL.find_any_key, row=_WrappedKey)
    where = settings.data / FILE
    if settings.master_key is not None:
        key, place = _read(settings.master_key.get_secret_value(), _VARIABLE), _VARIABLE
    else:
        if sealed and not where.exists():
            raise MasterKeyMissing(where=where)
        key, place = await asyncio.to_thread(_from_file, where), str(where)
    master_key = MasterKey(key)
    if sealed:
        try:
            master_key.unwrap(sealed.wrapped, sealed.workspace_id, sealed.purpose, sealed.key_id)
        except SealBroken:
            raise MasterKeyMissing(where=place) from None
    return master_key


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


class Vaults:
    """The vault of each workspace; the most recently used stay open."""

    def __init__(self, database: Database, master_key: MasterKey) -> None:
        self._database = database
        self._master_key = master_key
        self._open: OrderedDict[WorkspaceId, Vault] = OrderedDict()

    async def create_keys(self, tx: Transaction, workspace_id: WorkspaceId) -> None:
        """Give a new workspace its keys."""
        for purpose in ("seal", "words"):
            key = secrets.token_bytes(KEY_BYTES)
            wrapped = self._master_key.wrap(key, workspace_id, purpose, _FIRST_KEY)
            await tx.run(
                SQL.add_key,
                {
                    "workspace_id": workspace_id,
                    "purpose": purpose,
                    "key_id": _FIRST_KEY,
                    "wrapped": wrapped,
                },
            )

    async def of(self, where: Transaction | Database, workspace_id: WorkspaceId) -> Vault:
        """The vault of a workspace.

        Args:
            where: the transaction that is open anyway, else the database.
            workspace_id: whose.

        Raises:
            KeysMissing: there is no such workspace.
            SealBroken: another master key wrapped its keys.
        """
        vault = self._open.get(workspace_id)
        if vault is None:
            if isinstance(where, Transaction):
                vault = await self._read(where, workspace_id)
            else:
                async with where.transaction() as tx:
                    vault = await self._read(tx, workspace_id)
            self._open[workspace_id] = vault
            if len(self._open) > _MOST_VAULTS:
                self._open.popitem(last=False)
        self._open.move_to_end(workspace_id)
        return vault

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Close a vault: its workspace is gone, or its keys have changed."""
        self._open.pop(workspace_id, None)

    async def _read(self, tx: Transaction, workspace_id: WorkspaceId) -> Vault:
        rows = await tx.rows(SQL.list_keys, {"workspace_id": workspace_id}, row=_KeyRow)
        keys = {
            (row.purpose, row.key_id): self._master_key.unwrap(
                row.wrapped, workspace_id, row.purpose, row.key_id
            )
            for row in rows
        }
        seal = {key_id: key for (purpose, key_id), key in keys.items() if purpose == "seal"}
        words = [key for (purpose, _), key in sorted(keys.items()) if purpose == "words"]
        if not seal or not words:
            raise KeysMissing
        return Vault(workspace_id, seal_keys=seal, words_key=words[-1])


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


def _make(where: Path) -> None:
    """Write a new key; when several processes try, all get the first one's."""
    where.parent.mkdir(parents=True, exist_ok=True)
    unfinished = where.with_name(f"{where.name}.{secrets.token_hex(4)}")
    file = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(file, base64.b64encode(secrets.token_bytes(KEY_BYTES)) + b"\n")
        os.fsync(file)
    finally:
        os.close(file)
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
