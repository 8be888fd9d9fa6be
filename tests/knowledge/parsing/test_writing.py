"""A document as it is written: text, blocks, paths, and where it is cut."""

from datetime import date, datetime, time, timedelta

import pytest

from svod.foundation.errors import Language
from svod.knowledge.parsing.document import BlockKind, ParsedDocument
from svod.knowledge.parsing.tables import cell_text, write_table
from svod.knowledge.parsing.writing import MOST_CHARACTERS, Full, Writing, language_of, listed


def slices(document: ParsedDocument) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks]


def test_blocks_are_slices_of_the_text_in_code_points() -> None:
    writing = Writing()
    writing.heading("Правила 😀", 1)
    writing.paragraph("Первый абзац.")
    document = writing.finished()

    assert slices(document) == ["# Правила 😀", "Первый абзац."]
    assert document.text == "# Правила 😀\n\nПервый абзац."


def test_the_heading_path_follows_the_levels() -> None:
    writing = Writing()
    for text, level in (("A", 1), ("B", 3), ("C", 2), ("D", 1)):
        writing.heading(text, level)
        writing.paragraph(f"under {text}")
    paths = [b.heading_path for b in writing.finished().blocks if b.kind is BlockKind.PARAGRAPH]

    assert paths == [("A",), ("A", "B"), ("A", "C"), ("D",)]


@pytest.mark.spec("X8")
def test_what_no_reader_can_use_is_gone() -> None:
    writing = Writing()
    writing.paragraph("a\x00b\r\nc\ud800d e\xadf\x07")

    assert writing.finished().text == "ab\nc\ufffdd ef"


def fill(writing: Writing) -> None:
    for number in range(2000):
        writing.paragraph(f"{number} " + "слово " * 120)


@pytest.mark.spec("K14")
def test_text_is_cut_between_blocks_and_the_cut_is_said() -> None:
    writing = Writing()
    with pytest.raises(Full):
        fill(writing)
    document = writing.finished()

    assert document.truncated
    assert MOST_CHARACTERS - 1000 < len(document.text) <= MOST_CHARACTERS
    assert document.text.endswith("слово")
    assert document.blocks[-1].end == len(document.text)
    assert [warned.code for warned in document.warnings] == ["cut"]


@pytest.mark.spec("K14")
def test_one_endless_block_is_cut_at_a_line_end() -> None:
    writing = Writing()
    with pytest.raises(Full):
        writing.paragraph("\n".join(f"строка {number}" for number in range(200_000)))
    document = writing.finished()

    assert len(document.text) <= MOST_CHARACTERS
    last = document.text.rsplit("\n", 1)[-1]
    assert last.startswith("строка ")
    assert last != "строка "


def test_a_table_knows_where_its_header_ends() -> None:
    writing = Writing()
    write_table(writing, [["Порог", "Способ"], ["до 100", "прямая"], ["", "a|b"]])
    document = writing.finished()
    (block,) = document.blocks

    assert document.text[block.start : block.header_end] == "| Порог | Способ |\n| --- | --- |"
    assert document.text.endswith("|  | a\\|b |")


def test_a_first_row_of_numbers_is_no_header() -> None:
    writing = Writing()
    write_table(writing, [["1", "2"], ["3", "4"]])
    (block,) = writing.finished().blocks
    assert block.header_end == block.start


def test_values_are_written_as_people_write_them() -> None:
    values = (
        12.0,
        0.5,
        date(2024, 3, 15),
        datetime.fromisoformat("2024-03-15"),
        datetime.fromisoformat("2024-03-15T09:30"),
        time(9, 30),
        timedelta(hours=25),
        True,
        None,
    )
    assert [cell_text(value) for value in values] == [
        *(
            "12",
            "0.5",
            "2024-03-15",
            "2024-03-15",
            "2024-03-15 09:30:00",
            "09:30:00",
            "25:00:00",
            "TRUE",
            "",
        ),
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Установка git через brew install", Language.RU),
        ("The head of the department approves: согласует", Language.EN),
        ("12 345, 67%", None),
    ],
)
def test_the_language_goes_by_the_share_of_cyrillic(text: str, language: Language | None) -> None:
    assert language_of(text) is language


def test_pages_are_listed_as_people_list_them() -> None:
    assert listed([1, 3, 4, 5, 9]) == "1, 3-5, 9"
