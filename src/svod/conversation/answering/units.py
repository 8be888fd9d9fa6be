"""What of the evidence can be said: sentences, list lines, table rows, code, each with its place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from textwrap import dedent

from svod.conversation.answering.plain import cells, is_rule, plain
from svod.knowledge.chunking.sentences import sentences

Span = tuple[int, int]
"""Start and end in the hit's text."""

CODE_LINES = 14
"""A longer block is offered in pieces of whole lines."""
LONGEST_LIST = 600
"""Characters of a list that is said as one, with the line that leads into it."""
SHORT_ITEM_WORDS = 5
"""A list line of fewer words says little without the heading over it."""


class UnitKind(StrEnum):
    """How a unit is written in an answer."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece that can be said alone. `spans` are what it rests on, in the hit's text.

    `context` is what it stands under (a question, a heading): it tells what the unit is about, and
    is not said. A row whose header stands outside of the hit has that `header`, which is said with
    it, and `bare`, the row without it, for when the header's place is not known.
    """

    kind: UnitKind
    text: str
    spans: tuple[Span, ...]
    context: str = ""
    header: str = ""
    bare: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Announced:
    """Code with the sentence that announces it, and the line to read on from."""

    unit: Unit
    after: int


_FENCE = re.compile(r"\s{0,12}(```+|~~~+)")
"""Below a line of a list it stands further in than on a page."""
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_BOLD_HEADING = re.compile(r"\s*(\*\*|__)[^*_]+\1:?\s*")
_LIST = re.compile(r"\s*(?:[-*+•–]|\d{1,3}[.)])\s+\S")
_ANSWER_MARK = re.compile(r"(?:A|О|Answer|Ответ)\s?[:.]\s+", re.IGNORECASE)
_QUESTION_END = re.compile(r"\?[\s*_»\"”)]*$")
_INDENTED = re.compile(r"\s{2,}\S")
_LEADS_ON = (":", "...", "…")
"""How a sentence ends that announces the code below it and says nothing without it."""


def units(text: str, header: str = "") -> list[Unit]:
    """Everything in a hit's text that can be said, in reading order.

    Args:
        text: the hit's text, canonical Markdown.
        header: the header of the table that the text continues, empty if it does not.
    """
    found = list(_Reading(text, header).units())
    return found or list(_headings(text))


