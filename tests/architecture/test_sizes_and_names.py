"""Files stay short, names say what is in them, and what is public says what it does."""

import ast
import re
from collections import Counter

from source_tree import PACKAGE, ROOT, kept_files, modules

LONGEST_FILE = 400
REFUSED_NAMES = {"utils", "helpers", "common", "misc", "base", "manager", "core", "shared"}


def test_no_file_of_the_package_is_longer_than_400_lines() -> None:
    long = {
        module.shown: lines
        for module in modules()
        if (lines := len(module.path.read_text(encoding="utf-8").splitlines())) > LONGEST_FILE
    }
    assert not long, f"split them by noun: {long}"


def test_no_name_could_hold_anything() -> None:
    refused = [
        str(path.relative_to(ROOT))
        for path in kept_files()
        if path.suffix == ".py"
        for part in path.relative_to(ROOT).with_suffix("").parts
        if part.strip("_") in REFUSED_NAMES
    ]
    assert not refused, refused


def test_every_module_class_and_function_that_is_public_has_a_docstring() -> None:
    bare: list[str] = []
    for module in modules():
        if module.path.stat().st_size and ast.get_docstring(module.tree) is None:
            bare.append(module.shown)
        bare.extend(
            f"{module.shown}:{node.lineno} {node.name}"
            for node in module.tree.body
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and not node.name.startswith("_")
            and ast.get_docstring(node) is None
            and not _is_overload(node)
        )
    assert not bare, bare


def test_every_room_says_what_it_takes_gives_and_promises() -> None:
    silent = [
        str(folder.relative_to(ROOT))
        for floor in ("foundation", "knowledge", "conversation", "interfaces")
        for folder in sorted((PACKAGE / floor).iterdir())
        if any(folder.glob("*.py")) and not (folder / "__init__.py").is_file()
    ]
    assert not silent, silent


def test_the_package_prints_nothing() -> None:
    printed = [
        f"{module.shown}:{node.lineno}"
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    assert not printed, printed


def test_two_test_files_never_share_a_name() -> None:
    names = Counter(path.name for path in kept_files() if re.fullmatch(r"test_\w+\.py", path.name))
    assert not [name for name, count in names.items() if count > 1]


def _is_overload(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in node.decorator_list)
