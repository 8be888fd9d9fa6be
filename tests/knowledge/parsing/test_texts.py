"""Text, Markdown, HTML, CSV and JSON: their structure survives."""

import json

import pytest

from fakes.files import a_csv, a_page
from svod.foundation.errors import Language
from svod.knowledge.parsing.document import BlockKind, ParsedDocument
from svod.knowledge.parsing.errors import (
    CorruptFile,
    NoText,
    ReadingFailed,
    TooDeep,
    UnsupportedFormat,
)
from svod.knowledge.parsing.reading import read_document
from svod.knowledge.parsing.source import Source


def read(text: str | bytes, name: str, media_type: str | None = None) -> ParsedDocument:
    return read_document(Source(text.encode() if isinstance(text, str) else text, name, media_type))


def kinds(document: ParsedDocument) -> list[BlockKind]:
    return [block.kind for block in document.blocks]


def test_a_text_keeps_paragraphs_lists_and_marked_headings() -> None:
    document = read(
        "=== Отпуск ===\n\nПорядок такой.\nВторая строка.\n\n- раз\n- два\n\n## Сроки\nДо пятницы.",
        "a.log",
    )

    assert kinds(document) == [
        *(
            BlockKind.HEADING,
            BlockKind.PARAGRAPH,
            BlockKind.LIST,
            BlockKind.HEADING,
            BlockKind.PARAGRAPH,
        ),
    ]
    assert document.blocks[-1].heading_path == ("Сроки",)
    assert document.blocks[1].heading_path == ("Отпуск",)


def test_a_comment_in_a_configuration_is_no_heading() -> None:
    assert kinds(read("# port to listen on\nport = 80\n", "a.conf")) == [BlockKind.PARAGRAPH]


def test_markdown_keeps_its_own_text_and_structure() -> None:
    text = "---\ntitle: Правила\n---\n\nЗаголовок\n===\n\n> цитата\n\n```py\n# не заголовок\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    document = read(text, "a.md")

    assert document.title == "Правила"
    assert kinds(document) == [
        BlockKind.CODE,
        BlockKind.HEADING,
        BlockKind.QUOTE,
        BlockKind.CODE,
        BlockKind.TABLE,
    ]
    assert document.blocks[-1].heading_path == ("Заголовок",)
    assert "```py\n# не заголовок\n```" in document.text


def test_a_heading_in_markdown_is_known_by_its_words() -> None:
    document = read("## Про `snake_case` и [ссылку](http://a.b) {#anchor}\n\nтекст", "a.md")
    assert document.blocks[1].heading_path == ("Про snake_case и ссылку",)


def test_a_note_is_markdown_whatever_it_begins_with() -> None:
    document = read("<html> is a tag\n\n# Heading\n\nwords", "", "text/markdown; charset=utf-8")
    assert document.blocks[-1].heading_path == ("Heading",)


def test_a_page_is_read_without_what_is_around_it() -> None:
    document = read(a_page("ru"), "a.html")
    assert "Menu" not in document.text
    assert "hidden" not in document.text


def test_merged_cells_of_a_page_repeat_their_value() -> None:
    document = read(
        "<html><table><tr><th>A</th><th>B</th><th>C</th></tr><tr><td rowspan=2>x</td><td colspan=2>y</td></tr>"
        "<tr><td>1</td><td>2</td></tr></table>",
        "a.html",
    )
    assert document.text.split("\n")[2:] == ["| x | y | y |", "| x | 1 | 2 |"]


def test_lists_code_and_nested_lists_of_a_page_survive() -> None:
    document = read(
        "<html><ol><li>раз<ul><li>внутри</li></ul></li><li>два</li></ol><pre><code class='language-py'>a\n  b</code></pre>",
        "a.html",
    )
    assert document.text == "1. раз\n  - внутри\n2. два\n\n```py\na\n  b\n```"


@pytest.mark.spec("X8")
def test_a_page_nested_thirty_thousand_levels_keeps_its_words() -> None:
    document = read("<html>" + "<div>" * 30_000 + "на дне" + "</div>" * 30_000, "a.html")
    assert document.text == "на дне"
    assert [warned.code for warned in document.warnings] == ["structure_lost"]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1251", "utf-16"])
