"""A document as pieces: what is packed into chunks and not split without need."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from svod.knowledge.chunking.cutting import cut, functions, items, prose, rows
from svod.knowledge.chunking.sentences import Span
from svod.knowledge.chunking.settings import SplitMode, SplitSettings
from svod.knowledge.parsing.document import Block, BlockKind

_SAYS_SOMETHING = re.compile(r"[^\W_]")
_WINDOWS_A_CHUNK = 8
"""Fixed size fills a chunk with windows this many times smaller, so that it ends near its size."""


class Opening(IntEnum):
    """What begins at a piece; the greater, the more it parts."""

    NOTHING = 0
    SECTION = 1
    PART = 2


@dataclass(frozen=True, slots=True)
class Stretch:
    """A block, or the share of it that falls into one part of the document."""

    block: Block
    start: int
    end: int
    opens: Opening = Opening.NOTHING


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that fits into a chunk, led by its headings and table header if it has any.

    Its body begins at `body`. `path` is that of its first block, `body_path` that of its body.
    `header` is the header of the table it continues, `own_header` of the one that begins in it.
    """

    start: int
    end: int
    body: int
    path: tuple[str, ...]
    body_path: tuple[str, ...]
    opens: Opening
    page: int | None
    sheet: str | None
    header: str = ""
    own_header: str = ""
    continued: bool = False

    def divided(self, text: str, limit: int) -> "list[Piece]":
        """The same within `limit`; headings stay with the beginning of the body if they can."""
        room = limit - (self.body - self.start)
        if room > limit // 4 and self.body < self.end:
            spans = cut(text, self.body, self.end, limit, room)
            spans[0] = self.start, spans[0][1]
        else:
            spans = cut(text, self.start, self.end, limit)
        first, *others = spans
        rest = replace(
            self,
            path=self.body_path,
            opens=Opening.NOTHING,
            header=self.header or self.own_header,
            own_header="",
            continued=True,
        )
        return [
            replace(self, end=first[1], body=min(self.body, first[1])),
            *(replace(rest, start=start, end=end, body=start) for start, end in others),
        ]


def stretches(text: str, blocks: Sequence[Block], parts: Sequence[Span]) -> Iterator[Stretch]:
    """The blocks, cut where parts begin and end; text between blocks counts as paragraphs.

    Nothing that has a letter or digit is left out, except what lies between two parts.
    """
    everything = _with_gaps(text, blocks)
    block = next(everything, None)
    for part_start, part_end in parts:
        opens = Opening.PART
        while block is not None and block.start < part_end:
            start, end = max(block.start, part_start), min(block.end, part_end)
            if start < end and _SAYS_SOMETHING.search(text, start, end):
                yield Stretch(block, *_trimmed(text, start, end), opens)
                opens = Opening.NOTHING
            if block.end > part_end:
                break
            block = next(everything, None)


def _with_gaps(text: str, blocks: Sequence[Block]) -> Iterator[Block]:
    done, path = 0, ()
    for block in blocks:
        if block.start > done and _SAYS_SOMETHING.search(text, done, block.start):
            yield Block(BlockKind.PARAGRAPH, done, block.start, path)
        if block.end > done:
            yield block
        done, path = max(done, block.end), block.heading_path
    if _SAYS_SOMETHING.search(text, done):
        yield Block(BlockKind.PARAGRAPH, done, len(text), path)


