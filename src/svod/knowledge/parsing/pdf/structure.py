"""Which lines of a page are a heading, a table or code: by hints laid onto them, and by themselves."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median_low

from svod.knowledge.parsing.pdf.hints import HeadingHint, Hint, TableHint
from svod.knowledge.parsing.pdf.lines import Line

LONGEST_HEADING = 200
HEADING_LINES = 4
LEAST_LETTERS = 2
LARGER = 1.05
_PAUSES = (",", ";")
_STOPS = (".", "!", "?")
"""A short line that ends like a sentence is a heading only if it looks like one as well."""
ALIKE = 0.85
"""Share of characters that a table and the lines under it must have in common."""
SIZE_TOLERANCE = 0.2
COVERED = 0.6
"""Share of a line that must be words of the table, for the line to be part of it."""
TABLE_LINES = 3
FILLED = 0.5
PROSE_WORDS = 6
"""With more words a cell, these are columns of a text whose lines stand side by side."""
CROSSING = 0.15
"""Share of a table's lines that may stand across the gap between two columns."""
CODE_LINES = 2
ALL_FIXED = 0.7
"""A page with this share of lines in letters of one width is typewritten, not code."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a level."""

    level: int


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a table."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Code, with its indents."""

    text: str


@dataclass(frozen=True, slots=True)
class Span:
    """Lines `start` to `end` of a page, and what they are."""

    start: int
    end: int
    what: Heading | Table | Code


class _Page:
    """A page's lines while it is found out what they are; no line is two things."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.bare = [_bare(line.text) for line in lines]
        self.words = [
            [bare for word in line.text.split() if (bare := _bare(word))] for line in lines
        ]
        self.spans: list[Span] = []
        self._taken = [False] * len(lines)

    def take(self, start: int, end: int, what: Heading | Table | Code) -> None:
        self.spans.append(Span(start, end, what))
        self._taken[start:end] = [True] * (end - start)

    def stands_out(self, index: int) -> bool:
        """Whether a line is larger than most of the page, or bold where most is not."""
        line = self.lines[index]
        usual = median_low(other.size for other in self.lines)
        heavy = sum(other.bold for other in self.lines) * 2 > len(self.lines)
        return line.size > LARGER * usual or (line.bold and not heavy)

    def free_from(self, start: int) -> Iterator[int]:
        """The lines from one on, up to the first that is taken."""
        for index in range(start, len(self.lines)):
            if self._taken[index]:
                return
            yield index

    def is_free(self, index: int) -> bool:
        return not self._taken[index]


def spans_of(lines: Sequence[Line], hints: Sequence[Hint]) -> list[Span]:
    """What the lines of a page are, in their order; lines in no span are ordinary text.

    A hint whose words are not found among the lines is dropped.
    """
    page = _Page(lines)
    # Tables first: what is inside a table is no heading.
    for hint in hints:
        if isinstance(hint, TableHint):
            _hinted_table(page, hint)
    _code(page)
    _aligned_tables(page)
    for hint in hints:
        if isinstance(hint, HeadingHint):
            _hinted_heading(page, hint)
    return sorted(page.spans, key=lambda span: span.start)


def _bare(text: str) -> str:
    """Only letters and digits: the two readers differ in spaces and signs."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


def _hinted_heading(page: _Page, hint: HeadingHint) -> None:
    wanted = _bare(hint.text)
    is_sentence = hint.text.endswith(_PAUSES) or len(hint.text) > LONGEST_HEADING
    if sum(map(str.isalpha, wanted)) < LEAST_LETTERS or is_sentence:
        return
    for start in range(len(page.lines)):
        joined = ""
        for index in page.free_from(start):
            joined += page.bare[index]
            if joined == wanted:
                if hint.text.endswith(_STOPS) and not page.stands_out(start):
                    return
                page.take(start, index + 1, Heading(hint.level))
                return
            if not wanted.startswith(joined) or index - start >= HEADING_LINES:
                break


def _hinted_table(page: _Page, hint: TableHint) -> None:
    wanted = _bare("".join(cell for row in hint.rows for cell in row))
    counted = Counter(wanted)
    best: tuple[int, int] | None = None
    best_share = ALIKE
    for start in range(len(page.lines)):
        held: Counter[str] = Counter()
        length = 0
        for index in page.free_from(start):
            if not _is_covered(page, index, wanted):
                break
            held.update(page.bare[index])
            length += len(page.bare[index])
            if length > (1 + SIZE_TOLERANCE) * len(wanted):
                break
            share = (held & counted).total() / max(length, len(wanted), 1)
            if share > best_share:
                best, best_share = (start, index + 1), share
    if best:
        page.take(*best, Table(hint.rows))


def _is_covered(page: _Page, index: int, wanted: str) -> bool:
    known = sum(len(word) for word in page.words[index] if word in wanted)
    return known >= COVERED * len(page.bare[index])


def _code(page: _Page) -> None:
    fixed = [line.fixed for line in page.lines]
    if sum(fixed) >= ALL_FIXED * max(len(fixed), 1):
        return
    for start, end in _runs(page, fixed):
        if end - start >= CODE_LINES:
            own = page.lines[start:end]
            left = min(line.left for line in own)
            page.take(start, end, Code("\n".join(_indented(line, left) for line in own)))


def _indented(line: Line, left: float) -> str:
    text = line.text.strip()
    width = (line.right - line.left) / max(len(text), 1) or 1.0
    return " " * round((line.left - left) / width) + text


def _runs(page: _Page, wanted: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Stretches of free lines of which something is true."""
    start: int | None = None
    for index in range(len(page.lines) + 1):
        fits = index < len(page.lines) and wanted[index] and page.is_free(index)
        if fits and start is None:
            start = index
        elif not fits and start is not None:
            yield start, index
            start = None


def _aligned_tables(page: _Page) -> None:
    """Tables without a hint: lines in parts that stand under one another."""
    parted = [line.parts > 1 for line in page.lines]
    for start, end in _runs(page, parted):
        own = page.lines[start:end]
        columns = _columns(own)
        if end - start < TABLE_LINES or len(columns) <= 1:
            continue
        rows = [_cells(line, columns) for line in own]
        filled = [cell for row in rows for cell in row if cell]
        prose = sum(len(cell.split()) for cell in filled) > PROSE_WORDS * len(filled)
        if len(filled) >= FILLED * len(rows) * len(columns) and not prose:
            page.take(start, end, Table(tuple(rows)))


def _columns(lines: Sequence[Line]) -> list[tuple[float, float]]:
    """The stretches of width where words stand in more than a few of the lines.

    A heading over several columns covers the gaps between them, so few lines do not count.
    """
    edges = sorted(
        edge
        for line in lines
        for part in line.segments
        for edge in ((part.left, 1), (part.right, -1))
    )
    few = max(CROSSING * len(lines), 1)
    columns: list[tuple[float, float]] = []
    depth = 0
    begun = 0.0
    for place, step in edges:
        was = depth
        depth += step
        if was <= few < depth:
            begun = place
        elif depth <= few < was:
            columns.append((begun, place))
    return columns


def _cells(line: Line, columns: Sequence[tuple[float, float]]) -> tuple[str, ...]:
    cells = [""] * len(columns)
    for part in line.words:
        middle = (part.left + part.right) / 2
        nearest = min(range(len(columns)), key=lambda n: _distance(middle, columns[n]))
        cells[nearest] = f"{cells[nearest]} {part.text}".strip()
    return tuple(cells)


def _distance(place: float, column: tuple[float, float]) -> float:
    return max(column[0] - place, place - column[1], 0.0)
