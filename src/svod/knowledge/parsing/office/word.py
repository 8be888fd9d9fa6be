"""A Word document to blocks."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from svod.knowledge.parsing.errors import CorruptFile
from svod.knowledge.parsing.office.archive import Archive
from svod.knowledge.parsing.office.word_styles import (
    Numbering,
    Style,
    heading_level,
    is_code,
    is_quote,
    read_numbering,
    read_styles,
)
from svod.knowledge.parsing.office.word_text import words_of
from svod.knowledge.parsing.office.xml import (
    attribute,
    child,
    is_on,
    main_part,
    name_of,
    parsed_xml,
    title_of,
)
from svod.knowledge.parsing.tables import counted, write_table
from svod.knowledge.parsing.writing import Writing

LONGEST_HEADING = 300
"""A longer paragraph in a heading's style is text that someone made large."""
LONGEST_CELL = 2_000
"""A table with a longer cell arranges a page; it is read as ordinary content."""
WIDEST_SPAN = 256
_AROUND = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"})


def write_word(writing: Writing, content: bytes) -> None:
    """Write a Word document: headings, numbered and plain paragraphs, tables, notes, text boxes."""
    archive = Archive(content, format_name="docx")
    main = main_part(archive, "word/document.xml")
    body = child(parsed_xml(archive.xml(main), format_name="docx"), "body")
    if body is None:
        raise CorruptFile(format="docx")
    if any(name.endswith("vbaproject.bin") for name in archive.names()):
        writing.warn("macros")
    writing.title = title_of(archive)
    _Document(writing, archive, main.rpartition("/")[0]).write(body)


class _Document:
    def __init__(self, writing: Writing, archive: Archive, folder: str) -> None:
        self._writing = writing
        self._archive = archive
        self._folder = folder
        styles, numbering = self._part("styles.xml"), self._part("numbering.xml")
        self._styles = read_styles(styles) if styles is not None else {}
        self._numbering = read_numbering(numbering) if numbering is not None else Numbering()
        self._default = next(
            (
                attribute(style, "styleId") or ""
                for style in (styles if styles is not None else ())
                if attribute(style, "default") == "1" and attribute(style, "type") == "paragraph"
            ),
            "",
        )
        self._notes = {sort: self._read_notes(sort) for sort in ("footnote", "endnote")}
        self._items: list[str] = []
        self._code: list[str] = []
        self._beside: list[str] = []

    def _part(self, name: str) -> Element | None:
        path = f"{self._folder}/{name}".lstrip("/")
        return (
            parsed_xml(self._archive.xml(path), format_name="docx")
            if path in self._archive
            else None
        )

    def _read_notes(self, sort: str) -> dict[str, str]:
        root = self._part(f"{sort}s.xml")
        return {
            attribute(note, "id") or "": " ".join(
                words_of(p).text.strip() for p in _paragraphs(note)
            ).strip()
            for note in (root if root is not None else ())
        }

    def write(self, body: Element) -> None:
        self._content(body)
        self._flush()

    def _content(self, element: Element) -> None:
        for inner in element:
            match name_of(inner):
                case "p":
                    self._paragraph(inner)
                case "tbl":
                    self._table(inner)
                case name if name in _AROUND:
                    self._content(inner)
                case _:
                    pass

    def _paragraph(self, paragraph: Element) -> None:
        properties = child(paragraph, "pPr")
        style = self._styles.get(
            attribute(child(properties, "pStyle"), "val") or self._default, Style()
        )
        words = words_of(paragraph)
        text = words.text.replace("\t", " ")
        level = heading_level(style, attribute(child(properties, "outlineLvl"), "val"))
        # The mark is counted even before an empty paragraph: Word shows a number there too.
        mark, depth = self._mark(properties, style) if text.strip() else (None, 0)
        if level and text.strip() and len(text) <= LONGEST_HEADING:
            self._flush()
            shown = f"{mark} {text}" if mark and mark != "-" else text
            self._writing.heading(shown, level)
        elif is_code(style):
            self._flush(but_code=True)
            self._code.append(words.text)
        elif mark:
            self._flush(but_items=True)
            self._items.append(f"{'  ' * depth}{mark} {' '.join(text.split())}")
        elif text.strip():
            self._flush()
            if is_quote(style):
                self._writing.quote(text.strip())
            else:
                self._writing.paragraph(_lines(text))
        for sort, note in words.notes:
            if known := self._notes[sort].get(note):
                self._beside.append(known)
        for box in words.boxes:
            self._flush()
            self._content(box)

    def _mark(self, properties: Element | None, style: Style) -> tuple[str | None, int]:
        numbering = child(properties, "numPr")
        list_id = attribute(child(numbering, "numId"), "val") or style.numbering
        depth = attribute(child(numbering, "ilvl"), "val")
        level = int(depth) if depth and depth.isdecimal() else style.indent or 0
        if list_id in {None, "0"}:
            return None, 0
        level = min(level, 8)
        return self._numbering.mark(list_id or "", level), level

    def _flush(self, *, but_items: bool = False, but_code: bool = False) -> None:
        if self._items and not but_items:
            items, self._items = self._items, []
            self._writing.items(items)
        if self._code and not but_code:
            code, self._code = self._code, []
            self._writing.code("\n".join(code))
        if not but_items and not but_code:
            notes, self._beside = self._beside, []
            for note in notes:
                self._writing.paragraph(f"[*] {note}")

    def _table(self, table: Element) -> None:
        self._flush()
        lines = [row for row in _rows(table) if not is_on(child(row, "trPr", "del"))]
        cells = [[_cell(cell) for cell in _cells(row)] for row in lines]
        longest = max((len(text) for row in cells for text, _ in row), default=0)
        if sum(map(len, cells)) == 1 or longest > LONGEST_CELL:
            for row in lines:
                for cell in _cells(row):
                    self._content(cell)
                    self._flush()
            return
        rows = _spread(lines, cells)
        header = bool(lines) and is_on(child(lines[0], "trPr", "tblHeader"))
        write_table(self._writing, rows, has_header=header or None)
        for paragraph in table.iter():
            if name_of(paragraph) in {"footnoteReference", "endnoteReference"}:
                sort = name_of(paragraph).removesuffix("Reference")
                self._beside.append(self._notes[sort].get(attribute(paragraph, "id") or "", ""))
        self._beside = [note for note in self._beside if note]
        self._flush()


