"""Restoring a backup into an empty place: files first, then the database in one transaction."""

import contextlib
import itertools
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.rows import class_row

from svod.foundation.storage.backup.archive import Archive, Member
from svod.foundation.storage.backup.errors import BackupDamaged, TargetNotEmpty
from svod.foundation.storage.backup.manifest import Manifest, read_manifest
from svod.foundation.storage.errors import MasterKeyMissing
from svod.foundation.storage.failures import told
from svod.foundation.storage.keys import WrappedKey
from svod.foundation.storage.migrations import (
    RECORD,
    require_known,
    require_server,
    schema_at,
)
from svod.foundation.storage.sealing import MasterKey, SealBroken

Connection = psycopg.Connection[Any]

_BLOB = re.compile(r"blobs/\d{1,20}/[0-9a-f]{2}/[0-9a-f]{32}")
_FOREIGN_KEYS = """
select format('alter table %s drop constraint %I', conrelid::regclass, conname),
  format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
from pg_constraint
where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
"""
_ANY_TABLE = """
select 1 from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
  and not exists (select from pg_depend d where d.objid = pg_class.oid and d.deptype = 'e')
limit 1
"""


def verify(file: Path) -> Manifest:
    """Read a backup whole and compare every checksum; what it says of itself. Blocks.

    Raises:
        BackupDamaged: it is not as it was written.
        BackupTooNew, SchemaTooNew, MigrationChanged: this release cannot restore it.
    """
    archive = Archive(file)
    manifest = read_manifest(archive)
    require_known(_checksums(manifest))
    archive.verify()
    return manifest


def master_key_in(file: Path) -> str | None:
    """The master key that a backup holds, if it holds one."""
    for member in Archive(file).members():
        if member.name == "master.key":
            return member.content().decode("ascii", "replace").strip()
    return None


async def require_empty(dsn: str) -> None:
    """Go on only if a database has no tables, on a server that we can use.

    Raises:
        TargetNotEmpty: it has some.
        PostgresTooOld, VectorMissing: the server is too old.
    """
    with told():
        async with await AsyncConnection.connect(dsn, autocommit=True) as connection:
            await require_server(connection)
            if await (await connection.execute(_ANY_TABLE)).fetchone():
                raise TargetNotEmpty(place="DATABASE_URL")


def restore_backup(file: Path, dsn: str, blobs: Path, *, master_key: MasterKey | None) -> int:
    """Restore a verified backup into an empty database and folder; how many files. Blocks.

    The database is filled in one transaction, after the files are on the disk for good.

    Args:
        file: the backup.
        dsn: an empty database.
        blobs: the folder of stored files, made.
        master_key: if it is at hand, it must open what is restored.

    Raises:
        BackupDamaged: it changed since it was verified.
        MasterKeyMissing: the master key at hand is another.
    """
    archive = Archive(file)
    manifest = read_manifest(archive)
    with told(), psycopg.connect(dsn, application_name="svod") as connection:
        _make_schema(connection, manifest)
        keys = _drop_foreign_keys(connection)
        files = 0
        for folder, members in itertools.groupby(archive.members(), _folder_of):
            if folder.startswith("tables/"):
                _fill(connection, archive, manifest, folder.removeprefix("tables/"), members)
            elif folder == "blobs":
                files += sum(_write(blobs, archive, member) for member in members)
        for back in keys:
            connection.execute(back)
        _set_sequences(connection, manifest)
        _require_opens(connection, master_key)
        os.sync()
        connection.commit()
        connection.autocommit = True
        connection.execute("analyze")
    return files


def _checksums(manifest: Manifest) -> dict[str, bytes | None]:
    return {
        name: None if checksum is None else bytes.fromhex(checksum)
        for name, checksum in manifest.migrations.items()
    }


def _make_schema(connection: Connection, manifest: Manifest) -> None:
    connection.execute("set local statement_timeout = 0; set local lock_timeout = 0")
    connection.execute(RECORD)
    for step in schema_at(_checksums(manifest)):
        if step.sql:
            connection.execute(step.sql)
        connection.execute(
            "insert into schema_migration (name, checksum) values (%s, %s)",
            (step.name, step.checksum),
        )


def _drop_foreign_keys(connection: Connection) -> list[bytes]:
    """Drop them, so that tables are filled in any order; what puts them back and checks them."""
    keys = connection.execute(_FOREIGN_KEYS).fetchall()
    for drop, _ in keys:
        connection.execute(str(drop).encode())
    return [str(back).encode() for _, back in keys]


def _fill(
    connection: Connection,
    archive: Archive,
    manifest: Manifest,
    table: str,
    members: Iterator[Member],
) -> None:
    if table not in manifest.tables:
        raise BackupDamaged(
            file=archive.file,
            problem_en="a table has no columns",
            problem_ru="у таблицы нет столбцов",
        )
    name = sql.Identifier(table)
    columns = sql.SQL(", ").join(map(sql.Identifier, manifest.tables[table]))
    # The queue's triggers write down what happens to jobs; that is in the backup already.
    connection.execute(sql.SQL("alter table {} disable trigger user").format(name))
    connection.execute(sql.SQL("truncate {}").format(name))
    copy_in = sql.SQL("copy {} ({}) from stdin (format binary)").format(name, columns)
    with connection.cursor().copy(copy_in) as copy:
        for member in members:
            for piece in member.pieces:
                copy.write(piece)
    connection.execute(sql.SQL("alter table {} enable trigger user").format(name))


def _set_sequences(connection: Connection, manifest: Manifest) -> None:
    for name, last in manifest.sequences.items():
        if last is not None:
            connection.execute(
                "select setval(s.oid, %s) from pg_class s where s.relkind = 'S'"
                " and s.relname = %s and s.relnamespace = current_schema()::regnamespace",
                (last, name),
            )


def _require_opens(connection: Connection, master_key: MasterKey | None) -> None:
    with connection.cursor(row_factory=class_row(WrappedKey)) as cursor:
        row = cursor.execute(
            "select workspace_id, purpose, key_id, wrapped from workspace_key limit 1"
        ).fetchone()
    if row is None or master_key is None:
        return
    try:
        master_key.unwrap(row.wrapped, row.workspace_id, row.purpose, row.key_id)
    except SealBroken:
        raise MasterKeyMissing(where="master.key / SVOD_MASTER_KEY") from None


def _folder_of(member: Member) -> str:
    return (
        "/".join(member.name.split("/")[:2])
        if member.name.startswith("tables/")
        else (member.name.partition("/")[0])
    )


def _write(blobs: Path, archive: Archive, member: Member) -> bool:
    if not _BLOB.fullmatch(member.name):
        raise BackupDamaged(
            file=archive.file,
            problem_en="a file has a strange name",
            problem_ru="у файла странное имя",
        )
    file = blobs / member.name.removeprefix("blobs/")
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        file.unlink()
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        for piece in member.pieces:
            out.write(piece)
    return True
