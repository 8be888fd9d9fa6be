"""Rows of cells to Markdown tables."""

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from svod.knowledge.parsing.writing import Writing

MOST_COLUMNS = 256
"""A wider table says nothing as a table; its rows are kept as lines of text."""

Row = Sequence[str]
_EXACT = 1e15
"""Floats below this are exact whole numbers."""
_NUMBER = re.compile(r"[-+−]?[\d\s.,%$€₽]+")
_SPACE = re.compile(r"\s+")


def cell_text(value: object) -> str:
    """A cell's value as text: dates in ISO form, whole floats as integers."""
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < _EXACT else repr(value)
        case datetime():
            whole = value.time() == time()
            return value.date().isoformat() if whole else value.isoformat(" ", "seconds")
        case date() | time():
            return value.isoformat()
        case timedelta():
            seconds = int(value.total_seconds())
            return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        case _:
            return str(value)


def counted(text: str | None, usual: int, *, most: int) -> int:
    """A whole number as a file gives it, at most `most`; `usual` where it gives none."""
    if not text or not text.isascii() or not text.isdecimal():
        return usual
    # Comparing lengths first keeps a number of a million digits from being computed.
    return min(int(text), most) if len(text) <= len(str(most)) else most


def write_table(writing: Writing, rows: Sequence[Row], *, has_header: bool | None = None) -> None:
    """Write rows as one Markdown table; empty rows and columns at its edges are left out.

    Args:
        writing: Where to.
        rows: Cells; shorter rows are filled up.
        has_header: Whether the first row names the columns; None decides by looks.
    """
    if max(map(len, rows), default=0) > MOST_COLUMNS:
        # Wide by empty columns, as sheets are, or truly wide.
        rows = _trimmed([list(row) for row in rows])
    width = max(map(len, rows), default=0)
    if width > MOST_COLUMNS:
        writing.warn("columns_too_many", columns=width)
        for row in rows:
            writing.paragraph(_SPACE.sub(" ", "; ".join(filter(None, row))))
        return
    rows = _trimmed([[_SPACE.sub(" ", cell).strip() for cell in row] for row in rows])
    if not rows:
        return
    width = max(map(len, rows))
    if len(rows) == 1 and width == 1:
        writing.paragraph(rows[0][0])
        return
    lines = [_line(row, width) for row in rows]
    rule = "|" + " --- |" * width
    if has_header is None:
        has_header = looks_like_header(rows)
    header = f"{lines[0]}\n{rule}"
    writing.table("\n".join([header, *lines[1:]]), len(header) if has_header else 0)


def looks_like_header(rows: Sequence[Row]) -> bool:
    """Whether the first row names the columns: all filled, all words, and rows under it."""
    first, *below = rows or [[]]
    if not below:
        return False
    filled = [cell for cell in first if cell]
    words = [cell for cell in filled if not _NUMBER.fullmatch(cell)]
    return len(words) == len(filled) and len(filled) * 2 > max(map(len, rows))


def _line(row: Row, width: int) -> str:
    cells = [
        cell.replace("\\", "\\\\").replace("|", "\\|") if "|" in cell else cell for cell in row
    ]
    return "| " + " | ".join([*cells, *[""] * (width - len(row))]) + " |"


def _trimmed(rows: list[list[str]]) -> list[list[str]]:
    filled = [number for number, row in enumerate(rows) if any(row)]
    if not filled:
        return []
    rows = rows[filled[0] : filled[-1] + 1]
    left = min(next(n for n, cell in enumerate(row) if cell) for row in rows if any(row))
    right = max(max(n for n, cell in enumerate(row) if cell) for row in rows if any(row))
    return [row[left : right + 1] for row in rows]
