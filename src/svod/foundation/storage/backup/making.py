"""Making a backup of a live database and its files, as they were at one moment.

Tables are copied in PostgreSQL's binary form from one snapshot, by the driver: the programs of the
embedded server speak no TLS and may be older than an external server (docs/decisions/0015). While
it lasts nobody removes a stored file or seals it anew; writing goes on.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from svod.foundation.storage.backup import archive
from svod.foundation.storage.backup.archive import ArchiveWriter
from svod.foundation.storage.backup.errors import BackupRunning
from svod.foundation.storage.backup.manifest import FORMAT, NAME, Manifest
from svod.foundation.storage.blobs import trash
from svod.foundation.storage.failures import told
from svod.foundation.storage.migrations import RECORD_TABLE
from svod.foundation.storage.standstill import STANDSTILL

Connection = psycopg.Connection[Any]

_WAIT_S = 30.0
"""How long those may take who are just removing or replacing files."""
_SNAPSHOT = "begin isolation level repeatable read, read only"
_TABLES = """
select c.relname, array_agg(a.attname::text order by a.attnum)
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  and a.attgenerated = ''
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
  and not c.relispartition and c.relname <> %s
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
group by c.relname order by c.relname
"""
_SEQUENCES = """
select sequencename::text, last_value from pg_sequences where schemaname = current_schema()
"""
_BLOBS = "select workspace_id, encode(blob_key, 'hex') from blob order by 1, 2"
_MIGRATIONS = "select name, encode(checksum, 'hex') from schema_migration order by name"


@dataclass(frozen=True, slots=True)
class Made:
    """A backup: the size of what it holds, how many files, and how many the disk had not."""

    bytes: int
    files: int
    missing: int


def make_backup(
    dsn: str, blobs: Path, file: Path, *, master_key: str | None, wait_s: float = _WAIT_S
) -> Made:
    """Write a backup. Blocks until it is on the disk for good.

    Args:
        dsn: the database, which may be in use.
        blobs: the folder of stored files.
        file: where to; refused if it is there.
        master_key: put into it, if given: whoever has the file then reads everything.
        wait_s: how long to wait for those who remove files just now, or for another backup.

    Raises:
        BackupExists, BackupNoRoom, BackupNotWritten: the file cannot be written.
        BackupRunning: another one is being made.
        DatabaseGone: it does not answer, or went away.
    """
    with told(), psycopg.connect(dsn, autocommit=True, application_name="svod") as connection:
        _stand_still(connection, wait_s)
        with archive.writing(file) as writer:
            keys = _write_database(connection, writer, master_key is not None)
            if master_key is not None:
                writer.add("master.key", f"{master_key}\n".encode())
            missing = sum(not _write_blob(writer, blobs, *key) for key in keys)
            # Whoever removes files may do so again if the connection was lost, so this is asked last.
            connection.execute("select 1")
            return Made(writer.bytes, len(keys) - missing, missing)


def _stand_still(connection: Connection, wait_s: float) -> None:
    connection.execute(
        "select set_config('statement_timeout', '0', false),"
        " set_config('idle_in_transaction_session_timeout', '0', false),"
        " set_config('lock_timeout', %s, false)",
        (f"{int(wait_s * 1000)}ms",),
    )
    try:
        connection.execute("select pg_advisory_lock(%s)", (STANDSTILL,))
    except psycopg.errors.LockNotAvailable:
        raise BackupRunning from None


def _write_database(
    connection: Connection, writer: ArchiveWriter, with_master_key: bool
) -> list[tuple[int, str]]:
    """Write the tables of one snapshot; the stored files that it knows."""
    connection.execute(_SNAPSHOT)
    manifest = _manifest(connection, with_master_key)
    writer.add(NAME, manifest.model_dump_json(indent=1).encode())
    for table, columns in manifest.tables.items():
        writer.add_parts(f"tables/{table}", _rows(connection, table, columns))
    keys = connection.execute(_BLOBS).fetchall()
    connection.execute("commit")
    return [(int(workspace_id), str(key)) for workspace_id, key in keys]


def _manifest(connection: Connection, with_master_key: bool) -> Manifest:
    (moment,) = connection.execute("select now()").fetchall()
    return Manifest.model_validate(
        {
            "format": FORMAT,
            "version": version("svod"),
            "made_at": moment[0],
            "migrations": dict(connection.execute(_MIGRATIONS).fetchall()),
            "tables": dict(connection.execute(_TABLES, (RECORD_TABLE,)).fetchall()),
            "sequences": dict(connection.execute(_SEQUENCES).fetchall()),
            "master_key": with_master_key,
        }
    )


def _rows(connection: Connection, table: str, columns: list[str]) -> Iterator[bytes]:
    listed = sql.SQL(", ").join(map(sql.Identifier, columns))
    copy_out = sql.SQL("copy {} ({}) to stdout (format binary)")
    with connection.cursor().copy(copy_out.format(sql.Identifier(table), listed)) as copy:
        for piece in copy:
            yield bytes(piece)


def _write_blob(writer: ArchiveWriter, blobs: Path, workspace_id: int, key: str) -> bool:
    file = blobs / str(workspace_id) / key[:2] / key
    for place in (file, trash(file)):
        with contextlib.suppress(FileNotFoundError):
            writer.add_file(f"blobs/{workspace_id}/{key[:2]}/{key}", place)
            return True
    return False
