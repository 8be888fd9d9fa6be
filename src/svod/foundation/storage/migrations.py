"""The schema, brought forward step by step.

Our migrations are the numbered files of `migrations/`, forward only, each applied in a transaction
under a lock that all processes share, and recorded with its checksum.

The job queue brings its own schema: `0002_jobs` is the `schema.sql` of the installed Procrastinate,
recorded together with the names of all the changes (`0002_jobs/…`) that this file already contains.
A later Procrastinate ships further changes; each that is not recorded is applied, in their order,
the next time we migrate. So an upgrade of the package is an upgrade of the lock file and nothing
else; both of its kinds of changes, those for before and for after the new code, are applied at once,
since processes of the old release are stopped or restarted with the migration.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from psycopg import AsyncConnection, errors

from svod.foundation.storage.errors import (
    MigrationChanged,
    PostgresTooOld,
    SchemaTooNew,
    SchemaTooOld,
    VectorMissing,
)
from svod.foundation.storage.failures import told

_OLDEST_POSTGRES = 16
_OLDEST_VECTOR = "0.8"
_LOCK = 0x53764F64
"""Any number that nobody else takes: «SvOd»."""
_JOBS = "0002_jobs"

RECORD_TABLE = "schema_migration"
RECORD = b"""
create table if not exists schema_migration (
  name text primary key,
  checksum bytea,
  applied_at timestamptz not null default now()
)
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step; `checksum` is None for a step that is not ours to keep as it was."""

    name: str
    sql: bytes
    checksum: bytes | None


async def migrate(dsn: str) -> list[str]:
    """Bring a database to this release's schema; the names of the steps that were applied.

    Safe to run from any number of processes at once, and again.

    Raises:
        DatabaseGone: it does not answer.
        PostgresTooOld, VectorMissing: the server is not one we can use.
        SchemaTooNew: a newer release has migrated it.
        MigrationChanged: an applied step is not what it was.
    """
    with told():
        async with await AsyncConnection.connect(
            dsn, autocommit=True, application_name="svod", prepare_threshold=None
        ) as connection:
            await require_server(connection)
            await connection.execute("select pg_advisory_lock(%s)", (_LOCK,))
            await connection.execute(RECORD)
            applied = await _applied(connection)
            known = list(_known())
            require_known(applied)
            return [m.name for m in known if await _apply(connection, m, applied)]


async def require_current(connection: AsyncConnection[Any]) -> None:
    """Go on only if the database has exactly this release's schema.

    Raises:
        SchemaTooOld, SchemaTooNew, MigrationChanged: it has another.
    """
    known = list(_known())
    try:
        applied = await _applied(connection)
    except errors.UndefinedTable:
        raise SchemaTooOld(migration=known[0].name) from None
    require_known(applied)
    for migration in known:
        if migration.name not in applied:
            raise SchemaTooOld(migration=migration.name)


def schema_at(applied: Mapping[str, bytes | None]) -> list[Migration]:
    """The steps that make an empty database what another is, on which some were applied.

    The queue's schema is that of today: it cannot be made as it was, and holds ids only.
    """
    steps: list[Migration] = []
    for migration in _known():
        is_of_jobs = migration.name.partition("/")[0] == _JOBS
        if migration.name == _JOBS or (migration.name in applied and not is_of_jobs):
            steps.append(migration)
        elif is_of_jobs:
            # Contained in the schema, so it is only recorded.
            steps.append(Migration(migration.name, b"", None))
    return steps


async def _apply(
    connection: AsyncConnection[Any], migration: Migration, applied: dict[str, bytes | None]
) -> bool:
    if migration.name in applied:
        return False
    async with connection.transaction():
        await connection.execute(migration.sql)
        await _record(connection, migration, applied)
        if migration.name == _JOBS:
            for change in _job_changes():
                await _record(connection, change, applied)
    return True


async def _record(
    connection: AsyncConnection[Any], migration: Migration, applied: dict[str, bytes | None]
) -> None:
    await connection.execute(
        "insert into schema_migration (name, checksum) values (%s, %s)",
        (migration.name, migration.checksum),
    )
    applied[migration.name] = migration.checksum


async def _applied(connection: AsyncConnection[Any]) -> dict[str, bytes | None]:
    cursor = await connection.execute("select name, checksum from schema_migration")
    return dict(await cursor.fetchall())


def require_known(applied: dict[str, bytes | None]) -> None:
    """Go on only if this release knows every step that was applied somewhere.

    Raises:
        SchemaTooNew, MigrationChanged: it does not.
    """
    checksums = {migration.name: migration.checksum for migration in _known()}
    for name, checksum in sorted(applied.items()):
        if name not in checksums:
            raise SchemaTooNew(migration=name)
        if checksum != checksums[name]:
            raise MigrationChanged(migration=name)


def _known() -> Iterator[Migration]:
    steps = {migration.name: [migration] for migration in _ours()}
    schema = _job_sql() / "schema.sql"
    steps[_JOBS] = [Migration(_JOBS, schema.read_bytes(), None), *_job_changes()]
    for name in sorted(steps):
        yield from steps[name]


def _ours() -> Iterator[Migration]:
    folder = resources.files(__package__ or "") / "migrations"
    for file in folder.iterdir():
        if file.name.endswith(".sql"):
            sql = file.read_bytes().replace(b"\r\n", b"\n")
            yield Migration(file.name.removesuffix(".sql"), sql, hashlib.sha256(sql).digest())


def _job_changes() -> Iterator[Migration]:
    for file in sorted((_job_sql() / "migrations").glob("*.sql")):
        yield Migration(f"{_JOBS}/{file.stem}", file.read_bytes(), None)


def _job_sql() -> Path:
    # Found without importing the package, which costs a third of a second.
    spec = find_spec("procrastinate")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("procrastinate")
    return Path(spec.submodule_search_locations[0]) / "sql"


async def require_server(connection: AsyncConnection[Any]) -> None:
    """Go on only on a server that we can use; pgvector is installed in the database if need be.

    Raises:
        PostgresTooOld, VectorMissing: it is not one.
    """
    found = connection.info.server_version
    if found < _OLDEST_POSTGRES * 10000:
        raise PostgresTooOld(found=found // 10000, needed=_OLDEST_POSTGRES)
    cursor = await connection.execute(
        "select coalesce(e.extversion, a.default_version), e.extversion is not null"
        " from pg_available_extensions a left join pg_extension e on e.extname = a.name"
        " where a.name = 'vector'"
    )
    version, installed = await cursor.fetchone() or (None, False)
    if version is None or _numbers(version) < _numbers(_OLDEST_VECTOR):
        raise VectorMissing(found=version or "-", needed=_OLDEST_VECTOR)
    if not installed:
        try:
            await connection.execute("create extension if not exists vector")
        except errors.InsufficientPrivilege:
            raise VectorMissing(found="-", needed=_OLDEST_VECTOR) from None
        except errors.UniqueViolation:
            pass  # another process made it at the same moment


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdigit()]
