"""A PDF to blocks, page by page."""

import re
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import cast

import pypdfium2 as pdfium
from pypdfium2.raw import FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY

from svod.knowledge.parsing.errors import CorruptFile, EncryptedFile, NoText
from svod.knowledge.parsing.pdf.hints import Hint, Inspection
from svod.knowledge.parsing.pdf.lines import Line, PageLines, page_lines
from svod.knowledge.parsing.pdf.paragraphs import joined, write_lines
from svod.knowledge.parsing.pdf.structure import Code, Heading, Span, Table, spans_of
from svod.knowledge.parsing.tables import write_table
from svod.knowledge.parsing.writing import MOST_CHARACTERS, Writing, listed

PATIENCE_S = 15.0
"""How long hints may take after the text is there; without them structure is poorer, text is not."""
TEXT_LETTERS = 1
UNMAPPED_SHARE = 0.2
REPEATED_FROM_PAGES = 4
REPEATED_SHARE = 0.6
"""A line at the edge of this share of pages, at the same height, belongs to the paper."""
EDGE_LINES = 2
_DIGITS = re.compile(r"\d+")
_NO_TITLE = re.compile(
    r"microsoft (?:word|excel|powerpoint)\b.*|(?:untitled|без имени|document|документ|презентация)\s*\d*"
    r"|\S+\.[a-z0-9]{2,5}|.*\.(?:docx?|odt|rtf|pptx?|xlsx?|indd|pdf|tmp|qxd)",
    re.IGNORECASE,
)
"""What programs put there by themselves."""


def write_pdf(writing: Writing, content: bytes) -> None:
    """Write the text layer of a PDF."""
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        # pypdfium2 gives the code no type.
        code = cast("int | None", error.err_code)  # pyright: ignore[reportUnknownMemberType]
        if code in {FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY}:
            raise EncryptedFile from error
        raise CorruptFile(format="pdf") from error
    writing.pages = len(document)
    writing.title = _title(document)
    inspection = Inspection(content)
    try:
        pages = _read_pages(writing, document)
        hints = inspection.pages(until=time.monotonic() + PATIENCE_S)
    finally:
        inspection.stop()
    repeated = _repeated(pages)
    for number, page in enumerate(pages, start=1):
        writing.page = number
        lines = [line for line in page.lines if (number, line) not in repeated]
        _write_page(writing, lines, hints[number - 1] if number <= len(hints) else [])


def _title(document: pdfium.PdfDocument) -> str | None:
    title = document.get_metadata_dict().get("Title", "").strip()
    return title if title and not _NO_TITLE.fullmatch(title) else None


def _read_pages(writing: Writing, document: pdfium.PdfDocument) -> list[PageLines]:
    """The lines of the pages, as far as text is kept, with warnings of what is missing."""
    pages: list[PageLines] = []
    broken: list[int] = []
    kept = 0
    for number in range(len(document)):
        try:
            page = document[number]
            try:
                pages.append(page_lines(page))
            finally:
                page.close()
        except pdfium.PdfiumError:
            pages.append(PageLines(()))
            broken.append(number + 1)
        kept += sum(len(line.text) + 1 for line in pages[-1].lines)
        if kept > MOST_CHARACTERS:
            break
    empty = [
        n
        for n, page in enumerate(pages, start=1)
        if n not in broken and _letters(page) < TEXT_LETTERS
    ]
    if len(empty) + len(broken) == len(pages):
        raise CorruptFile(format="pdf") if broken and not empty else NoText()
    total = len(document)
    if empty:
        writing.warn("pages_without_text", count=len(empty), pages=total, listed=listed(empty))
    if broken:
        writing.warn("pages_unreadable", count=len(broken), pages=total, listed=listed(broken))
    unmapped = [n for n, page in enumerate(pages, start=1) if page.unmapped > UNMAPPED_SHARE]
    if unmapped:
        writing.warn("glyphs_unmapped", count=len(unmapped), listed=listed(unmapped))
    return pages


def _letters(page: PageLines) -> int:
    return sum(letter.isalnum() for line in page.lines for letter in line.text)


def _repeated(pages: Sequence[PageLines]) -> set[tuple[int, Line]]:
    """The running headers and footers, but for the first page that each stands on.

    Only lines at the edge of a page count, alike but for numbers, and at the same height.
    """
    if len(pages) < REPEATED_FROM_PAGES:
        return set()
    places: defaultdict[tuple[str, int], list[tuple[int, Line]]] = defaultdict(list)
    for number, page in enumerate(pages, start=1):
        ordered = sorted(page.lines, key=lambda line: -line.top)
        for line in {*ordered[:EDGE_LINES], *ordered[-EDGE_LINES:]}:
            places[_DIGITS.sub("#", line.text.strip()), round(line.bottom / 4)].append(
                (number, line)
            )
    common = [
        found
        for found in places.values()
        if len({n for n, _ in found}) >= REPEATED_SHARE * len(pages)
    ]
    return {place for found in common for place in sorted(found, key=lambda place: place[0])[1:]}


def _write_page(writing: Writing, lines: list[Line], hints: Sequence[Hint]) -> None:
    done = 0
    for span in spans_of(lines, hints):
        write_lines(writing, lines[done : span.start])
        _write_span(writing, lines, span)
        done = span.end
    write_lines(writing, lines[done:])


def _write_span(writing: Writing, lines: list[Line], span: Span) -> None:
    own = lines[span.start : span.end]
    match span.what:
        case Heading(level):
            writing.heading(joined(own), level)
        case Table(rows):
            write_table(writing, rows)
        case Code(text):
            writing.code(text)
