"""Two texts compared line by line: what was taken out and what was put in.

Lines that occur once in both texts are anchors; what lies between two anchors is compared closely
as long as that is quick, else told as replaced. So the time grows with the length of the texts
alone, and what is told is always true, if not always the shortest way to say it.

Source: patience diff (Bram Cohen), its anchors by Hunt, Szymanski 1977; between them Myers 1986.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

CONTEXT_LINES = 3
MOST_HUNKS = 500
MOST_CHARACTERS = 200_000
"""Characters of lines that one comparison tells; beyond them it says that it was cut."""
LONGEST_LINE = 2000
_MOST_EDITS = 400
"""Lines that came and went up to which a stretch between two anchors is compared closely."""
_MOST_STEPS = 4_000_000
"""Steps of close comparison in all, about a second."""


class Change(StrEnum):
    """What became of a line."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end; a very long one is cut."""

    change: Change
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """A stretch with changes and the lines around it.

    Lines count from 1; spans are code points of either text, so that what was cut can be read there.
    """

    from_line: int
    to_line: int
    from_span: tuple[int, int]
    to_span: tuple[int, int]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """How one text became another: its hunks in order, and how many lines came and went.

    `cut` says that there is more than is told.
    """

    hunks: tuple[Hunk, ...]
    removed: int
    added: int
    cut: bool


Stretch = tuple[int, int, int, int]
"""Lines [a, b) of the first text stand where lines [c, d) of the second do."""


def compare(before: str, after: str) -> Difference:
    """The difference of two texts; up to a second for a million characters, so for a thread."""
    old, new = _lines(before), _lines(after)
    changes = _merged(_changes(old, new))
    removed = sum(b - a for a, b, _, _ in changes)
    added = sum(d - c for _, _, c, d in changes)
    writing = _Writing(old, new, len(before), len(after))
    hunks: list[Hunk] = []
    for group in _groups(changes):
        if len(hunks) == MOST_HUNKS or writing.left <= 0:
            return Difference(tuple(hunks), removed, added, cut=True)
        hunks.append(writing.hunk(group, len(old), len(new)))
    return Difference(tuple(hunks), removed, added, cut=writing.cut)


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[Stretch]:
    """Where the texts differ, in order."""
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    ends = 0
    while ends < shorter - start and old[-1 - ends] == new[-1 - ends]:
        ends += 1
    stop_old, stop_new = len(old) - ends, len(new) - ends
    closely = _Closely(old, new)
    anchors = _anchors(old, new, (start, stop_old, start, stop_new))
    edges = [(start - 1, start - 1), *anchors, (stop_old, stop_new)]
    for (a, c), (b, d) in pairwise(edges):
        if a + 1 < b and c + 1 < d:
            yield from closely.compare((a + 1, b, c + 1, d))
        elif a + 1 < b or c + 1 < d:
            yield a + 1, b, c + 1, d


def _anchors(old: Sequence[str], new: Sequence[str], gap: Stretch) -> list[tuple[int, int]]:
    """Pairs of equal lines, once in either stretch, rising in both."""
    a, b, c, d = gap
    counts_old, counts_new = Counter(old[a:b]), Counter(new[c:d])
    places = {line: at for at, line in enumerate(new[c:d], c) if counts_new[line] == 1}
    pairs = [
        (at, places[line])
        for at, line in enumerate(old[a:b], a)
        if counts_old[line] == 1 and line in places
    ]
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(tails, place)
        before.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(place)
            ends.append(number)
        else:
            tails[length], ends[length] = place, number
    found: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


