"""The built model, made once a run: its folder is kept in pytest's cache between runs."""

import fcntl
from collections.abc import Generator
from pathlib import Path

import pytest

from svod.foundation.providers import BuiltinEmbedder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "builtin" in getattr(item, "fixturenames", ()):
            # The first of them builds the model, some seconds on an idle machine.
            item.add_marker(pytest.mark.timeout(600))


@pytest.fixture(scope="session")
def model_folder(request: pytest.FixtureRequest) -> Path:
    """Where the built-in model's files are; they are checked at every load."""
    return Path(request.config.cache.mkdir("svod-models"))


@pytest.fixture(scope="session")
def builtin(model_folder: Path) -> Generator[BuiltinEmbedder]:
    """The real model, loaded once a worker."""
    embedder = BuiltinEmbedder(folder=model_folder)
    with (model_folder / "lock").open("w") as lock:
        # Workers start together; one builds and the others find it.
        fcntl.flock(lock, fcntl.LOCK_EX)
        embedder.count_tokens(["ready"])
    yield embedder
    embedder.close()
