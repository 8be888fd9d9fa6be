"""An HTML table to rows; what spans several cells is repeated in each."""

from collections.abc import Callable

from selectolax.lexbor import LexborNode

from svod.knowledge.parsing.tables import counted

MOST_CELLS = 500_000
WIDEST_SPAN = 1000
"""The most that browsers accept."""
LONGEST_CELL = 2_000
"""A cell with more text than this is a column of a page, not a cell of data."""


def is_layout(table: LexborNode) -> bool:
    """Whether a table only arranges a page, and is to be read as ordinary content."""
    if table.attributes.get("role") in {"presentation", "none"}:
        return True
    if any(inner.mem_id != table.mem_id for inner in table.css("table")):
        return True
    cells = table.css("td,th")
    if len(cells) <= 1 or table.css_first("td h1,td h2,td h3,td pre"):
        return True
    return any(len(cell.text_lexbor()) > LONGEST_CELL for cell in cells)


def rows_of(
    table: LexborNode, text_of: Callable[[LexborNode], str]
) -> tuple[list[list[str]], bool]:
    """The rows of a table, and whether the first one is marked as its header."""
    lines = [
        [child for child in _elements(row) if child.tag in {"td", "th"}] for row in table.css("tr")
    ]
    rows: list[list[str]] = []
    waiting: dict[int, tuple[str, int]] = {}
    total = 0
    for number, line in enumerate(lines):
        row: list[str] = []

        def continue_above(row: list[str] = row) -> None:
            while len(row) in waiting:
                text, left = waiting.pop(len(row))
                if left > 1:
                    waiting[len(row)] = (text, left - 1)
                row.append(text)

        for cell in line:
            continue_above()
            text = text_of(cell)
            down = min(_span(cell, "rowspan"), len(lines) - number)
            for _ in range(_span(cell, "colspan")):
                if down > 1:
                    waiting[len(row)] = (text, down - 1)
                row.append(text)
        continue_above()
        total += len(row)
        rows.append(row)
        if total > MOST_CELLS:
            break
    first = lines[0] if lines else []
    return rows, bool(first) and len(rows) > 1 and all(cell.tag == "th" for cell in first)


def _elements(node: LexborNode) -> list[LexborNode]:
    found: list[LexborNode] = []
    child = node.first_child
    while child is not None:
        found.append(child)
        child = child.next
    return found


def _span(cell: LexborNode, name: str) -> int:
    return max(1, counted(cell.attributes.get(name), 1, most=WIDEST_SPAN))