class _Closely:
    """Finds the fewest lines to take out and put in, while there are steps left to spend."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        numbers: dict[str, int] = {}
        self._old = [numbers.setdefault(line, len(numbers)) for line in old]
        self._new = [numbers.setdefault(line, len(numbers)) for line in new]
        self._steps = _MOST_STEPS

    def compare(self, gap: Stretch) -> list[Stretch]:
        """The changes of a stretch; the whole of it where that would take too long."""
        a, b, c, d = gap
        length, height = b - a, d - c
        reached: list[dict[int, int]] = []
        ends = {1: 0}
        for edits in range(min(_MOST_EDITS, length + height) + 1):
            reached.append(ends)
            ends = dict(ends)
            for diagonal in range(-edits, edits + 1, 2):
                x = _next(ends, diagonal, edits)
                y = x - diagonal
                began = x
                while x < length and y < height and self._old[a + x] == self._new[c + y]:
                    x, y = x + 1, y + 1
                ends[diagonal] = x
                self._steps -= 1 + x - began
                if x >= length and y >= height:
                    return [(a + i, a + j, c + k, c + m) for i, j, k, m in _path(reached, x, y)]
            self._steps -= edits
            if self._steps <= 0:
                break
        return [gap]


def _next(ends: dict[int, int], diagonal: int, edits: int) -> int:
    """How far a diagonal is reached with one more edit."""
    down = diagonal == -edits or (diagonal != edits and ends[diagonal - 1] < ends[diagonal + 1])
    return ends[diagonal + 1] if down else ends[diagonal - 1] + 1


def _path(reached: Sequence[dict[int, int]], x: int, y: int) -> list[Stretch]:
    """The single edits that led to a place, in order."""
    found: list[Stretch] = []
    for edits in range(len(reached) - 1, 0, -1):
        ends, diagonal = reached[edits], x - y
        down = diagonal == -edits or (diagonal != edits and ends[diagonal - 1] < ends[diagonal + 1])
        before = diagonal + 1 if down else diagonal - 1
        x = ends[before]
        y = x - before
        found.append((x, x, y, y + 1) if down else (x, x + 1, y, y))
    return found[::-1]


def _merged(changes: Iterator[Stretch]) -> list[Stretch]:
    """The same, with what adjoins put together."""
    merged: list[Stretch] = []
    for a, b, c, d in changes:
        if merged and merged[-1][1] == a and merged[-1][3] == c:
            merged[-1] = merged[-1][0], b, merged[-1][2], d
        else:
            merged.append((a, b, c, d))
    return merged


def _groups(changes: Sequence[Stretch]) -> Iterator[list[Stretch]]:
    """Changes whose surroundings meet."""
    group: list[Stretch] = []
    for change in changes:
        if group and change[0] - group[-1][1] > 2 * CONTEXT_LINES:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


class _Writing:
    """Writes hunks while there is room."""

    def __init__(
        self, old: Sequence[str], new: Sequence[str], old_length: int, new_length: int
    ) -> None:
        self._old, self._new = old, new
        self._old_starts = _starts(old, old_length)
        self._new_starts = _starts(new, new_length)
        self.left = MOST_CHARACTERS
        self.cut = False

    def hunk(self, group: Sequence[Stretch], most_old: int, most_new: int) -> Hunk:
        """The lines of a group of changes and around it."""
        ahead = min(CONTEXT_LINES, group[0][0], group[0][2])
        behind = min(CONTEXT_LINES, most_old - group[-1][1], most_new - group[-1][3])
        first_old, first_new = group[0][0] - ahead, group[0][2] - ahead
        end_old, end_new = group[-1][1] + behind, group[-1][3] + behind
        lines: list[Line] = []
        at = first_old
        for a, b, c, d in group:
            self._write(lines, Change.SAME, self._old, at, a)
            self._write(lines, Change.REMOVED, self._old, a, b)
            self._write(lines, Change.ADDED, self._new, c, d)
            at = b
        self._write(lines, Change.SAME, self._old, at, end_old)
        return Hunk(
            from_line=first_old + 1,
            to_line=first_new + 1,
            from_span=(self._old_starts[first_old], self._old_starts[end_old]),
            to_span=(self._new_starts[first_new], self._new_starts[end_new]),
            lines=tuple(lines),
        )

    def _write(
        self, into: list[Line], change: Change, lines: Sequence[str], start: int, stop: int
    ) -> None:
        for number in range(start, stop):
            if self.left <= 0:
                self.cut = True
                return
            text = lines[number]
            if len(text) > LONGEST_LINE:
                text, self.cut = f"{text[: LONGEST_LINE - 1]}…", True
            self.left -= len(text) + 1
            into.append(Line(change, text))


def _starts(lines: Sequence[str], length: int) -> list[int]:
    """Where each line begins, and where the last one ends with its line end, if it has one."""
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    starts[-1] = min(starts[-1], length)
    return starts
