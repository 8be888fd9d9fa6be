"""Bytes become the text that was written, in any encoding."""

import pytest

from svod.knowledge.parsing.encoding import decoded, is_binary
from svod.knowledge.parsing.errors import BinaryFile

RUSSIAN = (
    "Заявку согласует руководитель отдела.",
    "Отпуск переносится, если сотрудник заболел; больничный лист передают в отдел кадров.",
    "Язык, съезд, объём, ёлка: редкие буквы тоже бывают.",
    "ДОГОВОР ПОДРЯДА № 17 от 3 марта",
)
ONE_BYTE = ("cp1251", "koi8-r", "cp866", "iso8859-5", "mac-cyrillic")


@pytest.mark.spec("K12")
@pytest.mark.parametrize("text", RUSSIAN)
@pytest.mark.parametrize(
    "encoding", [*ONE_BYTE, "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]
)
def test_russian_is_read_in_every_encoding(text: str, encoding: str) -> None:
    text = text if encoding.startswith("utf") else text.replace("№", "N")
    assert decoded(text.encode(encoding)).text.removeprefix("\ufeff") == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_english_and_western_words_are_read(encoding: str) -> None:
    text = "The café’s menu – naïve, £5, “fresh” crème brûlée"
    assert decoded(text.encode(encoding)).text == text


def test_ascii_is_not_taken_for_anything_else() -> None:
    found = decoded(b"The request is approved.")
    assert (found.encoding, found.guessed, found.lost) == ("utf-8", False, 0)


def test_a_declaration_is_believed_only_if_the_text_reads_no_worse() -> None:
    content = "Заявку согласует руководитель отдела.".encode("cp1251")
    assert decoded(content, declared="koi8-r").encoding == "cp1251"
    assert decoded(content, declared="utf-8").encoding == "cp1251"
    assert decoded(content, declared="no such encoding").encoding == "cp1251"
    assert decoded(
        "日本の書類です。これは本文。".encode("shift_jis"), declared="shift_jis"
    ).text.startswith("日本")


@pytest.mark.spec("X8")
def test_a_few_invalid_bytes_in_utf8_are_replaced_and_counted() -> None:
    content = ("Заявку согласует руководитель. " * 20).encode()
    damaged = content[:100] + b"\xff" + content[100:]

    found = decoded(damaged)

    assert (found.encoding, found.lost) == ("utf-8", 1)
    assert "согласует руководитель" in found.text


@pytest.mark.spec("X8")
def test_bytes_that_are_no_text_are_refused() -> None:
    noise = bytes((index * 167 + index // 7) % 256 for index in range(4000))
    assert is_binary(noise)
    with pytest.raises(BinaryFile):
        decoded(noise)
    assert not is_binary("Обычный текст с \x00 одним нулём, и довольно длинный.".encode())
