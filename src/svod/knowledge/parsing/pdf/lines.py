"""The lines of a PDF page: their text, where they stand and how large they are."""

import ctypes
import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw as untyped

raw: Any = untyped  # pyright: ignore[reportUnknownVariableType]
"""Functions of the C library, without types."""
HYPHEN = "\x02"
"""What PDFium puts for a hyphen at a line's end, together with the line break."""
COLUMN_GAP = 1.0
"""A gap between words from which two columns begin, in sizes of the letters."""
MARK = re.compile(
    r"[•●▪■◦‣∙·–—*\-−oо§\uf0b7\uf0a7]|\(?(?:\d{1,3}|[a-zа-яA-ZА-Я])[.)]|\d{1,2}(?:\.\d{1,2}){1,3}\.?"
)
"""What stands before an item of a list."""
BOLD = 600
_FIXED_PITCH = 1
_SURROGATES = range(0xD800, 0xE000)
_PRIVATE = range(0xE000, 0xF900)
_LOST = frozenset((0, 0xFFFD, 0xFFFE, 0xFFFF))
_HANGUL = range(0xAC00, 0xD7A4)
_UTF8_CYRILLIC = range(0xD080, 0xD1C0)
_LEAST_WRONG = 4


class Segment(NamedTuple):
    """A part of a line and where it stands: a word, or words with wide gaps around them."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Line:
    """One line, in points from the page's lower left corner.

    `breaks_word` says that it ends with a hyphen and the next line goes on with the word; `fixed`
    that its letters are all of one width, as in code; `bold` that they are heavy.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    words: tuple[Segment, ...]
    segments: tuple[Segment, ...]
    breaks_word: bool = False
    fixed: bool = False
    bold: bool = False

    @property
    def parts(self) -> int:
        """How many parts stand apart on it; a list's mark before its words is none."""
        return len(self.segments) - (MARK.fullmatch(self.segments[0].text.strip()) is not None)

    @property
    def height(self) -> float:
        """Its height with what the font leaves free above and below."""
        return max(self.top - self.bottom, 1.0)


@dataclass(frozen=True, slots=True)
class PageLines:
    """The lines of a page in reading order, and the share of its characters without a meaning."""

    lines: tuple[Line, ...]
    unmapped: float = 0.0


def page_lines(page: pdfium.PdfPage) -> PageLines:
    """The lines of one page."""
    text = page.get_textpage()
    try:
        codes = [
            raw.FPDFText_GetUnicode(text, index) for index in range(raw.FPDFText_CountChars(text))
        ]
        codes = _repaired(codes)
        seen = sum(code > ord(" ") for code in codes)
        lost = sum(code in _LOST or code in _PRIVATE for code in codes)
        reader = _Reader(text, codes)
        lines = [reader.line(*place) for place in _ranges(codes)]
        return PageLines(tuple(filter(None, lines)), lost / seen if seen else 0.0)
    finally:
        text.close()


def _repaired(codes: list[int]) -> list[int]:
    """Cyrillic that a program wrote into the font's table as UTF-8 where UTF-16 belongs.

    It comes out as Korean syllables, but only ever as those few whose numbers are such bytes; real
    Korean uses many others.
    """
    korean = {code for code in codes if code in _HANGUL}
    if len(korean) < _LEAST_WRONG or not all(code in _UTF8_CYRILLIC for code in korean):
        return codes
    return [
        ord(code.to_bytes(2, "big").decode("utf-8", "replace")[0]) if code in korean else code
        for code in codes
    ]


def _ranges(codes: list[int]) -> Iterator[tuple[int, int, bool]]:
    start = 0
    for index, code in enumerate(codes):
        if code in {ord("\n"), ord(HYPHEN)}:
            yield start, index, code == ord(HYPHEN)
            start = index + 1
    yield start, len(codes), False


def _joined(words: Sequence[Segment], gap: float) -> tuple[Segment, ...]:
    """Words with no wide gap between them, as one part."""
    parts: list[Segment] = []
    for word in words:
        if parts and word.left - parts[-1].right <= gap:
            before = parts[-1]
            text = f"{before.text} {word.text}"
            parts[-1] = Segment(text, before.left, max(before.right, word.right))
        else:
            parts.append(word)
    return tuple(parts)


class _Box(NamedTuple):
    left: float
    right: float
    bottom: float
    top: float


class _Reader:
    def __init__(self, text: pdfium.PdfTextPage, codes: list[int]) -> None:
        self._text = text
        self._codes = codes

    def line(self, start: int, end: int, broken: bool) -> Line | None:
        shown = [
            index
            for index in range(start, end)
            if self._codes[index] > ord(" ") and self._codes[index] not in _LOST
        ]
        if not shown or not (first := self._box(shown[0])):
            return None
        size = raw.FPDFText_GetFontSize(self._text, shown[0])
        words = self._placed(shown, first)
        return Line(
            text=self._words(start, end).rstrip(),
            left=min(word.left for word in words),
            right=max(word.right for word in words),
            bottom=first.bottom,
            top=first.top,
            size=size,
            words=words,
            segments=_joined(words, max(size, first.top - first.bottom) * COLUMN_GAP),
            breaks_word=broken,
            fixed=self._is_fixed(shown[0]) and self._is_fixed(shown[-1]),
            bold=raw.FPDFText_GetFontWeight(self._text, shown[0]) >= BOLD,
        )

    def _placed(self, shown: list[int], line: _Box) -> tuple[Segment, ...]:
        """The words of a line, each with where it stands."""
        words: list[Segment] = []
        first = shown[0]
        for index, after in zip(shown, [*shown[1:], None], strict=True):
            if after == index + 1:
                continue
            left, right = self._box(first) or line, self._box(index) or line
            words.append(
                Segment(self._words(first, index + 1), left.left, max(left.right, right.right))
            )
            first = after or first
        return tuple(words)

    def _words(self, start: int, end: int) -> str:
        words = "".join(
            "\ufffd" if code in _SURROGATES else chr(code)
            for code in self._codes[start:end]
            if code not in _LOST and code <= sys.maxunicode
        )
        # Ligatures are not what a person types when searching.
        has_forms = any("\ufb00" <= letter <= "\ufb06" for letter in words)
        return unicodedata.normalize("NFKC", words) if has_forms else words

    def _is_fixed(self, index: int) -> bool:
        flags = ctypes.c_int()
        raw.FPDFText_GetFontInfo(self._text, index, None, 0, flags)
        return bool(flags.value & _FIXED_PITCH)

    def _box(self, index: int) -> _Box | None:
        """The place of a letter, as high as its font: the same for «о» and «р» of one line."""
        box = raw.FS_RECTF()
        if not raw.FPDFText_GetLooseCharBox(self._text, index, box):
            return None
        return _Box(box.left, box.right, box.bottom, box.top)
