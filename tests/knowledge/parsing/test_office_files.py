"""Word documents and workbooks: structure survives, hostile ones are refused."""

import io
import zipfile
from datetime import date

import pytest
from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from openpyxl import Workbook

from fakes.files import a_docx, an_xlsx, saved, with_part, zipped
from svod.knowledge.parsing.document import BlockKind, ParsedDocument
from svod.knowledge.parsing.errors import (
    CorruptFile,
    EncryptedFile,
    ReadingFailed,
    TooManyEntries,
    UnpackedTooLarge,
    UnsupportedFormat,
    WrongType,
    XmlEntities,
)
from svod.knowledge.parsing.reading import read_document
from svod.knowledge.parsing.source import Source


def read(content: bytes, name: str) -> ParsedDocument:
    return read_document(Source(content, name))


def test_headings_lists_and_numbers_of_a_word_document_survive() -> None:
    document = Document()
    document.core_properties.title = "Положение"
    document.add_heading("Положение об отпусках", 0)
    document.add_heading("Общее", 1)
    document.add_paragraph("первый", style="List Bullet")
    document.add_paragraph("второй", style="List Bullet")
    document.add_heading("Частное", 2)
    document.add_paragraph("шаг", style="List Number")
    document.add_paragraph("ещё шаг", style="List Number")
    document.add_paragraph("Цитата", style="Quote")

    found = read(saved(document.save), "a.docx")

    assert found.title == "Положение"
    assert found.text == (
        "# Положение об отпусках\n\n# Общее\n\n- первый\n- второй\n\n## Частное\n\n1. шаг\n2. ещё шаг\n\n> Цитата"
    )
    assert found.blocks[-1].heading_path == ("Общее", "Частное")


def test_merged_cells_of_a_word_table_repeat_their_value() -> None:
    document = Document()
    table = document.add_table(rows=3, cols=3)
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"{'abc'[row]}{column}"
    table.cell(0, 0).merge(table.cell(0, 1)).text = "across"
    table.cell(1, 2).merge(table.cell(2, 2)).text = "down"

    lines = read(saved(document.save), "a.docx").text.split("\n")

    assert lines[0] == "| across | across | a2 |"
    assert lines[2:] == ["| b0 | b1 | down |", "| c0 | c1 | down |"]


def test_what_was_deleted_is_gone_and_what_was_inserted_is_there() -> None:
    document = Document()
    paragraph = document.add_paragraph("Срок ")
    for tag, inner, words in (("w:del", "w:delText", "десять дней"), ("w:ins", "w:t", "пять дней")):
        change, run, text = OxmlElement(tag), OxmlElement("w:r"), OxmlElement(inner)
        text.text = words
        run.append(text)
        change.append(run)
        paragraph._p.append(change)

    assert read(saved(document.save), "a.docx").text == "Срок пять дней"


def test_a_word_broken_by_a_soft_hyphen_is_whole_and_code_stays_code() -> None:
    document = Document()
    document.add_paragraph("рас\xadпределённые закупки")
    document.styles.add_style("Source Code", WD_STYLE_TYPE.PARAGRAPH)
    document.add_paragraph("def f():", style="Source Code")
    document.add_paragraph("    return 1", style="Source Code")

    assert (
        read(saved(document.save), "a.docx").text
        == "распределённые закупки\n\n```\ndef f():\n    return 1\n```"
    )


def test_a_text_box_is_read_once() -> None:
    document = Document()
    paragraph = document.add_paragraph("рядом")
    twice = OxmlElement("mc:AlternateContent") if "mc" in qn.__globals__["nsmap"] else None
    box, inner, run, text = (OxmlElement(tag) for tag in ("w:txbxContent", "w:p", "w:r", "w:t"))
    text.text = "в рамке"
    run.append(text)
    inner.append(run)
    box.append(inner)
    (twice if twice is not None else paragraph._p).append(box)
    if twice is not None:
        paragraph._p.append(twice)

    assert read(saved(document.save), "a.docx").text == "рядом\n\nв рамке"


def test_macros_are_not_run_and_are_told_of() -> None:
    found = read(with_part(a_docx("ru"), "word/vbaProject.bin", lambda _: b"macro"), "a.docm")
    assert [warned.code for warned in found.warnings] == ["macros"]
    assert "Порядок закупок" in found.text


def test_a_sheet_is_a_heading_and_its_tables() -> None:
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet.title = "Итоги_2024"
    sheet["A1"] = "Отчёт за год"
    for row in (("Дата", "Сумма", "Доля"), (date(2024, 3, 15), 1200.0, 0.5)):
        sheet.append(row)
    sheet.append([])
    sheet.append(["a|b", "c", None])
    sheet.append(["d", "e", "f"])
    sheet.merge_cells("A6:A6")

    found = read(saved(workbook.save), "a.xlsx")

    assert found.text.startswith(
        "## Итоги_2024\n\nОтчёт за год\n\n| Дата | Сумма | Доля |\n| --- | --- | --- |\n| 2024-03-15 | 1200 | 0.5 |\n\n| a\\|b | c |"
    )
    assert {block.sheet for block in found.blocks} == {"Итоги_2024"}
    assert found.blocks[-1].heading_path == ("Итоги_2024",)


