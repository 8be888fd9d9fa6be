"""What the repository may hold: no addresses of packages, no paths of a machine, no loose ends."""

import ast
import re

import pytest
from source_tree import ROOT, kept_files, text_files

HERE = ROOT / "tests" / "architecture"
PACKAGE_HOSTS = (
    "pypi" + ".org",
    "pythonhosted" + ".org",
    "npmjs" + ".org",
    "npmjs" + ".com",
    "yarnpkg" + ".com",
    "conda" + ".anaconda",
    "crates" + ".io",
    "rubygems" + ".org",
    "packagist" + ".org",
    "proxy.golang" + ".org",
)
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+|mnt)/[\w.]")
TODO = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b(?!\(#\d+\)| #\d+)")
LARGEST_FILE = 1_000_000


def test_no_file_names_a_host_of_packages() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {host}"
        for path, text in text_files()
        for host in PACKAGE_HOSTS
        if host in text
    ]
    assert not found, found


def test_no_file_names_a_path_of_a_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path, text in text_files()
        if path.parent != HERE
        for match in MACHINE_PATH.finditer(text)
    ]
    assert not found, found


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_holds_versions_and_hashes_and_no_address(name: str) -> None:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if "://" in line or " @ " in line or "index" in line]
    pinned = [line for line in lines if line and not line.startswith((" ", "#"))]
    assert all(re.match(r"[A-Za-z0-9._-]+(\[[\w,-]+\])?==\S+( ;.*)? \\$", line) for line in pinned)
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}", "\n".join(lines))) >= len(pinned)


def test_the_development_lock_satisfies_the_run_lock() -> None:
    run, dev = (
        set(re.findall(r"^([A-Za-z0-9._-]+==\S+)", (ROOT / name).read_text("utf-8"), re.MULTILINE))
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert run <= dev, run - dev


def test_what_is_left_to_do_carries_the_number_of_its_issue() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path, text in text_files()
        if path.suffix in {".py", ".sql", ".toml", ".sh", ""} and path.parent != HERE
        for match in TODO.finditer(text)
    ]
    assert not found, found


def test_every_marker_names_sentences_of_the_specification() -> None:
    known = set((HERE / "specification.txt").read_text(encoding="utf-8").split())
    unknown: list[str] = []
    for path in kept_files():
        if path.suffix != ".py" or "tests" not in path.relative_to(ROOT).parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.spec"):
                named = [ast.literal_eval(argument) for argument in node.args]
                unknown.extend(
                    f"{path.relative_to(ROOT)}:{node.lineno} {name}"
                    for name in named
                    if name not in known
                )
                assert named, f"{path}:{node.lineno}"
    assert not unknown, unknown


def test_no_file_is_large() -> None:
    large = [str(path) for path in kept_files() if path.stat().st_size > LARGEST_FILE]
    assert not large, large


@pytest.mark.parametrize("name", ["2.added.md"])
def test_changes_are_filed_by_issue_and_kind(name: str) -> None:
    form = re.compile(r"\d+\.(added|changed|fixed|removed|security)\.md")
    assert form.fullmatch(name)
    filed = [path.name for path in (ROOT / "changes").iterdir() if path.name != "README.md"]
    assert not [one for one in filed if not form.fullmatch(one)]


def test_each_decision_has_a_number_of_its_own_and_its_four_parts() -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
    # Not in a row: a number is given when the work begins, and another's may end first.
    assert len({path.name[:4] for path in records}) == len(records)
    for path in records:
        text = path.read_text(encoding="utf-8")
        parts = re.findall(r"^## (.+)$", text, re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequences", "What we turned down"], path.name
        assert f"]({path.name})" in (path.parent / "README.md").read_text(encoding="utf-8")


def test_links_between_documents_lead_somewhere() -> None:
    broken: list[str] = []
    for path, text in text_files():
        if path.suffix != ".md" or "tests" in path.parts or "spitsa" in path.parts:
            continue
        without_code = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", without_code):
            if "://" in target or target.startswith(("#", "mailto:")):
                continue
            if not (path.parent / target.split("#")[0]).exists():
                broken.append(f"{path.relative_to(ROOT)} -> {target}")
    assert not broken, broken
