"""Sheets whose cells lie far apart, read as a stream: only cells that exist take room."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from xml.etree.ElementTree import Element

from svod.knowledge.parsing.office.archive import Archive
from svod.knowledge.parsing.office.xml import (
    attribute,
    child,
    inside,
    name_of,
    parsed_xml,
    streamed,
)
from svod.knowledge.parsing.tables import cell_text
from svod.knowledge.parsing.writing import MOST_CHARACTERS

_DATES = frozenset((*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)))
"""The numbers of the built-in formats that show a date or time."""
_NOT_FORMAT = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_DATE_LETTER = re.compile(r"[ymdhs]", re.IGNORECASE)
_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001  dates in sheets have no zone
_MOST_DAYS = 2_958_466
_REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")

_Row = tuple[int, dict[int, str]]


def scattered_sheets(archive: Archive) -> Iterator[tuple[str, Iterator[list[list[str]]]]]:
    """The sheets by name, each as its regions: rows in one piece, with only the columns they use."""
    texts = _shared_texts(archive)
    dates = _date_styles(archive)
    relations = {
        relation.get("Id"): relation.get("Target", "").removeprefix("/xl/")
        for relation in parsed_xml(archive.xml("xl/_rels/workbook.xml.rels"), format_name="xlsx")
    }
    workbook = parsed_xml(archive.xml("xl/workbook.xml"), format_name="xlsx")
    for sheet in inside(workbook, "sheets"):
        part = f"xl/{relations.get(attribute(sheet, 'id'))}"
        if part in archive and "worksheets/" in part:
            yield sheet.get("name", ""), _regions(_rows(archive.xml(part), texts, dates))


def _shared_texts(archive: Archive) -> list[str]:
    if "xl/sharedStrings.xml" not in archive:
        return []
    root = parsed_xml(archive.xml("xl/sharedStrings.xml"), format_name="xlsx")
    return [_text(entry) for entry in root]


def _text(entry: Element) -> str:
    """The text of a cell that may have several formats in it, without reading aids."""
    parts: list[str] = []
    for inner in entry:
        if name_of(inner) == "t":
            parts.append(inner.text or "")
        elif name_of(inner) == "r":
            parts.append(_text(inner))
    return "".join(parts)


def _date_styles(archive: Archive) -> list[bool]:
    """For each style of cells, whether it shows its number as a date."""
    if "xl/styles.xml" not in archive:
        return []
    root = parsed_xml(archive.xml("xl/styles.xml"), format_name="xlsx")
    own = {
        entry.get("numFmtId"): bool(
            _DATE_LETTER.search(_NOT_FORMAT.sub("", entry.get("formatCode", "")))
        )
        for entry in inside(root, "numFmts")
    }
    shown = (entry.get("numFmtId", "0") for entry in inside(root, "cellXfs"))
    return [own.get(number, number.isdecimal() and int(number) in _DATES) for number in shown]


def _rows(sheet: bytes, texts: list[str], dates: list[bool]) -> Iterator[_Row]:
    kept = 0
    number = 0
    for row in streamed(sheet, "row", format_name="xlsx"):
        place = row.get("r", "")
        number = int(place) if place.isdecimal() else number + 1
        cells: dict[int, str] = {}
        column = 0
        for cell in row:
            found = _REFERENCE.fullmatch(cell.get("r", ""))
            column = _column(found[1]) if found else column + 1
            if text := _value(cell, texts, dates):
                cells[column] = text
        if cells:
            yield number, cells
        kept += sum(map(len, cells.values()))
        if kept > MOST_CHARACTERS:
            return


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _value(cell: Element, texts: list[str], dates: list[bool]) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        inline = child(cell, "is")
        return _text(inline) if inline is not None else ""
    held = child(cell, "v")
    value = (held.text or "") if held is not None else ""
    style = int(cell.get("s") or 0)
    match kind:
        case "s":
            return texts[int(value)] if value.isdecimal() and int(value) < len(texts) else ""
        case "b":
            return cell_text(value == "1")
        case "n" if value:
            number = float(value)
            is_date = style < len(dates) and dates[style] and 0 <= number < _MOST_DAYS
            return cell_text(_EPOCH + timedelta(days=number) if is_date else number)
        case _:
            return value


def _regions(rows: Iterator[_Row]) -> Iterator[list[list[str]]]:
    region: list[dict[int, str]] = []
    last = 0
    for number, cells in rows:
        if region and number > last + 1:
            yield _packed(region)
            region = []
        region.append(cells)
        last = number
    if region:
        yield _packed(region)


def _packed(region: list[dict[int, str]]) -> list[list[str]]:
    columns = sorted({column for cells in region for column in cells})
    return [[cells.get(column, "") for column in columns] for cells in region]