def test_merged_cells_of_a_sheet_repeat_their_value() -> None:
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    for row in (("Отдел", "Имя", "Стаж"), ("Склад", "Анна", 3), (None, "Пётр", 5)):
        sheet.append(row)
    sheet.merge_cells("A2:A3")

    assert "| Склад | Пётр | 5 |" in read(saved(workbook.save), "a.xlsx").text


@pytest.mark.spec("X8")
def test_two_cells_at_the_corners_of_a_huge_sheet_are_read() -> None:
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet["A1"] = "Первая"
    sheet["A2"] = date(2024, 3, 15)
    sheet["B2"] = 7.0
    sheet["XFD1048576"] = "Последняя"

    found = read(saved(workbook.save), "a.xlsx")

    assert [block.kind for block in found.blocks] == [
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
        BlockKind.TABLE,
        BlockKind.PARAGRAPH,
    ]
    assert "| 2024-03-15 | 7 |" in found.text
    assert found.text.endswith("Последняя")
    assert [warned.code for warned in found.warnings] == ["sparse_sheet"]


def bomb(package: bytes, part: str) -> bytes:
    return with_part(package, part, lambda xml: xml + b"<!--" + b"0" * (20 << 20) + b"-->")


def lying(package: bytes, part: str) -> bytes:
    """An archive whose directory says that a part unpacks to almost nothing."""
    packed = bytearray(bomb(package, part))
    with zipfile.ZipFile(io.BytesIO(bytes(packed))) as archive:
        entry = archive.getinfo(part)
    size = entry.file_size.to_bytes(4, "little")
    for place in (packed.find(size, entry.header_offset), packed.rfind(size)):
        packed[place : place + 4] = (100).to_bytes(4, "little")
    return bytes(packed)


def encrypted_entry(package: bytes) -> bytes:
    packed = bytearray(package)
    start = 0
    while (start := packed.find(b"PK\x01\x02", start)) >= 0:
        packed[start + 8] |= 1
        start += 4
    return bytes(packed)


ENTITIES = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'


@pytest.mark.spec("X8")
@pytest.mark.parametrize(
    ("content", "name", "failure"),
    [
        (bomb(a_docx("en"), "word/document.xml"), "a.docx", UnpackedTooLarge),
        (bomb(an_xlsx("en"), "xl/worksheets/sheet1.xml"), "a.xlsx", UnpackedTooLarge),
        (lying(a_docx("en"), "word/document.xml"), "a.docx", CorruptFile),
        (lying(an_xlsx("en"), "xl/worksheets/sheet1.xml"), "a.xlsx", CorruptFile),
        (
            with_part(
                a_docx("en"), "word/document.xml", lambda xml: ENTITIES + xml.split(b"?>", 1)[1]
            ),
            "a.docx",
            XmlEntities,
        ),
        (
            with_part(an_xlsx("en"), "xl/sharedStrings.xml", lambda _: ENTITIES + b"<sst/>"),
            "a.xlsx",
            XmlEntities,
        ),
        (
            zipped({"word/document.xml": b"<a/>"} | {f"{n}": b"" for n in range(10_001)}),
            "a.docx",
            TooManyEntries,
        ),
        (a_docx("en")[:5000], "a.docx", CorruptFile),
        (an_xlsx("en")[:2000], "a.xlsx", CorruptFile),
        (
            with_part(a_docx("en"), "word/document.xml", lambda xml: xml[:500]),
            "a.docx",
            CorruptFile,
        ),
        (encrypted_entry(a_docx("en")), "a.docx", EncryptedFile),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            "a.docx",
            EncryptedFile,
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"),
            "a.docx",
            UnsupportedFormat,
        ),
        (zipped({"../../etc/passwd": b"root"}), "a.zip", UnsupportedFormat),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, "a.docx", WrongType),
        (bytes(range(256)) * 40, "a.docx", WrongType),
    ],
    ids=lambda value: value.code if isinstance(value, type) else None,
)
def test_a_hostile_file_is_refused_with_its_reason(
    content: bytes, name: str, failure: type[ReadingFailed]
) -> None:
    with pytest.raises(failure):
        read(content, name)


@pytest.mark.spec("X8")
def test_a_part_whose_name_climbs_out_is_never_written() -> None:
    found = read(with_part(a_docx("en"), "../../../tmp/evil", lambda _: b"x"), "a.docx")
    assert "Buying rules" in found.text
