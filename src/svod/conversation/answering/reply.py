"""What a model writes, read as it comes: sentence by sentence, each with the numbers it cites."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from svod.conversation.answering.plain import cells, is_rule
from svod.knowledge.chunking.sentences import sentences

_WORD = r"(?:источники?|выдержк[аи]|sources?|excerpts?|evidence|documents?)"
_ONE = rf"(?:[\^№#]|{_WORD})?\s*\d{{1,3}}"
_CITED = re.compile(
    rf"\[\s*{_ONE}(?:\s*[,;–—-]\s*{_ONE})*\s*\](?!\()|【\s*{_ONE}[^】\n]{{0,24}}】", re.IGNORECASE
)
"""Numbers in brackets, as models write them: `[1]`, `[1, 3]`, `[2-4]`, `[^1]`, `【1†source】`."""
_LEADING = re.compile(rf"\s*(?:(?:{_CITED.pattern})[\s.,;]*)+", re.IGNORECASE)
_RANGE = re.compile(r"(\d{1,3})\s*[–—-]\s*\D{0,12}?(\d{1,3})")
_NUMBER = re.compile(r"\d{1,3}")
_WIDEST_RANGE = 10
_ITEM = re.compile(r"[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)[^\n]*\n")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]")
_BLOCK_END = re.compile(
    r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+\S)|\n(?=[ \t]*(?:```|~~~|\||#{1,6}[ \t]))"
)
_SURE = 5
"""Characters after which it is known how a block begins."""
_BEFORE_STOP = re.compile(r"\s+(?=[.,;:!?…](?:\s|$))")


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
    """Takes a reply in pieces; gives sentences as soon as they are whole, in order."""

    def __init__(self) -> None:
        self._rest = ""
        self._kind = SaidKind.SENTENCE
        self._opens = True
        self._is_begun = False
        self._numbers: tuple[int, ...] = ()

    @property
    def waiting(self) -> int:
        """Characters that belong to no whole sentence yet."""
        return len(self._rest)

    def feed(self, piece: str) -> list[Said]:
        """The sentences that this piece completes."""
        self._rest += piece.replace("\r\n", "\n").replace("\r", "\n")
        return list(self._read(is_all=False))

    def end(self) -> list[Said]:
        """The sentences that are left when nothing more comes."""
        return list(self._read(is_all=True))

    def _read(self, *, is_all: bool) -> Iterator[Said]:
        while self._rest:
            if not self._is_begun and not self._begin(is_all=is_all):
                return
            before = len(self._rest)
            if self._opens and (fence := _FENCE.match(self._rest)):
                yield from self._code(fence, is_all=is_all)
            else:
                yield from self._block(is_all=is_all)
            if len(self._rest) == before:
                return

    def _begin(self, *, is_all: bool) -> bool:
        """Whether it is known how the next block begins; a mark of a list is taken off."""
        self._rest = self._rest.lstrip("\n")
        if len(self._rest.strip()) < _SURE and not is_all and "\n" not in self._rest.strip():
            return False
        if re.match(r"[ \t]*(?:```|~~~)", self._rest) and not is_all:
            return bool(_FENCE.match(self._rest))
        item = _ITEM.match(self._rest)
        self._kind = SaidKind.ITEM if item else SaidKind.SENTENCE
        if item:
            self._rest = self._rest[item.end() :]
        self._opens = self._is_begun = True
        return True

    def _block(self, *, is_all: bool) -> Iterator[Said]:
        line_alone = self._opens and (
            self._rest.lstrip().startswith("|") or _HEADING.match(self._rest)
        )
        end = re.search(r"\n", self._rest) if line_alone else _BLOCK_END.search(self._rest)
        if end is None and not is_all:
            if not line_alone:
                yield from self._open_block()
            return
        block = self._rest[: end.start()] if end else self._rest
        self._rest = self._rest[end.end() :] if end else ""
        if not (self._opens and _HEADING.match(block)):
            yield from self._sentences(block)
        self._is_begun = False

    def _open_block(self) -> Iterator[Said]:
        """The sentences after which another one has begun."""
        # A word that is still being written may look like another.
        known = re.search(r".*\s", self._rest, re.DOTALL)
        spans = sentences(known[0]) if known else []
        if len(spans) < 2:  # noqa: PLR2004 - one may still grow
            return
        last = spans[-1][0]
        marks = _LEADING.match(self._rest, last)
        begun = marks.end() if marks else last
        if not any(sign.isalnum() for sign in self._rest[begun : spans[-1][1]]):
            return
        block, self._rest = self._rest[:begun], self._rest[begun:]
        yield from self._sentences(block)

    def _sentences(self, block: str) -> Iterator[Said]:
        if block.lstrip().startswith("|"):
            if is_rule(block):
                return
            block = "; ".join(cell for cell in cells(block) if cell)
        held: Said | None = None
        for start, end in sentences(block):
            raw = block[start:end]
            marks = _LEADING.match(raw)
            if marks and held:
                held = replace(held, numbers=(*held.numbers, *_numbers(marks[0])))
                raw = raw[marks.end() :]
            said = _BEFORE_STOP.sub("", _CITED.sub("", raw)).strip()
            if not any(sign.isalnum() for sign in said):
                continue
            if held:
                yield self._told(held)
            held = Said(said, _numbers(raw), self._kind, self._opens)
            self._opens = False
        if held:
            yield self._told(held)

    def _code(self, fence: re.Match[str], *, is_all: bool) -> Iterator[Said]:
        close = re.search(rf"\n?[ \t]*{fence[1]}[ \t]*(?=\n|$)", self._rest[fence.end() :])
        if close is None and not is_all:
            return
        start = fence.end()
        code = self._rest[start : start + close.start()] if close else self._rest[start:]
        after = start + close.end() if close else len(self._rest)
        if not is_all and not self._rest[after:].strip():
            return
        marks = _LEADING.match(self._rest, after)
        numbers = _numbers(marks[0]) if marks else self._numbers
        self._rest = self._rest[marks.end() if marks else after :]
        self._is_begun = False
        if code.strip():
            yield self._told(Said(code.strip("\n"), numbers, SaidKind.CODE, opens=True))

    def _told(self, said: Said) -> Said:
        self._numbers = said.numbers or self._numbers
        return replace(said, numbers=tuple(dict.fromkeys(said.numbers)))


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers of the markers of a text, in order."""
    found: list[int] = []
    for cited in _CITED.findall(text):
        for first, last in _RANGE.findall(cited):
            if int(first) < int(last) <= int(first) + _WIDEST_RANGE:
                found += range(int(first), int(last) + 1)
        inner = cited.partition("†")[0]
        found += [int(number) for number in _NUMBER.findall(inner)]
    return tuple(dict.fromkeys(found))
