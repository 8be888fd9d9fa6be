"""One PostgreSQL for the whole run, a migrated database a test module, and keys to seal with.

Workers of one run share the server: it is the product's own embedded one, in a folder that the
controlling process names and removes. Nothing starts until a test asks for a database.
"""

import fcntl
import secrets
import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
import pytest_asyncio
from psycopg.conninfo import make_conninfo

from svod.foundation.ids import WorkspaceId, new_random_id
from svod.foundation.storage import Database, MasterKey, Vault, Vaults, migrate, open_database
from svod.foundation.storage.embedded import EmbeddedPostgres

_FOLDER = pytest.StashKey[Path]()
_TEMPLATE = "svod_template"


def pytest_configure(config: pytest.Config) -> None:
    given: dict[str, Any] | None = getattr(config, "workerinput", None)
    # Not in pytest's own folder, which is closed to the account that runs PostgreSQL under root.
    name = given["postgres"] if given else f"svod-tests-{secrets.token_hex(4)}"
    config.stash[_FOLDER] = Path(tempfile.gettempdir(), name)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["postgres"] = node.config.stash[_FOLDER].name


def pytest_unconfigure(config: pytest.Config) -> None:
    folder = config.stash.get(_FOLDER, None)
    if folder is None or hasattr(config, "workerinput"):
        return
    if (folder / "postgres" / "postmaster.pid").exists():
        # A worker was killed and left the server: take its share over, and leave as the last.
        server = EmbeddedPostgres(folder, durable=False)
        server.start()
        server.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> Generator[str]:
    """The DSN of the run's server."""
    server = EmbeddedPostgres(request.config.stash[_FOLDER], durable=False)
    running = server.start()
    yield running.dsn
    server.stop()


@pytest_asyncio.fixture(scope="session")
async def template(postgres: str, request: pytest.FixtureRequest) -> str:
    """The name of a migrated database, of which others are copies."""
    with (request.config.stash[_FOLDER] / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with psycopg.connect(postgres, autocommit=True) as connection:
            found = connection.execute(
                "select 1 from pg_database where datname = %s", (_TEMPLATE,)
            ).fetchone()
            if not found:
                connection.execute(f"create database {_TEMPLATE}_new")
                await migrate(make_conninfo(postgres, dbname=f"{_TEMPLATE}_new"))
                connection.execute(f"alter database {_TEMPLATE}_new rename to {_TEMPLATE}")
    return _TEMPLATE


@pytest.fixture
def data_folder() -> Generator[Path]:
    """A new data folder for a server of its own.

    Unlike `tmp_path`, the account that runs PostgreSQL under root may enter it.
    """
    with tempfile.TemporaryDirectory(prefix="svod-test-") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder) / "data"


@pytest.fixture
def empty_dsn(postgres: str) -> Generator[str]:
    """The DSN of a database with nothing in it."""
    yield from _made(postgres, "template1")


@pytest.fixture(scope="module")
def database_dsn(postgres: str, template: str) -> Generator[str]:
    """The DSN of a migrated database that only this module uses."""
    yield from _made(postgres, template)


@pytest_asyncio.fixture(scope="module")
async def database(database_dsn: str) -> AsyncGenerator[Database]:
    """A migrated database that only this module uses."""
    database = await open_database(database_dsn, connections=8)
    yield database
    await database.close()


@pytest.fixture(scope="session")
def master_key() -> MasterKey:
    return MasterKey(secrets.token_bytes(32))


@pytest.fixture(scope="module")
def vaults(database: Database, master_key: MasterKey) -> Vaults:
    return Vaults(database, master_key)


@pytest.fixture(scope="session")
def vault() -> Vault:
    """The vault of a workspace that no database knows."""
    return Vault(
        WorkspaceId(new_random_id()),
        seal_keys={1: secrets.token_bytes(32)},
        words_key=secrets.token_bytes(32),
    )


@pytest_asyncio.fixture
async def workspace_id(database: Database) -> WorkspaceId:
    """A new workspace's bare row, for tests of what stands below the room of workspaces."""
    workspace_id = WorkspaceId(new_random_id())
    async with database.transaction() as tx:
        await tx.connection.execute(
            "insert into workspace (workspace_id, kind, sealed_name, created_at)"
            " values (%s, 'tenant', 'x', %s)",
            (workspace_id, datetime.now(UTC)),  # noqa: TID251 - only a moment, any moment
        )
    return workspace_id


def _made(postgres: str, template: str) -> Generator[str]:
    name = f"svod_test_{secrets.token_hex(6)}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template} strategy file_copy")
    yield make_conninfo(postgres, dbname=name)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"drop database {name} with (force)")
