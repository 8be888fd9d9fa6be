"""Lines to paragraphs and lists, by where they stand and how they end."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from svod.knowledge.parsing.pdf.lines import Line
from svod.knowledge.parsing.writing import Writing

WIDE_GAP = 0.35
"""Height beyond the usual distance of lines, in heights of a line, that parts paragraphs."""
INDENT = 0.8
SHORT_LINE = 0.85
"""A line that ends a sentence before this share of the width ends its paragraph."""
SIZE_STEP = 0.15

_BULLET = re.compile(r"\s*([•●▪■◦‣∙·–—*]|[-−])\s+(?=\S)")
_NUMBERED = re.compile(
    r"\s*((?:\d{1,3}|[a-zа-я])[.)]|\d{1,2}(?:\.\d{1,2}){1,3}\.?)\s+(?=\S)", re.IGNORECASE
)
_ENDS = (".", "!", "?", ":", ";", "…")
_COMPOUND = re.compile(r"\S+-\S+$")
_SPACE = re.compile(r"\s+")


def write_lines(writing: Writing, lines: Sequence[Line]) -> None:
    """Write lines that are neither heading, table nor code."""
    items: list[str] = []
    for passage in _passages(lines):
        text = joined(passage)
        if found := _BULLET.match(text):
            items.append(f"- {text[found.end() :]}")
        elif found := _NUMBERED.match(text):
            items.append(f"{found[1]} {text[found.end() :]}")
        else:
            _write_items(writing, items)
            items = []
            writing.paragraph(text)
    _write_items(writing, items)


def _write_items(writing: Writing, items: list[str]) -> None:
    if len(items) == 1 and not items[0].startswith("-"):
        # One number alone is a numbered paragraph or heading, not a list.
        writing.paragraph(items[0])
    else:
        writing.items(items)


def _passages(lines: Sequence[Line]) -> Iterator[list[Line]]:
    if not lines:
        return
    gaps = [before.bottom - after.top for before, after in pairwise(lines)]
    near = [gap for line, gap in zip(lines, gaps, strict=False) if abs(gap) < line.height]
    place = _Place(
        left=min(line.left for line in lines),
        right=max(line.right for line in lines),
        gap=median(near) if near else 0.0,
    )
    gathered = [lines[0]]
    for line in lines[1:]:
        if _begins(gathered, line, place):
            yield gathered
            gathered = []
        gathered.append(line)
    yield gathered


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the lines stand together, and the usual free height between two."""

    left: float
    right: float
    gap: float


def _begins(gathered: list[Line], line: Line, place: _Place) -> bool:
    """Whether a line begins a new paragraph."""
    before = gathered[-1]
    ended = before.text.rstrip().endswith(_ENDS)
    if _BULLET.match(line.text) or (
        _NUMBERED.match(line.text) and (ended or _is_item(gathered[0]))
    ):
        return True
    if before.breaks_word:
        return False
    if before.bottom - line.top > place.gap + WIDE_GAP * max(before.height, line.height):
        return True
    if abs(line.size - before.size) > SIZE_STEP * max(line.size, before.size):
        return True
    if line.bottom > before.top + line.height or line.parts > 1 or before.parts > 1:
        # Another column, or a line in parts: words of a form, not of a sentence.
        return True
    if not _is_item(gathered[0]) and line.left > before.left + INDENT * line.height:
        return ended or len(gathered) > 1
    return ended and before.right < place.left + SHORT_LINE * (place.right - place.left)


def _is_item(line: Line) -> bool:
    return bool(_BULLET.match(line.text) or _NUMBERED.match(line.text))


def joined(lines: Sequence[Line]) -> str:
    """Lines as one text; a word broken at a line's end is whole again."""
    text = ""
    for line in lines:
        words = _SPACE.sub(" ", line.text).strip()
        if not text:
            text = words
        elif text.endswith("\xad"):
            text = text[:-1] + words
        elif text.endswith("-") and words[:1].islower() and text[-2:-1].isalpha():
            # «пол-» + «года»: one word; «as-» + «formulas» after another hyphen: a compound.
            whole = _COMPOUND.search(text[:-1])
            text = (text if whole else text[:-1]) + words
        else:
            text = f"{text} {words}"
        if line.breaks_word and not text.endswith("-"):
            text += "-"
    return text