@dataclass(slots=True)
class Pieces:
    """Makes pieces of stretches, holding headings back until the text under them comes."""

    text: str
    settings: SplitSettings
    mode: SplitMode
    _lead: Piece | None = None

    def of(self, given: Iterator[Stretch]) -> Iterator[Piece]:
        """The pieces, in order."""
        for stretch in given:
            if stretch.block.kind is BlockKind.HEADING:
                yield from self._hold(stretch)
            else:
                yield from self._body(stretch)
        if self._lead is not None:
            yield self._lead

    @property
    def _longest_lead(self) -> int:
        return self.settings.chunk_size // 2

    def _hold(self, stretch: Stretch) -> Iterator[Piece]:
        opens = max(stretch.opens, Opening.SECTION)
        lead = self._lead
        if lead is not None:
            starts_anew = stretch.opens is Opening.PART or lead.sheet != stretch.block.sheet
            if starts_anew or stretch.end - lead.start > self._longest_lead:
                yield lead
                lead = None
        if lead is not None:
            self._lead = replace(lead, end=stretch.end, body=stretch.end)
            return
        block = stretch.block
        heading = Piece(
            stretch.start,
            stretch.end,
            body=stretch.end,
            path=block.heading_path,
            body_path=block.heading_path,
            opens=opens,
            page=block.page,
            sheet=block.sheet,
        )
        *cut_off, self._lead = self._within(self._longest_lead, heading)
        yield from cut_off

    def _body(self, stretch: Stretch) -> Iterator[Piece]:
        lead, self._lead = self._lead, None
        block, opens = stretch.block, stretch.opens
        # A separator typed right under a line makes Markdown's heading of it; the separator is meant.
        is_parted = opens is Opening.PART and self.mode is SplitMode.SEPARATOR
        if lead is not None and (is_parted or stretch.start - lead.start > self._longest_lead):
            yield lead
            lead = None
        header_end = self._header_end(stretch)
        start = stretch.start if lead is None else lead.start
        header = ""
        if block.kind is BlockKind.TABLE and block.header_end > block.start:
            header = self.text[block.start : block.header_end].strip()
            header = header if len(header) <= self._longest_lead else ""
        is_prose = block.kind in {BlockKind.PARAGRAPH, BlockKind.QUOTE}
        holds_header = bool(header) and stretch.start == block.start
        for number, unit in enumerate(self._units(stretch, start, header_end)):
            piece = Piece(
                unit[0],
                unit[1],
                body=unit[0] if number else min(header_end, unit[1]),
                path=block.heading_path,
                body_path=block.heading_path,
                opens=Opening.NOTHING if number else opens,
                page=block.page,
                sheet=block.sheet,
                header="" if holds_header and not number else header,
                own_header=header if holds_header and not number else "",
                continued=number > 0 and is_prose,
            )
            room = self.settings.max_chunk_size - (0 if number else stretch.start - start)
            for part in self._within(room, piece):
                yield part if lead is None else _led(lead, part)
                lead = None

    def _header_end(self, stretch: Stretch) -> int:
        """Where the first row begins, if the stretch holds its table's header; else its start."""
        block = stretch.block
        is_headed = block.kind is BlockKind.TABLE and stretch.start == block.start
        if not is_headed or block.header_end - block.start > self._longest_lead:
            return stretch.start
        return min(max(block.header_end, stretch.start), stretch.end)

    def _units(self, stretch: Stretch, start: int, header_end: int) -> list[Span]:
        size = stretch.end - start
        kind, text = stretch.block.kind, self.text
        whole = [(stretch.start, stretch.end)]
        if self.mode is SplitMode.FIXED_SIZE and kind is not BlockKind.TABLE:
            window = max(1, self.settings.chunk_size // _WINDOWS_A_CHUNK)
            return cut(text, stretch.start, stretch.end, window)
        if size <= self.settings.chunk_size:
            return whole
        match kind:
            case BlockKind.TABLE:
                found = rows(text, header_end, stretch.end)
            case BlockKind.LIST:
                found = items(text, stretch.start, stretch.end)
            case BlockKind.CODE:
                found = functions(text, stretch.start, stretch.end)
            case _ if size <= self._longest_block:
                return whole
            case _:
                found = prose(text, stretch.start, stretch.end)
        found = found or whole
        found[0] = stretch.start, found[0][1]
        return found

    @property
    def _longest_block(self) -> int:
        if self.mode is SplitMode.RECURSIVE:
            return self.settings.chunk_size
        return self.settings.max_chunk_size

    def _within(self, limit: int, piece: Piece) -> list[Piece]:
        if piece.end - piece.start <= limit:
            return [piece]
        return piece.divided(self.text, min(limit, self.settings.chunk_size))


def _led(lead: Piece, piece: Piece) -> Piece:
    return replace(
        piece,
        start=lead.start,
        path=lead.path,
        opens=max(lead.opens, piece.opens),
        page=lead.page,
        sheet=lead.sheet,
        continued=lead.continued,
    )


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
