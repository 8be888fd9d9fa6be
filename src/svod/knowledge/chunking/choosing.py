"""Choosing how to split from what a document looks like (K23), and where its parts begin."""

import itertools
import re

from svod.knowledge.chunking.cutting import lines
from svod.knowledge.chunking.sentences import Span
from svod.knowledge.chunking.settings import SplitMode, SplitSettings
from svod.knowledge.parsing.document import Block, BlockKind, ParsedDocument

_POINT = re.compile(r"^(?:#{1,6} )?\d{1,3}[.)](?:\d{1,3}[.)]){0,6}\d{0,3}[ \t]+\S", re.MULTILINE)
_QUESTION = re.compile(
    r"^[#*_> \t]{0,8}(?:q|question|вопрос|в)[ \t]?№?\d{0,4}[*_]{0,2}[:.)][*_]{0,2}[ \t]*\S",
    re.MULTILINE | re.IGNORECASE,
)
_FEWEST_POINTS = 3
_ROWS_LOOKED_AT = 50
_QUESTION_LENGTH = 200
_ANSWERS_LONGER = 1.3
_MOST = 0.6
"""The share of a document that must have a structure for it to be split by it."""


def choose(document: ParsedDocument) -> SplitMode:
    """The mode that fits a document's structure; the first that does (K23)."""
    text, blocks = document.text, document.blocks
    if _is_pairs(document):
        return SplitMode.QA
    if any(block.sheet is not None for block in blocks):
        return SplitMode.FIXED_SIZE
    if any(block.kind is BlockKind.HEADING for block in blocks):
        return SplitMode.HEADING
    points = _starts(document, _POINT)
    if len(points) >= _FEWEST_POINTS and len(text) - points[0] >= _MOST * len(text):
        return SplitMode.NUMBERED
    if len(blocks) > 1:
        return SplitMode.PARAGRAPH
    return SplitMode.RECURSIVE


def parts(document: ParsedDocument, mode: SplitMode, settings: SplitSettings) -> list[Span]:
    """The stretches that never share a chunk in this mode; one for the modes without such."""
    text = document.text
    match mode:
        case SplitMode.SEPARATOR:
            return _between(text, settings.typed_separator)
        case SplitMode.NUMBERED:
            starts = _starts(document, _POINT)
        case SplitMode.QA:
            starts = sorted({*_starts(document, _QUESTION), *_row_starts(document)})
        case _:
            starts = []
    edges = sorted({0, *starts, len(text)})
    return list(itertools.pairwise(edges))


def _between(text: str, separator: str) -> list[Span]:
    """What lies between separators; one that says something itself opens the part after it."""
    says_something = any(sign.isalnum() for sign in separator)
    found: list[Span] = []
    start = after = 0
    while (place := text.find(separator, after)) >= 0:
        found.append((start, place))
        after = place + len(separator)
        start = place if says_something else after
    found.append((start, len(text)))
    return [span for span in found if span[0] < span[1]]


def _starts(document: ParsedDocument, pattern: re.Pattern[str]) -> list[int]:
    """Where a pattern matches outside of code and tables."""
    apart = (b for b in document.blocks if b.kind in {BlockKind.CODE, BlockKind.TABLE})
    closed = next(apart, None)
    found: list[int] = []
    for match in pattern.finditer(document.text):
        while closed is not None and closed.end <= match.start():
            closed = next(apart, None)
        if closed is None or match.start() < closed.start:
            found.append(match.start())
    return found


def _row_starts(document: ParsedDocument) -> list[int]:
    """Every row but the first of a table, which stays with the header."""
    found: list[int] = []
    for block in document.blocks:
        if block.kind is BlockKind.TABLE:
            body = max(block.start, block.header_end)
            found.extend([at for at, _ in lines(document.text, body, block.end)][1:])
    return found


def _is_pairs(document: ParsedDocument) -> bool:
    """Whether it is mostly tables of two columns, the first short and the second long."""
    tables = [block for block in document.blocks if block.kind is BlockKind.TABLE]
    covered = sum(block.end - block.start for block in tables)
    return (
        bool(tables)
        and covered >= _MOST * len(document.text)
        and all(_has_pairs(document.text, table) for table in tables)
    )


def _has_pairs(text: str, table: Block) -> bool:
    first = second = count = 0
    for at, stop in lines(text, max(table.start, table.header_end), table.end):
        cells = re.split(r"(?<!\\)\|", text[at:stop].strip().strip("|"))
        if len(cells) != 2:  # noqa: PLR2004
            return False
        first += len(cells[0].strip())
        second += len(cells[1].strip())
        count += 1
        if count == _ROWS_LOOKED_AT:
            break
    return bool(count) and first <= _QUESTION_LENGTH * count and second > _ANSWERS_LONGER * first
