"""One running server for the journeys that do not stop it."""

import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from running import Machine


@pytest.fixture(scope="session")
def server() -> Generator[Machine]:
    """A server that finds by words, started as a person starts it."""
    # The account that runs PostgreSQL under root may not enter pytest's own folders.
    with tempfile.TemporaryDirectory(prefix="svod-test-") as folder:
        Path(folder).chmod(0o711)
        machine = Machine(Path(folder) / "data")
        machine.up()
        yield machine
        machine.close()


@pytest.fixture
def machine(data_folder: Path) -> Generator[Machine]:
    """A data folder of its own, on which nothing runs yet."""
    machine = Machine(data_folder)
    yield machine
    machine.close()
