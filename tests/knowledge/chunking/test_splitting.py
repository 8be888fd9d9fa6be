"""Splitting: what holds for every document, and where chunks begin."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as trying
from hypothesis import strategies as st
from pydantic import ValidationError

from svod.knowledge.chunking import Chunk, SplitMode, SplitSettings, split
from svod.knowledge.parsing.document import Block, BlockKind, ParsedDocument
from svod.knowledge.parsing.reading import read_document
from svod.knowledge.parsing.source import Source

WORDS = {
    "ru": "Срок возврата товара составляет двадцать один день со дня его получения. ",
    "en": "Goods may be returned within twenty-one days of the day they were received. ",
}
BOTH = tuple(WORDS)
PLENTY = 100_000


def markdown(text: str) -> ParsedDocument:
    return read_document(Source(text.encode(), "note.md"))


def plain(*paragraphs: str, kind: BlockKind = BlockKind.PARAGRAPH) -> ParsedDocument:
    blocks: list[Block] = []
    at = 0
    for paragraph in paragraphs:
        blocks.append(Block(kind, at, at + len(paragraph)))
        at += len(paragraph) + 2
    return ParsedDocument("\n\n".join(paragraphs), tuple(blocks), None, None)


def chunks_of(document: ParsedDocument, title: str = "Title", **settings: object) -> list[Chunk]:
    return split(
        document,
        SplitSettings.model_validate(settings),
        title=title,
        count_tokens=lambda texts: [len(text) for text in texts],
        max_tokens=PLENTY,
    )


def assert_whole(document: ParsedDocument, chunks: list[Chunk], most: int) -> None:
    """Every chunk is a slice, in order, within its size; together they lose nothing."""
    covered = bytearray(len(document.text))
    for chunk in chunks:
        assert chunk.text == document.text[chunk.start : chunk.end]
        assert chunk.text.strip() == chunk.text
        assert 0 < len(chunk.text) <= most
        covered[chunk.start : chunk.end] = b"\1" * (chunk.end - chunk.start)
    starts = [chunk.start for chunk in chunks]
    assert starts == sorted(set(starts))
    lost = [sign for sign, kept in zip(document.text, covered, strict=True) if not kept]
    assert not any(sign.isalnum() for sign in lost)


@st.composite
def documents(draw: st.DrawFn) -> ParsedDocument:
    """Documents with gaps between blocks, empty headings, long rows and words without end."""
    text, blocks, path = "", [], ()
    for _ in range(draw(st.integers(0, 7))):
        text += draw(st.sampled_from(["\n\n", "\n", "\n\n---\n\n", " lost words \n"]))
        kind = draw(st.sampled_from(list(BlockKind)))
        line = st.text("аяaz 1.!?|-#\n\u0301ё漢", min_size=1, max_size=30)
        long = st.integers(1, 40).map(lambda count: "Слово is a word. " * count)
        endless = st.integers(1, 900).map(lambda count: "ж" * count)
        body = draw(st.lists(st.one_of(line, long, endless), min_size=1, max_size=4))
        content = "\n".join(body)
        header = "| a | b |\n| - | - |" if kind is BlockKind.TABLE and draw(st.booleans()) else ""
        start = len(text)
        text += f"{header}\n{content}" if header else content
        level = draw(st.integers(1, 3)) if kind is BlockKind.HEADING else 0
        above = path[: level - 1] if level else path
        blocks.append(Block(kind, start, len(text), above, level, start + len(header)))
        if level:
            path = (*above, content)
    return ParsedDocument(text, tuple(blocks), None, None)


@st.composite
def choices(draw: st.DrawFn) -> SplitSettings:
    size = draw(st.integers(50, 400))
    mode = draw(st.sampled_from(list(SplitMode)))
    separator = "---" if mode is SplitMode.SEPARATOR else None
    return SplitSettings(
        split_mode=mode,
        separator=separator,
        chunk_size=size,
        chunk_overlap=draw(st.integers(0, size // 2)),
        max_chunk_size=size + draw(st.integers(0, 400)),
    )


@pytest.mark.spec("K21", "K22")
@trying(deadline=None, max_examples=60)
@given(documents(), choices())
def test_chunks_are_slices_in_order_within_size_and_lose_nothing(
    document: ParsedDocument, settings: SplitSettings
) -> None:
    chunks = split(document, settings, title="T", count_tokens=None, max_tokens=PLENTY)
    assert_whole(document, chunks, settings.max_chunk_size)


@pytest.mark.spec("K21", "K22")
@trying(deadline=None, max_examples=60)
@given(documents(), choices(), st.integers(120, 400))
def test_chunks_with_their_context_fit_the_model(
    document: ParsedDocument, settings: SplitSettings, most: int
) -> None:
    def by_letter(texts: list[str]) -> list[int]:
        return [len(text) for text in texts]

    chunks = split(document, settings, title="T", count_tokens=by_letter, max_tokens=most)
    assert_whole(document, chunks, settings.max_chunk_size)
    assert all(len(chunk.with_context("T")) <= most for chunk in chunks)


@pytest.mark.spec("K21")
@pytest.mark.parametrize("lang", BOTH)
def test_only_what_is_too_long_for_the_model_is_counted_again(lang: str) -> None:
    calls: list[int] = []

    def count(texts: list[str]) -> list[int]:
        calls.append(len(texts))
        return [600 if "#long" in text and len(text) > 400 else 10 for text in texts]

    paragraphs = [WORDS[lang] * 12 for _ in range(20)]
    paragraphs[7] = "#long " + paragraphs[7]
    split(plain(*paragraphs), SplitSettings(), title="T", count_tokens=count, max_tokens=512)
    assert calls[0] == 20
    assert sum(calls[1:]) <= 12


@pytest.mark.spec("K21")
@pytest.mark.parametrize("lang", BOTH)
@pytest.mark.parametrize("mode", ["auto", "recursive", "heading", "paragraph", "fixed_size"])
def test_a_heading_never_parts_from_the_text_under_it(lang: str, mode: str) -> None:
    sections = "".join(
        f"# Part {i}\n\n## Chapter {i}\n\n{WORDS[lang] * (i % 23 + 1)}\n\n" for i in range(40)
    )
    document = markdown(sections)
    chunks = chunks_of(document, split_mode=mode, chunk_size=600)
    assert_whole(document, chunks, 2000)
    for chunk in chunks:
        last_line = chunk.text.rsplit("\n", 1)[-1]
        assert not last_line.startswith("#"), chunk.text
        assert not re.search(r"Part \d+\Z", chunk.text)


@pytest.mark.spec("K22")
@pytest.mark.parametrize("lang", BOTH)
def test_context_names_the_headings_above_and_repeats_none(lang: str) -> None:
    document = markdown(f"# Guide\n\n## Returns\n\n{WORDS[lang] * 60}\n\n## Other\n\n{WORDS[lang]}")
    first, second, *_, last = chunks_of(document, title="Guide")
    assert first.text.startswith("# Guide\n\n## Returns\n\n")
    assert first.with_context("Guide").count("Guide") == 1  # the heading says the title
    assert second.heading_path == ("Returns",)
    assert second.continued
    assert last.text.startswith("## Other")
    assert last.heading_path == ()


@pytest.mark.spec("K21")
def test_small_sections_of_one_parent_share_a_chunk_and_others_do_not() -> None:
    document = markdown(
        "# A\n\n## A1\n\nOne.\n\n## A2\n\nTwo.\n\n" + "word " * 300 + "\n\n# B\n\nThree."
    )
    chunks = chunks_of(document, split_mode="heading", chunk_size=400, max_chunk_size=400)
    assert chunks[0].text.startswith("# A\n\n## A1\n\nOne.\n\n## A2\n\nTwo.")
    assert chunks[-1].text == "# B\n\nThree."


@pytest.mark.spec("K21", "K22")
@pytest.mark.parametrize("lang", BOTH)
def test_a_table_is_split_between_rows_and_its_header_goes_along(lang: str) -> None:
    header = "| n | text |\n| --- | --- |"
    rows = "\n".join(f"| {i} | {WORDS[lang].strip()} |" for i in range(80))
    document = markdown(f"Before.\n\n{header}\n{rows}\n\nAfter.")
    chunks = chunks_of(document, split_mode="recursive")
    assert_whole(document, chunks, 2000)
    assert len(chunks) > 5
    assert chunks[0].header == ""
    for chunk in chunks[1:]:
        assert chunk.header == header
        assert chunk.text.startswith("| ")
        assert not chunk.continued


@pytest.mark.spec("K21")
def test_a_row_longer_than_a_chunk_is_cut_and_marked() -> None:
    header = "| n | text |\n| --- | --- |"
    document = markdown(f"{header}\n| 1 | {'long ' * 900}|\n| 2 | short |")
    chunks = chunks_of(document)
    assert_whole(document, chunks, 2000)
    assert [chunk.continued for chunk in chunks][:3] == [False, True, True]
    assert all(chunk.header == header for chunk in chunks[1:])
    assert all(chunk.text.endswith(("long", "|")) for chunk in chunks)


@pytest.mark.spec("K21")
def test_code_is_split_between_functions() -> None:
    body = "".join(f"    value_{i} = compute({i})\n\n" for i in range(12))
    code = "".join(f"@decorated\ndef function_{i}():\n{body}\n\n" for i in range(9))
    document = plain(code.strip(), kind=BlockKind.CODE)
    chunks = chunks_of(document)
    assert_whole(document, chunks, 2000)
    assert len(chunks) > 3
    assert all(chunk.text.startswith("@decorated\ndef function_") for chunk in chunks)
    assert not any(chunk.continued for chunk in chunks)


@pytest.mark.spec("K21")
@pytest.mark.parametrize("lang", BOTH)
def test_a_paragraph_is_kept_whole_or_else_cut_between_sentences(lang: str) -> None:
    whole, longer = WORDS[lang] * 20, WORDS[lang] * 60
    assert [chunk.text for chunk in chunks_of(plain(whole.strip()), split_mode="paragraph")] == [
        whole.strip()
    ]
    chunks = chunks_of(plain(longer.strip()))
    assert len(chunks) > 3
    assert all(chunk.text.endswith(".") for chunk in chunks)
    assert [chunk.continued for chunk in chunks] == [False] + [True] * (len(chunks) - 1)


@pytest.mark.spec("K21")
@pytest.mark.parametrize("lang", BOTH)
def test_overlap_repeats_the_end_of_the_chunk_before(lang: str) -> None:
    document = plain((WORDS[lang] * 60).strip())
    chunks = chunks_of(document, chunk_overlap=100)
    assert_whole(document, chunks, 2000)
    for before, after in pairwise(chunks):
        assert 0 < before.end - after.start <= 100
        assert document.text[after.start - 1].isspace()


@pytest.mark.spec("K21")
@pytest.mark.parametrize(
    ("separator", "text", "expected"),
    [
        ("---", "Первая часть о возврате\n---\nВторая часть о доставке", 2),
        ("\\n\\n", "The first part of the text\n\nThe second part of the text", 2),
        ("Глава", "Глава первая о самом начале\n\nГлава вторая о самом конце", 2),
        ("***", "Nothing separates this text", 1),
    ],
)
def test_a_separator_parts_chunks(separator: str, text: str, expected: int) -> None:
    document = plain(text)
    chunks = chunks_of(document, split_mode="separator", separator=separator)
    assert len(chunks) == expected
    assert_whole(document, chunks, 2000)


@pytest.mark.spec("K23")
def test_auto_chooses_from_structure() -> None:
    answer = "Ответ на этот вопрос довольно подробный и занимает целую строку. " * 2
    pairs = "".join(f"| Вопрос {i}? | {answer} |\n" for i in range(5))
    questions = chunks_of(markdown(f"| Вопрос | Ответ |\n| --- | --- |\n{pairs}"))
    assert len(questions) == 5
    assert "Вопрос 0" in questions[0].text
    assert questions[4].header.startswith("| Вопрос | Ответ |")
    points = "\n\n".join(f"{i}. {WORDS['ru'] * 4}" for i in range(1, 6))
    assert all(re.match(r"\d\. ", chunk.text) for chunk in chunks_of(plain(*points.split("\n\n"))))
    assert len(chunks_of(plain(*points.split("\n\n")))) == 5


@pytest.mark.spec("K23")
def test_sheets_never_share_a_chunk() -> None:
    blocks = [
        Block(BlockKind.HEADING, 0, 6, (), 1, sheet="Май"),
        Block(BlockKind.PARAGRAPH, 8, 13, ("Май",), sheet="Май"),
        Block(BlockKind.HEADING, 15, 22, (), 1, sheet="Июнь"),
        Block(BlockKind.PARAGRAPH, 24, 29, ("Июнь",), sheet="Июнь"),
    ]
    document = ParsedDocument("## Май\n\nслово\n\n## Июнь\n\nслово", tuple(blocks), None, None)
    assert [chunk.sheet for chunk in chunks_of(document)] == ["Май", "Июнь"]


@pytest.mark.spec("K21")
@pytest.mark.parametrize(
    ("paragraphs", "kind"),
    [
        (["ж" * 300_000], BlockKind.PARAGRAPH),
        (["ж" * 300_000], BlockKind.HEADING),
        (["ж"] * 30_000, BlockKind.PARAGRAPH),
        (["# Ж"] * 20_000, BlockKind.HEADING),
        (["| a | b |\n" * 30_000], BlockKind.TABLE),
        (["- a\n" * 30_000], BlockKind.LIST),
        (["a()\n\n" * 30_000], BlockKind.CODE),
        (["." * 100_000 + "a"], BlockKind.PARAGRAPH),
        (["a" + "\n" * 100_000 + "b"], BlockKind.PARAGRAPH),
    ],
)
def test_monstrous_documents_give_as_many_chunks_as_their_length_asks_for(
    paragraphs: list[str], kind: BlockKind
) -> None:
    document = plain(*paragraphs, kind=kind)
    chunks = chunks_of(document)
    assert_whole(document, chunks, 2000)
    assert len(chunks) <= len(document.text) / 200 + 1


@pytest.mark.spec("K21")
@pytest.mark.parametrize(
    "given",
    [
        {"chunk_size": 10},
        {"chunk_size": 1000, "max_chunk_size": 500},
        {"chunk_size": 1000, "chunk_overlap": 600},
        {"split_mode": "separator"},
        {"separator": "--"},
        {"split_mode": "by-feeling"},
        {"context_line": "x" * 301},
        {"size": 1},
    ],
)
def test_settings_that_cannot_be_are_refused(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        SplitSettings.model_validate(given)


@pytest.mark.spec("K21")
def test_settings_know_their_other_names() -> None:
    assert SplitSettings.model_validate({"split_mode": "fixed_size"}).split_mode == "fixed-size"
    assert SplitSettings(chunk_size=3000).max_chunk_size == 3000
    assert SplitSettings(context_line=" two\nlines ").context_line == "two lines"


@pytest.mark.spec("K21")
def test_a_separator_right_under_a_line_parts_though_it_makes_a_heading() -> None:
    text = "\n---\n".join(f"{n} правило хранения вещей на складе" for n in ("одно", "два", "три"))
    document = read_document(Source(text.encode(), "note.md", "text/markdown"))
    settings = SplitSettings(split_mode=SplitMode.SEPARATOR, separator="---")
    chunks = split(document, settings, title="t", count_tokens=None, max_tokens=512)
    assert [chunk.text.split()[0] for chunk in chunks] == ["одно", "два", "три"]


@pytest.mark.spec("K22")
@pytest.mark.parametrize(
    ("title", "text", "times"),
    [
        ("Срок хранения", "Срок хранения — 14 дней.", 1),
        ("Storage is fourteen…", "Storage is fourteen days.", 1),
        ("Срок", "Сроки хранения", 2),
        ("Storage", "Kept in storage.", 1),
    ],
)
def test_a_title_that_the_text_opens_with_is_said_once(title: str, text: str, times: int) -> None:
    said = Chunk(0, len(text), text).with_context(title)
    assert said.count(title.rstrip("…")) == times
    assert said.endswith(text)
