"""A model's reply is read sentence by sentence, however it is cut into pieces."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svod.conversation.answering.reply import ReplyReader, Said, SaidKind


def read(text: str, cuts: Sequence[int] = ()) -> list[Said]:
    reader = ReplyReader()
    places = [0, *sorted({cut % (len(text) + 1) for cut in cuts}), len(text)]
    said: list[Said] = []
    for start, end in pairwise(places):
        said += reader.feed(text[start:end])
    return said + reader.end()


def brief(text: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(said.text, said.numbers) for said in read(text)]


@pytest.mark.spec("R14")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Срок 21 день [1]. Нужен чек [2].", [("Срок 21 день.", (1,)), ("Нужен чек.", (2,))]),
        ("Срок 21 день. [1] Нужен чек. [2]", [("Срок 21 день.", (1,)), ("Нужен чек.", (2,))]),
        ("The term is 21 days.[1] Bring a receipt.[1][2]", [
            ("The term is 21 days.", (1,)),
            ("Bring a receipt.", (1, 2)),
        ]),
        ("It is 3.5 kg [1, 3] and v2.0 [2-4].", [("It is 3.5 kg and v2.0.", (1, 3, 2, 4))]),
        ("Так и т. д. [^1] Да, г. Москва [№2].", [("Так и т. д.", (1,)), ("Да, г. Москва.", (2,))]),
        ("Вот так【1†source】.", [("Вот так.", (1,))]),
        ("Так [источник 2]. So [Source 3].", [("Так.", (2,)), ("So.", (3,))]),
        ("Без номера. С номером [1].", [("Без номера.", ()), ("С номером.", (1,))]),
        ("См. [сайт](http://a.b) [1].", [("См. [сайт](http://a.b).", (1,))]),
        ("# Ответ\n\nСрок 21 день [1].", [("Срок 21 день.", (1,))]),
        ("| A | B |\n|---|---|\n| 1 | 2 [1] |", [("A; B", ()), ("1; 2", (1,))]),
        ("Строка одна\nпродолжается тут [1].", [("Строка одна\nпродолжается тут.", (1,))]),
        ("", []),
        ("[1]\n\n[2]", []),
    ],
)  # fmt: skip
def test_sentences_carry_the_numbers_that_stand_with_them(
    text: str, expected: list[tuple[str, tuple[int, ...]]]
) -> None:
    assert brief(text) == expected


def test_lists_code_and_paragraphs_keep_their_kind() -> None:
    text = (
        "Сделайте так:\n\n1. Откройте кран [1].\n2. Ждите [1]. Долго [2].\n\n"
        "Затем [2]:\n```sh\nsvod up\n```\n[3]\n\nГотово [1]."
    )
    assert read(text) == [
        Said("Сделайте так:", (), opens=True),
        Said("Откройте кран.", (1,), SaidKind.ITEM, opens=True),
        Said("Ждите.", (1,), SaidKind.ITEM, opens=True),
        Said("Долго.", (2,), SaidKind.ITEM),
        Said("Затем:", (2,), opens=True),
        Said("svod up", (3,), SaidKind.CODE, opens=True),
        Said("Готово.", (1,), opens=True),
    ]


def test_code_without_numbers_takes_those_of_the_sentence_before() -> None:
    assert read("Вот [2]:\n\n```\nx = 1\n```\n")[-1] == Said(
        "x = 1", (2,), SaidKind.CODE, opens=True
    )


def test_a_sentence_is_given_once_the_next_has_begun() -> None:
    reader = ReplyReader()
    assert reader.feed("Срок 21 день") == []
    assert reader.feed(". [1]") == []
    assert reader.feed(" Нуж") == []
    assert [said.text for said in reader.feed("ен чек")] == ["Срок 21 день."]
    assert [said.text for said in reader.end()] == ["Нужен чек"]


PARTS = st.sampled_from(
    [
        "Срок 21 день", "The term is v2.0", " [1]", "[2, 3]", ". ", ".", "! ", "? ", "\n", "\n\n",
        "- пункт", "1. step", "# Title\n", "```\n", "```", "| a | b |\n", "т. е. ", "No. 5 ", ": ",
        "vitamin C. Theodore", "г. Москва", " и т. д.", "«Ёлка»", "(", ")", "[", "]", "x" * 7, " ",
    ]
)  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(parts=st.lists(PARTS, max_size=14), cuts=st.lists(st.integers(0, 400), max_size=30))
def test_how_a_reply_is_cut_makes_no_difference(parts: list[str], cuts: list[int]) -> None:
    text = "".join(parts)
    assert read(text, cuts) == read(text)


@settings(deadline=None, max_examples=200)
@given(text=st.text(max_size=120), cuts=st.lists(st.integers(0, 120), max_size=10))
def test_no_reply_is_too_odd_to_be_read(text: str, cuts: list[int]) -> None:
    for said in read(text, cuts):
        assert said.text.strip()
