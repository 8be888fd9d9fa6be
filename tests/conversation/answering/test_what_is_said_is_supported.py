"""Whatever a text looks like, what is said of it stands in the places it cites."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svod.conversation.answering.support import lacks
from svod.conversation.answering.units import units

PIECES = [
    "Срок не больше 21 дня, с 12.03.2025.",
    "Оплата до 5 января 2026 года!",
    "**Важно:** без чека *нельзя*.",
    "The fee isn't $1,200.50 (see [FAQ](https://example.com/v2?x=1)).",
    "Contact **Anna Smith** at `XR-200` or <a@b.c>.",
    "Как вернуть товар?",
    "No. 5 & 6 <b>are</b> not sold.[3]",
    "# Заголовок 7",
    "- пункт 1: не входит;",
    "  * sub item with_snake_case __bold__",
    "12. Do **not** open",
    "Список:",
    "| Тариф | Цена, ₽ |",
    "|---|:-:|",
    "| **Мини** | 1 000 |",
    "| a \\| b | не продаётся |",
    "```",
    "x = 1  # not a heading",
    "> Цитата 1999 года",
    "",
    "",
    "\\*не курсив\\* 1\\. конец",
    "![img 9](a.png)",
    "ООО «Ёлка» 3,5 % – 4.5 %",
    "*",
    "_",
    "`",
    "[1](",
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=12)


@pytest.mark.spec("R14", "R15")
@settings(deadline=None, max_examples=150)
@given(pieces=TEXTS, glue=st.sampled_from(["\n", " ", "\n\n"]), header=st.booleans())
def test_every_unit_is_supported_by_its_places(pieces: list[str], glue: str, header: bool) -> None:
    text = glue.join(pieces)
    outside = "| План 9 | Price |\n|---|---|" if header else ""
    for unit in units(text, outside):
        places = [text[start:end] for start, end in unit.spans]
        assert all(place.strip() for place in places)
        assert lacks(unit.text, [*places, unit.header]) == []
        assert "\n" not in unit.text or unit.kind == "code"
        if unit.header:
            assert lacks(unit.bare, places) == []
