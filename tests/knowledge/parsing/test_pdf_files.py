"""PDF: the words, pages, headings, lists and tables of the text layer."""

import io
from collections.abc import Sequence

import pytest
from pypdf import PdfReader, PdfWriter
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from fakes.files import pdf_from, pdf_of, saved
from svod.knowledge.parsing import ParsedDocument, Parsers
from svod.knowledge.parsing.document import BlockKind
from svod.knowledge.parsing.errors import CorruptFile, EncryptedFile, NoText
from svod.knowledge.parsing.pdf.hints import HeadingHint, TableHint, hints_of
from svod.knowledge.parsing.pdf.lines import Line, Segment
from svod.knowledge.parsing.pdf.paragraphs import joined
from svod.knowledge.parsing.pdf.structure import Heading, Table, spans_of


def drawn(pages: Sequence[Sequence[tuple[float, float, str, int]]]) -> bytes:
    """A PDF with words at given places, in a given size."""

    def save(stream: io.BytesIO) -> None:
        canvas = Canvas(stream, pagesize=A4)
        canvas.setTitle("Annual report")
        for words in pages:
            for left, bottom, text, size in words:
                canvas.setFont("Helvetica", size)
                canvas.drawString(left, bottom, text)
            canvas.showPage()
        canvas.save()

    return saved(save)


async def read(parsers: Parsers, content: bytes) -> ParsedDocument:
    return await parsers.read(content, name="a.pdf")


@pytest.mark.spec("K12")
@pytest.mark.parametrize(
    ("cyrillic", "words"),
    [
        (True, ("Заявку согласует отдел.", "Вторая страница здесь.")),
        (False, ("The department approves.", "The second page is here.")),
    ],
)
async def test_a_block_names_its_page(
    cyrillic: bool, words: tuple[str, str], parsers: Parsers
) -> None:
    document = await read(parsers, pdf_of([[words[0]], [words[1]]], cyrillic=cyrillic))

    found = {document.text[b.start : b.end]: b.page for b in document.blocks}
    assert found == {words[0]: 1, words[1]: 2}
    assert document.pages == 2


@pytest.mark.spec("K12")
async def test_pages_without_text_are_listed_and_a_file_of_them_has_no_text(
    parsers: Parsers,
) -> None:
    document = await read(parsers, pdf_of([["one"], [], [], ["four"]]))

    (warned,) = document.warnings
    assert (warned.code, warned.facts) == (
        "pages_without_text",
        {"count": 2, "pages": 4, "listed": "2-3"},
    )
    with pytest.raises(NoText):
        await read(parsers, pdf_of([[], []]))


async def test_lines_of_a_paragraph_are_one_and_a_broken_word_is_whole(parsers: Parsers) -> None:
    lines = [
        (72, 700 - 14 * n, text, 12)
        for n, text in enumerate(
            (
                "All employees of the depart-",
                "ment receive their leave in the",
                "order of the list.",
            )
        )
    ]
    document = await read(
        parsers, drawn([[*lines, (72, 620, "Another paragraph stands apart.", 12)]])
    )

    assert [document.text[b.start : b.end] for b in document.blocks] == [
        "All employees of the department receive their leave in the order of the list.",
        "Another paragraph stands apart.",
    ]
    assert document.title == "Annual report"


async def test_a_large_line_is_a_heading_over_its_text(parsers: Parsers) -> None:
    body = [
        (72, 660 - 14 * n, f"Ordinary words number {n} of this long and quiet text.", 11)
        for n in range(12)
    ]
    document = await read(parsers, drawn([[(72, 700, "Rules of leave", 24), *body]]))

    assert document.blocks[0].kind is BlockKind.HEADING
    assert document.blocks[1].heading_path == ("Rules of leave",)


async def test_words_under_one_another_are_a_table(parsers: Parsers) -> None:
    rows = (
        ("Limit", "Method", "Days"),
        ("up to 100", "direct purchase", "3"),
        ("up to 3000", "request", "10"),
        ("above", "tender", "30"),
    )
    words = [
        (72 + 150 * column, 700 - 16 * row, text, 11)
        for row, cells in enumerate(rows)
        for column, text in enumerate(cells)
    ]
    document = await read(parsers, drawn([words]))

    assert document.text.split("\n")[0] == "| Limit | Method | Days |"
    assert "| up to 3000 | request | 10 |" in document.text


async def test_what_every_page_repeats_at_its_edge_is_kept_once(parsers: Parsers) -> None:
    pages = [
        [
            (72, 800, "Company handbook", 9),
            *((72, 700 - 14 * n, f"Point {page}.{n} says this and that.", 11) for n in range(6)),
            (72, 40, f"Page {page} of 5", 9),
        ]
        for page in range(1, 6)
    ]
    document = await read(parsers, drawn(pages))

    assert document.text.count("Company handbook") == 1
    assert document.text.count(" of 5") == 1
    assert all(f"Point {page}.3 says" in document.text for page in range(1, 6))


@pytest.mark.spec("X8")
async def test_encrypted_and_damaged_files_say_so(parsers: Parsers) -> None:
    writer = PdfWriter(PdfReader(io.BytesIO(pdf_of([["secret"]]))))
    writer.encrypt("user", "owner", algorithm="RC4-128")
    with pytest.raises(EncryptedFile):
        await read(parsers, saved(writer.write))
    with pytest.raises(CorruptFile):
        await read(parsers, b"%PDF-1.4\nnothing of the kind, but long enough to be a file\n%%EOF")


async def test_a_file_that_only_its_owner_may_change_is_read(parsers: Parsers) -> None:
    writer = PdfWriter(PdfReader(io.BytesIO(pdf_of([["for everyone"]]))))
    writer.encrypt("", "owner", algorithm="RC4-128")
    assert "for everyone" in (await read(parsers, saved(writer.write))).text


@pytest.mark.spec("X8")
async def test_a_page_tree_that_bites_its_tail_ends(parsers: Parsers) -> None:
    looped = pdf_from(
        [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 1 /Kids [2 0 R] >>"]
    )
    with pytest.raises((CorruptFile, NoText)):
        await read(parsers, looped)


def line(text: str, *, breaks_word: bool = False) -> Line:
    part = (Segment(text, 0, 100),)
    return Line(text, 0, 100, 0, 10, 10, part, part, breaks_word)


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ("руководитель отде-", "ла согласует", "руководитель отдела согласует"),
        ("a well-known state-of-", "the-art thing", "a well-known state-of-the-art thing"),
        ("в 2019-", "2020 годах", "в 2019- 2020 годах"),
        ("Санкт-", "Петербург", "Санкт- Петербург"),
    ],
)
def test_a_hyphen_at_a_lines_end_is_judged_by_what_follows(
    before: str, after: str, whole: str
) -> None:
    assert joined([line(before), line(after)]) == whole


def test_a_hint_counts_only_where_its_words_are_found() -> None:
    lines = [
        line("Общие"),
        line("положения"),
        line("Текст раздела"),
        line("Порог Способ"),
        line("до 100 прямая"),
    ]
    hints = hints_of(
        "## Общие положения\n\n# Чего нет\n\n|Порог|Способ|\n|---|---|\n|до 100|прямая|\n"
    )

    assert hints == [
        HeadingHint("Общие положения", 2),
        HeadingHint("Чего нет", 1),
        TableHint((("Порог", "Способ"), ("до 100", "прямая"))),
    ]
    assert [(span.start, span.end, type(span.what)) for span in spans_of(lines, hints)] == [
        (0, 2, Heading),
        (3, 5, Table),
    ]
