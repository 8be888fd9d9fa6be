"""A PostgreSQL of its own that listens on TCP and asks for a password, as an external one does."""

import secrets
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from running import free_port, wait_for

from svod.foundation.storage.embedded import cluster
from svod.foundation.storage.embedded.home import home_of, make_data_folder

_ACCESS = "host all all 127.0.0.1/32 scram-sha-256\nlocal all all peer map=svod\n"


@dataclass
class ExternalPostgres:
    """Started and stopped by a test; its address stays the same."""

    folder: Path
    port: int = field(default_factory=free_port)
    password: str = field(default_factory=lambda: secrets.token_hex(12))
    process: subprocess.Popen[bytes] | None = None

    @property
    def dsn(self) -> str:
        return f"postgresql://svod:{self.password}@127.0.0.1:{self.port}/postgres"

    def make(self) -> None:
        """The cluster, and the password."""
        make_data_folder(self.folder)
        home = home_of(self.folder)
        cluster.create(home, durable=False)
        sockets = cluster.socket_folder(home)
        cluster.configure(home, sockets, durable=False)
        access = home.cluster / "pg_hba.conf"
        access.write_text(_ACCESS)
        self.start(wait=False)
        place = f"host={sockets} port={self.port} user=svod dbname=postgres"
        wait_for(lambda: "it does not start", lambda: _answers(place))
        with psycopg.connect(place, autocommit=True) as connection:
            connection.execute(f"alter user svod password '{self.password}'")

    def start(self, *, wait: bool = True) -> None:
        """Start it."""
        home = home_of(self.folder)
        self.process = subprocess.Popen(  # noqa: S603
            [
                home.programs / "postgres",
                "-D",
                home.cluster,
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                f"port={self.port}",
            ],
            cwd="/",
            env=cluster.environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **home.account.options(),
        )
        if wait:
            wait_for(lambda: "it does not start", lambda: _answers(self.dsn))

    def stop(self) -> None:
        """Stop it, whoever is connected."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=60)
            self.process = None


def _answers(dsn: str) -> bool:
    try:
        psycopg.connect(dsn, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True