def _lines(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _paragraphs(element: Element) -> Iterator[Element]:
    return (inner for inner in element.iter() if name_of(inner) == "p")


def _rows(table: Element) -> Iterator[Element]:
    for inner in table:
        if name_of(inner) == "tr":
            yield inner
        elif name_of(inner) in _AROUND:
            yield from _rows(inner)


def _cells(row: Element) -> Iterator[Element]:
    for inner in row:
        if name_of(inner) == "tc":
            yield inner
        elif name_of(inner) in _AROUND:
            yield from _cells(inner)


def _cell(cell: Element) -> tuple[str, Element]:
    """A cell's words in one line; those of a table inside it are among them."""
    parts: list[str] = []
    for paragraph in _paragraphs(cell):
        words = words_of(paragraph)
        parts.append(" ".join(words.text.split()))
    return " ".join(part for part in parts if part), cell


def _spread(lines: list[Element], cells: list[list[tuple[str, Element]]]) -> list[list[str]]:
    """Rows on the table's grid, where a merged cell stands in each place that it covers."""
    rows: list[list[str]] = []
    for line, row in zip(lines, cells, strict=True):
        spread = [""] * _span(child(line, "trPr", "gridBefore"), 0)
        above = rows[-1] if rows else []
        for text, cell in row:
            properties = child(cell, "tcPr")
            merge = child(properties, "vMerge")
            continues = merge is not None and attribute(merge, "val") in {None, "continue"}
            beside = child(properties, "hMerge")
            if beside is not None and attribute(beside, "val") != "restart" and spread:
                text = spread[-1]  # noqa: PLW2901
            elif continues and not text and len(spread) < len(above):
                text = above[len(spread)]  # noqa: PLW2901
            spread += [text] * _span(child(properties, "gridSpan"), 1)
        rows.append(spread)
    return rows


def _span(element: Element | None, usual: int) -> int:
    return counted(attribute(element, "val"), usual, most=WIDEST_SPAN)