@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
def test_a_table_is_found_by_any_delimiter_and_encoding(encoding: str, delimiter: str) -> None:
    text = a_csv("ru").decode().replace(";", delimiter)
    document = read(text.encode(encoding), "a.csv")
    assert document.text.startswith("| Порог | Способ | Порядок закупок |")
    assert (
        "| до 100 тысяч | прямая закупка | Заявку согласует руководитель отдела. |" in document.text
    )


@pytest.mark.spec("X8")
def test_a_million_columns_are_kept_as_text() -> None:
    document = read(",".join(map(str, range(1_000_000))) + "\n1,2", "a.csv")
    assert document.text.startswith("0; 1; 2;")
    assert document.truncated
    assert "columns_too_many" in {warned.code for warned in document.warnings}


def test_a_quote_that_never_closes_does_not_swallow_the_table() -> None:
    document = read('name,size\nscreen,24"\ncable,2\n', "a.csv")
    assert '| screen | 24" |\n| cable | 2 |' in document.text


def test_json_becomes_headings_lists_and_tables() -> None:
    value = {
        "name": "Отдел",
        "staff": [{"who": "Анна", "age": 31}, {"who": "Пётр", "age": 44}],
        "rules": {"leave": {"days": 28.0}},
    }
    document = read(json.dumps(value), "a.json")

    assert document.text.startswith(
        "- name: Отдел\n\n# staff\n\n| who | age |\n| --- | --- |\n| Анна | 31 |"
    )
    assert document.blocks[-1].heading_path == ("rules", "leave")
    assert document.text.endswith("- days: 28.0")


def test_json_lines_are_read_one_by_one() -> None:
    document = read('{"q": "как?", "a": "так"}\n{"q": "где?", "a": "тут"}\n', "a.jsonl")
    assert "| где? | тут |" in document.text


@pytest.mark.spec("X8")
@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("[" * 100_000 + "]" * 100_000, TooDeep),
        ('{"a":' * 10_000 + "1" + "}" * 10_000, TooDeep),
        ("[" * 300 + "]" * 300, TooDeep),
        ('{"a": 1,', CorruptFile),
    ],
)
def test_broken_and_bottomless_json_is_refused(text: str, failure: type[ReadingFailed]) -> None:
    with pytest.raises(failure):
        read(text, "a.json")


@pytest.mark.spec("X8")
def test_huge_numbers_and_lone_surrogates_in_json_do_no_harm() -> None:
    document = read('{"n": ' + "9" * 100_000 + ', "s": "\\ud800 слово", "\\udc00": [1]}', "a.json")
    assert "слово" in document.text
    document.text.encode()


@pytest.mark.spec("X8")
def test_nul_bytes_are_left_out() -> None:
    assert (
        read(b"Before \x00 and after the zero byte, long enough.", "a.txt").text
        == "Before  and after the zero byte, long enough."
    )


def test_nothing_but_signs_is_no_text() -> None:
    with pytest.raises(NoText):
        read("--- *** ---", "a.txt")


@pytest.mark.parametrize(
    ("content", "name"),
    [(b"\x89PNG\r\n\x1a\n" + b"\0" * 90, "a.png"), (b"<?xml version='1.0'?><a/>", "a.xml")],
)
@pytest.mark.parametrize("language", list(Language))
def test_an_unread_format_is_told_with_those_that_are_read(
    content: bytes, name: str, language: Language
) -> None:
    with pytest.raises(UnsupportedFormat) as told:
        read(content, name)
    assert "docx" in told.value.message(language)
    assert told.value.advice(language)


def test_a_table_named_as_a_workbook_is_read_as_what_it_is() -> None:
    assert "| до 100 тысяч |" in read(a_csv("ru"), "report.xls").text
    assert (
        "| up to 100 thousand |"
        in read(
            "<table><tr><td>up to 100 thousand</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>",
            "report.xls",
        ).text
    )


@pytest.mark.spec("K12")
def test_rules_and_link_addresses_of_markdown_are_kept() -> None:
    text = "одно\n\n---\n\nсм. [правила][1]\n\n[1]: https://example.com/rules"
    document = read_document(Source(text.encode(), "note.md"))
    assert document.text == text
