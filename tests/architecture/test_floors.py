"""Calls go down: a room imports only what stands below it, and each driver has its few places."""

import pytest
from importlinter.cli import lint_imports
from source_tree import ROOT, Module, modules

ONLY_IN = {
    "psycopg": ("foundation.storage", "foundation.jobs", "*.postgres"),
    "psycopg_pool": ("foundation.storage", "foundation.jobs"),
    "pgvector": ("foundation.storage", "*.postgres"),
    "procrastinate": ("foundation.jobs",),
    "fastapi": ("interfaces",),
    "starlette": ("interfaces",),
    "uvicorn": ("serve",),
    "typer": ("cli",),
    "rich": ("cli",),
    "onnxruntime": ("foundation.providers",),
    "onnx": ("foundation.providers",),
    "tokenizers": ("foundation.providers",),
    "cryptography": ("foundation.storage",),
    "pydantic_settings": ("foundation.settings", "client.settings"),
}
"""Package -> where it may be imported: a room, or `*.name` for a file of that name in any room."""


def test_the_contracts_of_floors_and_rooms_hold() -> None:
    # What it prints is shown when this fails.
    outcome = lint_imports(str(ROOT / "pyproject.toml"), no_cache=True, no_logo=True)
    assert outcome == 0


@pytest.mark.parametrize("package", ONLY_IN)
def test_a_driver_is_imported_in_its_own_places_only(package: str) -> None:
    astray = [
        f"{module.shown}:{line}"
        for module in modules()
        for line, name in module.imports()
        if name.split(".")[0] == package and not is_in(module, ONLY_IN[package])
    ]
    assert not astray, f"{package} belongs in {ONLY_IN[package]}: {astray}"


def test_statements_are_read_by_a_rooms_postgres_file_only() -> None:
    astray = [
        f"{module.shown}:{line}"
        for module in modules()
        for line, name in module.imports()
        if name == "svod.foundation.storage.statements"
        and not is_in(module, ("foundation.storage", "*.postgres"))
    ]
    assert not astray, astray


def is_in(module: Module, places: tuple[str, ...]) -> bool:
    return any(
        module.name.rsplit(".", 1)[-1] == place[2:]
        if place.startswith("*.")
        else f"{module.name}.".startswith(f"{place}.")
        for place in places
    )
