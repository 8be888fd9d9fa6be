"""The reference says what the code says."""

import importlib.util
from types import ModuleType

import pytest
from source_tree import ROOT


@pytest.fixture(scope="module")
def docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("svod_docs", ROOT / "dev" / "docs.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages(docs: ModuleType) -> dict[str, str]:
    return docs.pages()


@pytest.mark.parametrize("page", ["settings.md", "commands.md", "api.md", "errors.md"])
def test_the_reference_is_what_the_code_says(pages: dict[str, str], page: str) -> None:
    written = (ROOT / "docs" / "reference" / page).read_text(encoding="utf-8")
    assert written == pages[page], "run ./svod dev docs"


def test_every_page_of_the_reference_is_generated(pages: dict[str, str]) -> None:
    there = {path.name for path in (ROOT / "docs" / "reference").iterdir()}
    assert there == set(pages)


@pytest.mark.spec("I1")
def test_each_route_names_its_permission(pages: dict[str, str]) -> None:
    rows = [line for line in pages["api.md"].splitlines() if line.startswith("| `")]
    known = {"`knowledge:read`", "`knowledge:write`", "`admin`", "`operator`", "`any`", "`none`"}
    assert len(rows) > 10
    assert all(row.split(" | ")[1] in known for row in rows)
