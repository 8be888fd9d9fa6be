"""A workbook to blocks: a heading for each sheet, and its tables."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

from python_calamine import CalamineSheet, CalamineWorkbook, PasswordError, SheetTypeEnum

from svod.knowledge.parsing.errors import EncryptedFile
from svod.knowledge.parsing.office.archive import Archive
from svod.knowledge.parsing.office.scattered_cells import scattered_sheets
from svod.knowledge.parsing.office.xml import title_of
from svod.knowledge.parsing.tables import cell_text, write_table
from svod.knowledge.parsing.writing import MOST_CHARACTERS, Writing

MOST_CELLS = 2_000_000
"""A sheet whose cells span more than this is read cell by cell: the fast reader fills the whole
rectangle, and two cells at its corners would abort it."""
SHEET_LEVEL = 2

_CELL = re.compile(rb"<(?:\w+:)?c\b[^<>]*?\sr=[\"']([A-Z]{1,3})(\d{1,7})[\"']")

Rows = list[list[str]]


@dataclass(frozen=True, slots=True)
class _Merged:
    top: int
    left: int
    bottom: int
    right: int


def write_workbook(writing: Writing, content: bytes) -> None:
    """Write a workbook; what is kept stops at the limit of text."""
    archive = Archive(content, format_name="xlsx")
    if any(name.endswith("vbaproject.bin") for name in archive.names()):
        writing.warn("macros")
    scattered = False
    for name in archive.names():
        if name.endswith((".xml", ".rels", ".vml")):
            part = archive.xml(name)
            if name.startswith("xl/worksheets/"):
                scattered = scattered or _spans(part) > MOST_CELLS
    title = title_of(archive)
    if scattered:
        writing.warn("sparse_sheet")
        for name, regions in scattered_sheets(archive):
            _write_sheet(writing, name, regions)
    else:
        _write_dense(writing, content)
    writing.sheet = None
    writing.title = title


def _spans(sheet: bytes) -> int:
    """How many cells the rectangle from the first cell to the last one used would have."""
    columns: set[bytes] = set()
    last = 0
    for cell in _CELL.finditer(sheet):
        columns.add(cell[1])
        last = max(last, int(cell[2]))
    return last * max(map(column_number, columns), default=0)


def column_number(letters: bytes) -> int:
    """The number of a column, from 1."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _write_dense(writing: Writing, content: bytes) -> None:
    try:
        workbook = CalamineWorkbook.from_filelike(BytesIO(content))
    except PasswordError as error:
        raise EncryptedFile from error
    for described in workbook.sheets_metadata:
        if described.typ == SheetTypeEnum.WorkSheet:
            sheet = workbook.get_sheet_by_name(described.name)
            _write_sheet(writing, described.name, _regions(_rows(sheet)))


def _rows(sheet: CalamineSheet) -> Rows:
    """The cells as text, each merged one in every place that it covers."""
    rows: Rows = []
    kept = 0
    for row in sheet.to_python(skip_empty_area=False):
        rows.append([cell_text(value) for value in row])
        kept += sum(map(len, rows[-1]))
        if kept > MOST_CHARACTERS:
            break
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        _repeat(rows, _Merged(top, left, bottom, right))
    return rows


def _repeat(rows: Rows, merged: _Merged) -> None:
    if merged.top >= len(rows) or merged.left >= len(rows[merged.top]):
        return
    text = rows[merged.top][merged.left]
    width = merged.right - merged.left + 1
    across = rows[merged.top]
    # A merged cell alone in its rows is a caption over the table: once is enough.
    alone = merged.top == merged.bottom and sum(map(bool, across)) == 1
    if not text or (alone and width > 1):
        return
    for row in rows[merged.top : merged.bottom + 1]:
        for column in range(merged.left, min(merged.right + 1, len(row))):
            row[column] = row[column] or text


def _regions(rows: Rows) -> Iterator[Rows]:
    """The parts of a sheet that empty rows separate."""
    region: Rows = []
    for row in rows:
        if any(cell.strip() for cell in row):
            region.append(row)
        elif region:
            yield region
            region = []
    if region:
        yield region


def _write_sheet(writing: Writing, name: str, regions: Iterator[Rows]) -> None:
    writing.sheet = name
    # A sheet named with nothing but spaces still has its place.
    writing.heading(name.strip() or "—", SHEET_LEVEL)
    for region in regions:
        rows = list(region)
        while (
            len(rows) > 1
            and sum(map(bool, rows[0])) == 1
            and max(sum(map(bool, r)) for r in rows) > 1
        ):
            writing.paragraph(" ".join("".join(rows.pop(0)).split()))
        if max(sum(map(bool, row)) for row in rows) == 1 and len(rows) == 1:
            writing.paragraph(" ".join("".join(rows[0]).split()))
        else:
            write_table(writing, rows)
