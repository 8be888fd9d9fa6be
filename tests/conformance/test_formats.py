"""Every file format keeps the promises of one."""

import random
from itertools import pairwise

import pytest

from fakes.files import FILES, ROWS, WORDS
from svod.knowledge.parsing import (
    ParsedDocument,
    Parsers,
    ReadingFailed,
    media_type_of,
    warning_text,
)
from svod.knowledge.parsing.document import BlockKind
from svod.knowledge.parsing.errors import EmptyFile
from svod.knowledge.parsing.format import Format
from svod.knowledge.parsing.formats import FORMATS

BOTH = ("ru", "en")
every_format = pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
both_languages = pytest.mark.parametrize("lang", BOTH)


def sound(document: ParsedDocument) -> bool:
    """Whether a document is what `ParsedDocument` and `Block` say that it is."""
    in_order = all(before.end <= after.start for before, after in pairwise(document.blocks))
    within = all(0 <= b.start < b.end <= len(document.text) for b in document.blocks)
    headers = all(b.start <= b.header_end <= b.end for b in document.blocks)
    levels = all((1 <= b.level <= 6) == (b.kind is BlockKind.HEADING) for b in document.blocks)
    clean = "\x00" not in document.text and "\r" not in document.text
    document.text.encode()
    return in_order and within and headers and levels and clean


def test_names_media_types_and_extensions_belong_to_one_format() -> None:
    for several in ("media_types", "extensions"):
        claimed = [each for format_ in FORMATS for each in getattr(format_, several)]
        assert len(claimed) == len(set(claimed))
        assert all(each == each.lower() for each in claimed)
    assert len({format_.name for format_ in FORMATS}) == len(FORMATS)


@every_format
@both_languages
@pytest.mark.spec("K12")
async def test_its_words_headings_and_tables_are_there(
    format_: Format, lang: str, parsers: Parsers
) -> None:
    heading, sentence, *_ = WORDS[lang]

    document = await parsers.read(FILES[format_.name](lang), name=f"a.{format_.extensions[0]}")

    assert sound(document)
    assert heading in document.text
    assert sentence in document.text
    assert document.language == lang
    assert not document.truncated
    assert all(warning_text(warned) for warned in document.warnings)
    if format_.name not in {"txt", "pdf"}:
        first, second = ROWS[lang]
        assert any(
            f"| {first} | {second}" in document.text[b.start : b.end]
            for b in document.blocks
            if b.kind is BlockKind.TABLE
        )


@every_format
@both_languages
async def test_its_content_is_recognised_whatever_its_name(
    format_: Format, lang: str, parsers: Parsers
) -> None:
    content = FILES[format_.name](lang)

    assert media_type_of(content, f"a.{format_.extensions[0]}") == format_.media_type
    if not format_.is_text or format_.looks:
        assert media_type_of(content, "a.doc") == format_.media_type
        document = await parsers.read(content, name="a.pdf")
        assert WORDS[lang][1] in document.text


@every_format
async def test_a_file_of_no_bytes_is_empty(format_: Format, parsers: Parsers) -> None:
    with pytest.raises(EmptyFile):
        await parsers.read(b"", name=f"a.{format_.extensions[0]}")


@every_format
@pytest.mark.spec("X7", "X8")
async def test_damaged_files_are_read_or_refused_and_never_stop_the_reader(
    format_: Format, parsers: Parsers
) -> None:
    whole = FILES[format_.name]("ru")
    chance = random.Random(7)  # noqa: S311  damage, not secrets

    for _ in range(12):
        damaged = bytearray(
            whole[: chance.randrange(1, len(whole))] if chance.random() < 0.4 else whole
        )
        for _ in range(chance.randrange(1, 30)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        assert await _is_answered(parsers, bytes(damaged), f"a.{format_.extensions[0]}")


async def _is_answered(parsers: Parsers, content: bytes, name: str) -> bool:
    try:
        return sound(await parsers.read(content, name=name))
    except ReadingFailed as failure:
        return failure.code != "reader_died"


@every_format
@pytest.mark.spec("K14")
async def test_the_same_bytes_give_the_same_document(format_: Format, parsers: Parsers) -> None:
    content = FILES[format_.name]("en")

    first, second = [
        await parsers.read(content, name=f"a.{format_.extensions[0]}") for _ in range(2)
    ]

    assert first == second
