"""How readers write down what they find: blocks, one after another, over one growing text."""

import re
from collections.abc import Sequence

from svod.foundation.errors import Language
from svod.knowledge.parsing.document import Block, BlockKind, ParsedDocument, Warned

MOST_CHARACTERS = 1_000_000
"""The most text that is kept of one item (K14)."""
MOST_BLOCKS = 100_000
"""Far above real documents; keeps a file of a million one-letter lines from filling memory."""
LONG_BLOCK = 20_000
"""A block longer than this is cut at a line end when it does not fit; a shorter one is left out."""
LONG_LIST = 2_000
"""A list longer than this is one block an item, so that it parts between items."""
CYRILLIC_SHARE = 0.3
"""A text with this share of Cyrillic among its letters is read as Russian: code and names are
Latin in both languages."""
LANGUAGE_SAMPLE = 100_000
LONGEST_TITLE = 300
HEADING_LEVELS = 6
PLACES_LISTED = 20

_REMOVED = {code: None for code in range(32) if chr(code) not in "\t\n"} | {
    0x7F: None,
    0x85: "\n",
    0x2028: "\n",
    0x2029: "\n",
    0x0B: "\n",
    0x0C: "\n",
    0xFEFF: None,
    0xAD: None,
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
    **dict.fromkeys(range(0x80, 0x85), None),
    **dict.fromkeys(range(0x86, 0xA0), None),
}
_UNCLEAN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u2028\u2029\ufeff\ud800-\udfff]")
_MARKUP = re.compile(r"[*`~]+|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_ANCHOR = re.compile(r"\s*\{(?:#|/\*)[^}]*\}\s*$")


class Full(Exception):
    """The text has reached its limit: a reader may stop."""


def cleaned(text: str) -> str:
    r"""The text with `\n` line ends and without what no reader of it can use.

    NUL and other control characters go; a lone surrogate becomes U+FFFD. Soft hyphens go too: they
    say where a word may break, and a word with one in it is not found.
    """
    if not _UNCLEAN.search(text):
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_REMOVED)


def plain(heading: str) -> str:
    """A heading's words, without Markdown marks, link addresses and anchors."""
    text = _LINK.sub(r"\1", _ANCHOR.sub("", heading))
    return " ".join(_MARKUP.sub("", text).split())


def language_of(text: str) -> Language | None:
    """The language by the share of Cyrillic among the letters; None if there are no letters."""
    letters = [letter for letter in text[:LANGUAGE_SAMPLE] if letter.isalpha()]
    if not letters:
        return None
    cyrillic = sum("\u0400" <= letter <= "\u052f" for letter in letters)
    return Language.RU if cyrillic >= CYRILLIC_SHARE * len(letters) else Language.EN


def listed(places: Sequence[int]) -> str:
    """Page numbers as a person writes them: `1, 3-5`."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][1] + 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    shown = [str(a) if a == b else f"{a}-{b}" for a, b in runs[:PLACES_LISTED]]
    return ", ".join(shown) + (", …" if len(runs) > PLACES_LISTED else "")


class Writing:
    """A document being written; blocks are parted by a blank line unless they continue a text."""

    def __init__(self) -> None:
        self.title: str | None = None
        self.pages: int | None = None
        self.page: int | None = None
        self.sheet: str | None = None
        self.full = False
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._path: list[tuple[int, str]] = []
        self._warnings: list[Warned] = []
        self._first_heading: str | None = None

    @property
    def is_empty(self) -> bool:
        """Nothing was written yet."""
        return not self._blocks

    def warn(self, code: str, **facts: str | int) -> None:
        """Note something that a person should know; the same thing is noted once."""
        warned = Warned(code, facts)
        if warned not in self._warnings:
            self._warnings.append(warned)

    def heading(self, text: str, level: int) -> None:
        """A heading in plain words; those of its level and below are left behind."""
        words = " ".join(cleaned(text).split())
        level = min(max(level, 1), HEADING_LEVELS)
        if words:
            self.raw(BlockKind.HEADING, f"{'#' * level} {words}", level=level, words=words)

    def paragraph(self, text: str) -> None:
        """A paragraph."""
        self.raw(BlockKind.PARAGRAPH, text)

    def code(self, text: str, language: str = "") -> None:
        """A block of code, fenced so that its own fences do not end it."""
        text = cleaned(text).strip("\n")
        if text.strip():
            ticks = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
            fence = "`" * (ticks + 1)
            self.raw(BlockKind.CODE, f"{fence}{language}\n{text}\n{fence}")

    def quote(self, text: str) -> None:
        """A quotation."""
        lines = cleaned(text).strip().split("\n")
        self.raw(BlockKind.QUOTE, "\n".join(f"> {line}".rstrip() for line in lines))

    def items(self, items: Sequence[str]) -> None:
        """A list: Markdown, an item each, with its mark; a long one parts between its items."""
        if sum(map(len, items)) <= LONG_LIST:
            self.raw(BlockKind.LIST, "\n".join(items))
            return
        for number, item in enumerate(items):
            self.raw(BlockKind.LIST, item, gap="\n" if number else "\n\n")

    def table(self, text: str, header_length: int) -> None:
        """A Markdown table, and how much of it is the header (0: it has none)."""
        self.raw(BlockKind.TABLE, text, header_length=header_length)

    def raw(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int = 0,
        words: str = "",
        header_length: int = 0,
        gap: str = "\n\n",
    ) -> None:
        """A block as Markdown text.

        Args:
            kind: What it is.
            text: Its Markdown.
            level: Of a heading, 1..6.
            words: Of a heading, as they go into the path of what follows.
            header_length: Of a table.
            gap: What stands between the block before and this one.

        Raises:
            Full: the text has reached its limit; this block is in only as far as it fitted.
        """
        text = cleaned(text).strip("\n")
        if kind is not BlockKind.CODE and not header_length:
            text = text.rstrip() if text.startswith((" ", "\t")) else text.strip()
        if not text.strip():
            return
        start = self._length + (len(gap) if self._blocks else 0)
        text = self._fitted(text, MOST_CHARACTERS - start)
        if kind is BlockKind.HEADING:
            while self._path and self._path[-1][0] >= level:
                self._path.pop()
        if text:
            if self._blocks:
                self._parts.append(gap)
            self._parts.append(text)
            self._length = start + len(text)
            self._blocks.append(
                Block(
                    kind,
                    start,
                    self._length,
                    heading_path=tuple(name for _, name in self._path),
                    level=level,
                    header_end=start + min(header_length, len(text)),
                    page=self.page,
                    sheet=self.sheet,
                )
            )
        if kind is BlockKind.HEADING:
            self._path.append((level, words or text))
            if self.sheet is None and self._first_heading is None:
                self._first_heading = self._path[-1][1]
        if self.full:
            raise Full

    def _fitted(self, text: str, room: int) -> str:
        if len(text) <= room and len(self._blocks) < MOST_BLOCKS:
            return text
        self.full = True
        if len(text) <= LONG_BLOCK or room <= 0 or len(self._blocks) >= MOST_BLOCKS:
            return ""
        return text[: max(text.rfind("\n", 0, room), 0) or room]

    def finished(self) -> ParsedDocument:
        """The document as written so far."""
        text = "".join(self._parts)
        if self.full:
            self.warn("cut", kept=len(text))
        title = " ".join(cleaned(self.title or "").split()) or self._first_heading
        return ParsedDocument(
            text=text,
            blocks=tuple(self._blocks),
            title=title[:LONGEST_TITLE].strip() if title else None,
            language=language_of(text),
            warnings=tuple(self._warnings),
            truncated=self.full,
            pages=self.pages,
        )
