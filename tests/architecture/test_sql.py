"""SQL: named, in files, never put together, and within a workspace."""

import ast
import re
from pathlib import Path

import pytest
from source_tree import PACKAGE, ROOT, modules

NAME = re.compile(r"^-- ([a-z][a-z0-9_]*)$", re.MULTILINE)
COMMENT = re.compile(r"--.*$", re.MULTILINE)
TABLE = re.compile(r"create table (\w+)", re.IGNORECASE)
READS_SQL = re.compile(
    r"\b(select\s.+\sfrom|insert\s+into|update\s+\w+\s+set|delete\s+from|create\s+table"
    r"|alter\s+table|drop\s+table|truncate)\b",
    re.IGNORECASE | re.DOTALL,
)

ACROSS_WORKSPACES = {
    "foundation/storage:hold_keys": "one master key wraps the keys of all",
    "foundation/storage:hold_keys_alone": "one master key wraps the keys of all",
    "foundation/jobs:remove_old_steps": "housekeeping of what no job asks for any more, by age",
}
"""Statements that touch a table of ours without naming the workspace, each with the reason."""


def statements() -> dict[str, str]:
    """`room:name` -> the statement without comments."""
    found: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("queries.sql")):
        room = str(path.parent.relative_to(PACKAGE))
        parts = NAME.split(path.read_text(encoding="utf-8"))[1:]
        for name, sql in zip(parts[::2], parts[1::2], strict=True):
            assert f"{room}:{name}" not in found, f"{name} is there twice"
            found[f"{room}:{name}"] = COMMENT.sub("", sql)
    return found


def our_tables() -> set[str]:
    """The tables of our migrations; those of the job queue hold ids only."""
    files = sorted((PACKAGE / "foundation" / "storage" / "migrations").glob("*.sql"))
    return {table for path in files for table in TABLE.findall(path.read_text(encoding="utf-8"))}


ALL = statements()


@pytest.mark.spec("X14")
@pytest.mark.parametrize("name", ALL)
def test_a_statement_on_a_table_of_ours_names_the_workspace(name: str) -> None:
    sql = ALL[name]
    touched = {table for table in our_tables() if re.search(rf"\b{table}\b", sql)}
    if touched and name not in ACROSS_WORKSPACES:
        assert "workspace_id" in sql, f"{name} touches {touched}"


def test_the_listed_exceptions_are_still_there_and_still_exceptions() -> None:
    assert all(name in ALL and "workspace_id" not in ALL[name] for name in ACROSS_WORKSPACES)


@pytest.mark.spec("X14")
def test_every_key_of_ours_starts_with_the_workspace() -> None:
    astray: list[str] = []
    for path in sorted((PACKAGE / "foundation" / "storage" / "migrations").glob("*.sql")):
        for statement in COMMENT.sub("", path.read_text(encoding="utf-8")).split(";"):
            table = TABLE.search(statement)
            key = re.search(r"primary key\s*\(\s*(\w+)", statement, re.IGNORECASE)
            inline = re.search(r"(\w+) \w+ primary key", statement, re.IGNORECASE)
            first = key[1] if key else inline[1] if inline else None
            if table and first != "workspace_id":
                astray.append(table[1])
    assert not astray, astray


@pytest.mark.spec("X5")
def test_columns_of_bytes_say_what_they_hold() -> None:
    """Ciphertext is `sealed_…`, a keyed hash `…_key`; a secret's hash and moments are neither."""
    known = {"secret_hash", "wrapped", "mean", "covariance"}
    astray: list[str] = []
    for path in sorted((PACKAGE / "foundation" / "storage" / "migrations").glob("*.sql")):
        text = COMMENT.sub("", path.read_text(encoding="utf-8"))
        astray += [
            column
            for column in re.findall(r"^\s+(\w+) bytea", text, re.MULTILINE)
            if not (column.startswith("sealed_") or column.endswith("_key") or column in known)
        ]
    assert not astray, astray


def test_sql_stands_in_sql_files() -> None:
    """Strings that read like SQL: in `storage` alone, for what no room can ask."""
    astray: list[str] = []
    for module in modules():
        if module.name.startswith("foundation.storage"):
            continue
        documents = {id(node.value) for node in ast.walk(module.tree) if isinstance(node, ast.Expr)}
        astray += [
            f"{module.shown}:{node.lineno}"
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in documents
            and READS_SQL.search(node.value)
        ]
    assert not astray, astray


def test_sql_is_never_put_together_from_values() -> None:
    astray: list[str] = []
    for module in modules():
        for node in ast.walk(module.tree):
            match node:
                case ast.JoinedStr(values=values):
                    text = "".join(
                        part.value
                        for part in values
                        if isinstance(part, ast.Constant) and isinstance(part.value, str)
                    )
                case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Add() | ast.Mod()):
                    pass
                case ast.Call(
                    func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")
                ):
                    pass
                case _:
                    continue
            if READS_SQL.search(text):
                astray.append(f"{module.shown}:{node.lineno}")
    assert not astray, astray


def test_every_statement_is_used() -> None:
    used: dict[str, set[str]] = {}
    for module in modules():
        room = str(module.path.parent.relative_to(PACKAGE))
        names = re.findall(r"\bSQL\.(\w+)", module.path.read_text(encoding="utf-8"))
        used.setdefault(room, set()).update(names)
    unused = [
        name
        for name in ALL
        if not any(
            name.split(":")[1] in names
            for room, names in used.items()
            if f"{room}/".startswith(f"{name.split(':')[0]}/")
        )
    ]
    assert not unused, unused


def test_the_package_is_where_these_tests_look() -> None:
    assert Path(PACKAGE / "__init__.py").is_file()
    assert ROOT.joinpath("pyproject.toml").is_file()
    assert len(ALL) > 50
    assert len(our_tables()) > 10