class _Reading:
    """One pass over the lines of a hit."""

    def __init__(self, text: str, header: str) -> None:
        self._text = text
        self._header = header
        self._lines = list(_lines(text))
        self._at = 0
        self._heading: _Line | None = None
        self._asked = ""

    def units(self) -> Iterator[Unit]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.text.strip():
                self._at += 1
            elif fence := _FENCE.match(line.text):
                yield from self._code(fence.group(1))
            elif _HEADING.match(line.text) or _BOLD_HEADING.fullmatch(line.text):
                self._heading, self._asked = line, plain(line.text)
                self._at += 1
            elif line.text.lstrip().startswith("|"):
                yield from self._table()
            elif _LIST.match(line.text):
                yield from self._list(None)
            else:
                yield from self._paragraph()

    def _take(self, belongs: re.Pattern[str] | None = None) -> list[_Line]:
        """The lines of one block: till a blank line or a line of another sort."""
        taken: list[_Line] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.text.strip() or (taken and self._starts_other(line.text)):
                break
            if belongs and _FENCE.match(line.text):
                break
            if belongs and not belongs.match(line.text):
                break
            taken.append(line)
            self._at += 1
        return taken

    @staticmethod
    def _starts_other(line: str) -> bool:
        return bool(_FENCE.match(line) or _HEADING.match(line) or _LIST.match(line)) or (
            line.lstrip().startswith("|")
        )

    def _paragraph(self) -> Iterator[Unit]:
        lines = self._take()
        start, end = lines[0].start, lines[-1].end
        spans = [(start + first, start + last) for first, last in sentences(self._text[start:end])]
        leads = plain(lines[-1].text).endswith(":") and self._list_follows()
        lead = spans.pop() if leads and spans else None
        announced = self._announced(spans)
        if announced:
            spans.pop()
        for span in spans:
            said = plain(self._text[slice(*span)])
            if _QUESTION_END.search(said):
                self._asked = said
                continue
            yield from self._said(UnitKind.SENTENCE, said, (span,))
        if lead:
            yield from self._list(lead)
        if announced:
            self._at = announced.after
            yield announced.unit

    def _announced(self, spans: list[Span]) -> "_Announced | None":
        """The code below a paragraph, with the last sentence of it, where that leads on to it."""
        if not spans or not plain(self._text[slice(*spans[-1])]).endswith(_LEADS_ON):
            return None
        at = self._skip_blank()
        fence = _FENCE.match(self._lines[at].text) if at < len(self._lines) else None
        if not fence:
            return None
        first = at + 1
        last = first
        while last < len(self._lines) and not self._closes(self._lines[last].text, fence.group(1)):
            last += 1
        if not 0 < last - first <= CODE_LINES:
            return None
        code = dedent(self._text[self._lines[first].start : self._lines[last - 1].end]).rstrip()
        if not code.strip():
            return None
        said = plain(self._text[slice(*spans[-1])])
        return _Announced(
            Unit(
                UnitKind.CODE,
                f"{said}\n```\n{code}\n```",
                ((spans[-1][0], self._lines[last - 1].end),),
                self._asked,
            ),
            last + 1,
        )

    @staticmethod
    def _closes(line: str, fence: str) -> bool:
        return line.strip().startswith(fence)

    def _skip_blank(self) -> int:
        at = self._at
        while at < len(self._lines) and not self._lines[at].text.strip():
            at += 1
        return at

    def _said(self, kind: UnitKind, said: str, spans: tuple[Span, ...]) -> Iterator[Unit]:
        said = _ANSWER_MARK.sub("", said, count=1) if _ANSWER_MARK.match(said) else said
        if any(letter.isalnum() for letter in said):
            yield Unit(kind, said, spans, self._asked)

    def _list_follows(self) -> bool:
        at = self._skip_blank()
        return at < len(self._lines) and bool(_LIST.match(self._lines[at].text))

    def _list(self, lead: Span | None) -> Iterator[Unit]:
        """Each line of a list, and the list as one where a line leads into it."""
        while self._at < len(self._lines) and not self._lines[self._at].text.strip():
            self._at += 1
        items = list(self._items())
        announced = self._announced(items)
        if announced:
            items.pop()
        if lead and items and items[-1][1] - lead[0] <= LONGEST_LIST:
            said = plain(self._text[slice(*lead)])
            parts = [plain(self._text[slice(*item)]).rstrip(";,.") for item in items]
            yield Unit(
                UnitKind.ITEM,
                f"{said} {'; '.join(parts)}.",
                ((lead[0], items[-1][1]),),
                self._asked,
            )
        for item in items:
            yield from self._item(lead, item)
        if announced:
            self._at = announced.after
            yield announced.unit

    def _items(self) -> Iterator[Span]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.text.strip():
                if not self._list_follows():
                    return
                self._at += 1
                continue
            if not _LIST.match(line.text):
                return
            start = line.start + len(line.text) - len(line.text.lstrip())
            self._at += 1
            rest = self._take(_INDENTED)
            yield start, rest[-1].end if rest else line.end

    def _item(self, lead: Span | None, item: Span) -> Iterator[Unit]:
        said = plain(self._text[slice(*item)])
        if _QUESTION_END.search(said):
            self._asked = said
            return
        under = lead
        if under is None and self._heading and len(said.split()) < SHORT_ITEM_WORDS:
            under = (self._heading.start, self._heading.end)
        if under is None:
            yield from self._said(UnitKind.ITEM, said, (item,))
            return
        lead_in = plain(self._text[slice(*under)]).rstrip(":")
        near = not self._text[under[1] : item[0]].strip()
        spans = ((under[0], item[1]),) if near else (under, item)
        yield from self._said(UnitKind.ITEM, f"{lead_in}: {said}", spans)

    def _table(self) -> Iterator[Unit]:
        rows: list[_Line] = []
        while self._at < len(self._lines) and self._lines[self._at].text.lstrip().startswith("|"):
            rows.append(self._lines[self._at])
            self._at += 1
        opens = rows[0].start == self._first() and self._header.strip()
        if any(name.endswith(":") for name in cells(rows[0].text)):
            # Labels beside their values: the first row is one of them, and no header.
            yield from self._rows(rows, None, "")
        elif len(rows) > 1 and is_rule(rows[1].text):
            yield from self._rows(rows[2:], rows[0], "")
        elif opens:
            yield from self._rows(rows, None, self._header.strip().splitlines()[0])
        else:
            yield from self._rows(rows, None, "")

    def _rows(self, rows: list[_Line], head: _Line | None, outside: str) -> Iterator[Unit]:
        names = cells(head.text if head else outside)
        for place, row in enumerate(rows):
            said = _row(names, cells(row.text))
            if is_rule(row.text) or not said:
                continue
            spans: tuple[Span, ...] = ((row.start, row.end),)
            if head:
                spans = ((head.start, head.end), *spans)
                # The first row stands next to its header: one place shows both.
                spans = ((head.start, row.end),) if place == 0 else spans
            bare = _row([], cells(row.text)) if outside else ""
            yield Unit(UnitKind.ROW, said, spans, self._asked, outside, bare)

    def _first(self) -> int:
        """Where the first line that is not blank starts."""
        return next((line.start for line in self._lines if line.text.strip()), 0)

    def _code(self, fence: str) -> Iterator[Unit]:
        self._at += 1
        lines: list[_Line] = []
        while self._at < len(self._lines):
            line = self._lines[self._at]
            self._at += 1
            if self._closes(line.text, fence):
                break
            lines.append(line)
        for first in range(0, len(lines), CODE_LINES):
            piece = lines[first : first + CODE_LINES]
            span = (piece[0].start, piece[-1].end)
            code = self._text[slice(*span)]
            if code.strip():
                yield Unit(UnitKind.CODE, dedent(code).rstrip(), (span,), self._asked)


def _headings(text: str) -> Iterator[Unit]:
    """What is left to say of a text that holds nothing but headings."""
    for line in _lines(text):
        said = plain(line.text)
        if said and not _QUESTION_END.search(said):
            yield Unit(UnitKind.ITEM, said, ((line.start, line.end),))


def _row(names: list[str], values: list[str]) -> str:
    if not any(names):
        filled = [value for value in values if value]
        if any(value.endswith(":") for value in filled):
            return "; ".join(filled).replace(":; ", ": ")
        return (": " if len(filled) == 2 else "; ").join(filled)  # noqa: PLR2004 - name and value
    named = [
        f"{names[at]}: {value}" if at < len(names) and names[at] else value
        for at, value in enumerate(values)
        if value
    ]
    return "; ".join(named)


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.split("\n"):
        yield _Line(start, start + len(line), line)
        start += len(line) + 1
