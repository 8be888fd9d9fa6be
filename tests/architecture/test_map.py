"""The documents keep up with the tree: every room is in the map, every file that is named is there."""

import hashlib
import importlib.util
import re
from pathlib import Path

import pytest
from source_tree import PACKAGE, ROOT

SAMPLE = ROOT / "examples" / "spitsa"


def test_every_room_has_its_row_in_the_map() -> None:
    rows = [
        line
        for line in (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
    ]
    named = {name for row in rows for name in re.findall(r"`([a-z_/.]+)`", row)}
    rooms = {
        path.stem
        for floor in ("interfaces", "conversation", "knowledge", "foundation")
        for path in (PACKAGE / floor).iterdir()
        if not path.name.startswith("_") and (path.suffix == ".py" or any(path.glob("*.py")))
    }
    beside = {
        f"{path.name}{'/' if path.is_dir() else ''}"
        for path in PACKAGE.iterdir()
        if not path.name.startswith("_")
    }
    assert not rooms - named, rooms - named
    assert not beside - named, beside - named


@pytest.mark.parametrize("document", ["ARCHITECTURE.md", "AGENTS.md", "CONTRIBUTING.md"])
def test_a_file_of_ours_that_is_named_is_there(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    named = re.findall(r"`([a-z_]+(?:/[a-z_0-9.]+)+\.(?:py|sql|md))`", text)
    places = (
        ROOT,
        PACKAGE,
        *(PACKAGE / floor for floor in ("knowledge", "conversation", "foundation")),
    )
    gone = [name for name in named if not any((place / name).is_file() for place in places)]
    assert not gone, gone


def test_the_questions_on_the_sample_name_files_that_are_there() -> None:
    text = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d+ \|.*\| `([^`]+)` \|$", text, re.MULTILINE)
    assert len(rows) == 10
    assert not [name for name in rows if not (SAMPLE / name).is_file()]


def test_the_sample_is_as_large_as_the_documents_say() -> None:
    files = [path for path in SAMPLE.rglob("*") if path.is_file()]
    for name in ("README.md", "README.ru.md", "examples/README.md"):
        assert f" {len(files)} " in (ROOT / name).read_text(encoding="utf-8"), name


def test_the_office_files_of_the_sample_are_what_the_script_writes(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("make_sample", ROOT / "dev" / "make_sample.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    made = tmp_path / "made"
    for write, name in (
        (script.contract, "ru/договор-проката.docx"),
        (script.repair_prices, "repair-prices.xlsx"),
        (script.handbook, "en/workshop-handbook.pdf"),
    ):
        write(made)
        assert digest(made) == digest(SAMPLE / name), "run dev/make_sample.py"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
