"""Named SQL statements, read from a room's `queries.sql`."""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import LiteralString, cast

_NAME = re.compile(r"^-- ([a-z][a-z0-9_]*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Statement:
    """One SQL statement and the name it is known by."""

    name: str
    sql: LiteralString


class Statements:
    """The statements of a room, as attributes; the file is read when the first one is asked for.

    In `queries.sql` a statement starts at a line `-- name_of_it` and ends at the next such line;
    other comments belong to it.
    """

    def __init__(self, package: str) -> None:
        self._package = package

    def __getattr__(self, name: str) -> Statement:
        try:
            return _read(self._package)[name]
        except KeyError:
            raise AttributeError(f"{self._package}/queries.sql has no statement {name}") from None

    def all(self) -> list[Statement]:
        """Every statement, for the test that prepares each against the schema."""
        return list(_read(self._package).values())


@cache
def _read(package: str) -> dict[str, Statement]:
    text = (resources.files(package) / "queries.sql").read_text(encoding="utf-8")
    parts = _NAME.split(text)[1:]
    # The text comes from a file of ours, never from outside: that is what LiteralString vouches for.
    return {
        name: Statement(name, cast("LiteralString", sql.strip().rstrip(";")))
        for name, sql in zip(parts[::2], parts[1::2], strict=True)
    }
