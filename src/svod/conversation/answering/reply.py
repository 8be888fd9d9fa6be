"""What a model writes, read as it comes: sentence by sentence, each with the numbers it cites."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from svod.conversation.answering.cited import (
    begun_marker,
    blank_markers,
    cited_numbers,
    without_markers,
)
from svod.conversation.answering.plain import cells, is_rule
from svod.knowledge.chunking.sentences import Span, sentences

_ITEM = re.compile(r"[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
_HEADING = re.compile(r"[ \t]*#{1,6}(?:[ \t]|$)")
_WHOLE_LINE = re.compile(r"[ \t]*[#|`~]")
"""Lines that are read once they are whole."""
_BEGUN = re.compile(r"[ \t]*\S+[ \t]+(?:\S+[ \t]+)?")
_LIST_MARK = re.compile(r"[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]*$")
_KNOWN = re.compile(r".*\s", re.DOTALL)


class SaidKind(StrEnum):
    """How something was said, and is written again."""

    SENTENCE = "sentence"
    ITEM = "item"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a model without its markers, and the numbers that they hold.

    `opens` says that it begins a paragraph or a line of a list.
    """

    text: str
    numbers: tuple[int, ...]
    kind: SaidKind = SaidKind.SENTENCE
    opens: bool = False


class ReplyReader:
    """Takes a reply in pieces; gives sentences as soon as they are whole, in order.

    How a reply is cut makes no difference to what is read.
    """

    def __init__(self) -> None:
        self._line = ""
        self._block: _Block | None = None
        self._fence: str | None = None
        self._code: list[str] = []
        self._numbers: tuple[int, ...] = ()

    @property
    def waiting(self) -> int:
        """Characters that belong to no whole sentence yet."""
        held = sum(map(len, self._code)) if self._code else 0
        return len(self._line) + held + (self._block.waiting if self._block else 0)

    def feed(self, piece: str) -> list[Said]:
        """The sentences that this piece completes."""
        *lines, self._line = (self._line + piece).split("\n")
        said = [one for line in lines for one in self._whole(line.removesuffix("\r"))]
        return [*said, *self._begun()]

    def end(self) -> list[Said]:
        """The sentences that are left when nothing more comes."""
        line, self._line = self._line, ""
        return [*self._whole(line), *self._close_code(), *self._close()]

    def _whole(self, line: str) -> Iterator[Said]:
        """Read a whole line."""
        if self._fence is not None:
            if line.strip().startswith(self._fence):
                self._fence = None
            else:
                self._code.append(line)
            return
        if self._code:
            if not line.strip():
                return
            is_marks = not blank_markers(line).strip()
            yield from self._close_code(line if is_marks else "")
            if is_marks:
                return
        if fence := _FENCE.match(line):
            yield from self._close()
            self._fence = fence[1]
        elif not line.strip() or _HEADING.match(line):
            yield from self._close()
        elif line.lstrip().startswith("|"):
            yield from self._close()
            yield from self._row(line)
        else:
            yield from self._continue(line)

    def _continue(self, line: str) -> Iterator[Said]:
        """A line of a paragraph or of a list."""
        if item := _ITEM.match(line):
            yield from self._close()
            self._block = _Block(SaidKind.ITEM)
            line = line[item.end() :]
        elif self._block is None:
            self._block = _Block(SaidKind.SENTENCE)
        self._block.text += line + "\n"
        yield from self._told(self._block.begun(self._block.text))

    def _begun(self) -> Iterator[Said]:
        """What of the line that is being written is surely a sentence."""
        begun = _BEGUN.match(self._line)
        if self._fence or self._code or not begun or _WHOLE_LINE.match(self._line):
            return
        if _LIST_MARK.match(begun[0]):
            return
        if item := _ITEM.match(self._line):
            block = _Block(SaidKind.ITEM)
            yield from self._close()
            self._block = block
            self._line = self._line[item.end() :]
        elif self._block is None:
            self._block = _Block(SaidKind.SENTENCE)
        yield from self._told(self._block.begun(self._block.text + self._line))

    def _row(self, line: str) -> Iterator[Said]:
        if not is_rule(line):
            block = _Block(SaidKind.ITEM)
            numbers = cited_numbers(line)
            block.text = "; ".join(filter(None, (without_markers(cell) for cell in cells(line))))
            if block.text:
                yield from self._told(iter([Said(block.text, numbers, block.kind, opens=True)]))

    def _close(self) -> Iterator[Said]:
        block, self._block = self._block, None
        if block is not None:
            yield from self._told(block.closed())

    def _close_code(self, marks: str = "") -> Iterator[Said]:
        code, self._code, self._fence = "\n".join(self._code).strip("\n"), [], None
        if code.strip():
            numbers = cited_numbers(marks) or self._numbers
            yield from self._told(iter([Said(code, numbers, SaidKind.CODE, opens=True)]))

    def _told(self, said: Iterator[Said]) -> Iterator[Said]:
        for one in said:
            self._numbers = one.numbers or self._numbers
            yield one


class _Block:
    """A paragraph or a line of a list, with how many of its sentences were told."""

    def __init__(self, kind: SaidKind) -> None:
        self.kind = kind
        self.text = ""
        self._told = 0
        self._opens = True
        self._end = 0

    @property
    def waiting(self) -> int:
        """Characters of it that were not told."""
        return len(self.text) - self._end

    def begun(self, text: str) -> Iterator[Said]:
        """The sentences after which another one has begun."""
        # A word or a marker that is still being written may look like another.
        known = _KNOWN.match(text)
        if known is not None:
            spans = _spans(known[0][: begun_marker(known[0])])
            yield from self._tell(text, spans, len(spans) - 1)

    def closed(self) -> Iterator[Said]:
        """All that are left."""
        spans = _spans(self.text)
        yield from self._tell(self.text, spans, len(spans))

    def _tell(self, text: str, spans: list[Span], until: int) -> Iterator[Said]:
        for at in range(self._told, until):
            start, end = spans[at]
            # Markers after the full stop belong to the sentence before it.
            reaches = spans[at + 1][0] if at + 1 < len(spans) else len(text)
            numbers = cited_numbers(text[start if at else 0 : reaches])
            opens, self._opens = self._opens, False
            yield Said(without_markers(text[start:end]), numbers, self.kind, opens)
            self._told, self._end = at + 1, end


def _spans(text: str) -> list[Span]:
    """The sentences that say something, wherever their markers stand."""
    blank = blank_markers(text)
    return [
        (start, end)
        for start, end in sentences(blank)
        if any(sign.isalnum() for sign in blank[start:end])
    ]
