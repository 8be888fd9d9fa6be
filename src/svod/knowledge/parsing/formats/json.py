"""JSON and JSON lines, told as headings, lists and tables."""

import json

from svod.knowledge.parsing.decoding import decoded_source
from svod.knowledge.parsing.errors import CorruptFile, TooDeep
from svod.knowledge.parsing.format import Format
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.tables import write_table
from svod.knowledge.parsing.writing import Writing

Value = dict[str, "Value"] | list["Value"] | str | bool | None

DEEPEST = 200
"""Levels; real data has about 10. Python itself gives up near 1,000."""
HEADINGS_DOWN_TO = 3
LONGEST_CELL = 200
MOST_COLUMNS = 30


def read_json(source: Source, writing: Writing) -> None:
    """One value, or where that fails one a line."""
    text = decoded_source(source, writing).strip("\ufeff \t\r\n")
    try:
        _write(writing, _parsed(text), depth=1)
    except json.JSONDecodeError as error:
        if "\n" not in text:
            raise CorruptFile(format="json") from error
        _write(writing, _parsed_lines(text, writing), depth=1)


def _parsed(text: str) -> Value:
    try:
        # Numbers stay as they are written: no digits are lost, and a huge one costs nothing.
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except RecursionError as error:
        raise TooDeep(limit=DEEPEST) from error


def _parsed_lines(text: str, writing: Writing) -> Value:
    values: list[Value] = []
    bad = 0
    for line in text.split("\n"):
        if not line.strip():
            continue
        try:
            values.append(_parsed(line))
        except json.JSONDecodeError:
            bad += 1
            values.append(line.strip())
    if bad * 2 >= len(values):
        raise CorruptFile(format="json")
    if bad:
        writing.warn("lines_unreadable", count=bad)
    return values


def _write(writing: Writing, value: Value, *, depth: int) -> None:
    match value:
        case dict():
            _write_object(writing, value, depth=depth)
        case list():
            _write_list(writing, value, depth=depth)
        case _:
            writing.paragraph(_scalar(value))


def _write_object(writing: Writing, value: dict[str, Value], *, depth: int) -> None:
    plain = {key: inner for key, inner in value.items() if not isinstance(inner, dict | list)}
    writing.items([f"- {key}: {_scalar(inner)}" for key, inner in plain.items()])
    for key, inner in value.items():
        if key in plain:
            continue
        if depth <= HEADINGS_DOWN_TO and inner:
            writing.heading(key, depth)
            _write(writing, inner, depth=depth + 1)
        else:
            writing.items(_lines({key: inner}, 0))


def _write_list(writing: Writing, values: list[Value], *, depth: int) -> None:
    if rows := _as_rows(values):
        write_table(writing, rows, has_header=True)
        return
    if not any(isinstance(value, dict | list) for value in values):
        writing.items([f"- {_scalar(value)}" for value in values])
        return
    for value in values:
        writing.items(_lines(value, 0, depth))


def _as_rows(values: list[Value]) -> list[list[str]]:
    """The rows of a list of like, flat objects; nothing if it is no such list."""
    if len(values) == 1 or not values or not isinstance(values[0], dict):
        return []
    keys = list(values[0])
    if not 1 < len(keys) <= MOST_COLUMNS:
        return []
    rows = [keys]
    for value in values:
        if not isinstance(value, dict) or not value.keys() <= set(keys):
            return []
        row = [value.get(key) for key in keys]
        if any(isinstance(cell, dict | list) for cell in row):
            return []
        rows.append([_scalar(cell) for cell in row])
    return [] if any(len(cell) > LONGEST_CELL for row in rows for cell in row) else rows


def _lines(value: Value, indent: int, depth: int = 0) -> list[str]:
    """A value as indented list lines."""
    if indent + depth > DEEPEST:
        raise TooDeep(limit=DEEPEST)
    pad = "  " * indent
    match value:
        case dict():
            lines: list[str] = []
            for key, inner in value.items():
                if isinstance(inner, list) and not any(isinstance(v, dict | list) for v in inner):
                    lines.append(f"{pad}- {key}: {', '.join(map(_scalar, inner))}")
                elif isinstance(inner, dict | list):
                    lines += [f"{pad}- {key}:", *_lines(inner, indent + 1, depth)]
                else:
                    lines.append(f"{pad}- {key}: {_scalar(inner)}")
            return lines
        case list():
            return [line for inner in value for line in _lines(inner, indent + 1, depth)]
        case _:
            return [f"{pad}- {_scalar(value)}"]


def _scalar(value: Value) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case _:
            return " ".join(str(value).split())


JSON = Format(
    name="json",
    media_types=("application/json", "application/x-ndjson", "application/jsonl", "text/json"),
    extensions=("json", "jsonl", "ndjson", "geojson"),
    read=read_json,
    is_text=True,
)
