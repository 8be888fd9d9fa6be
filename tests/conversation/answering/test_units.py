"""What of a text can be said alone, and where it stands."""

import pytest

from svod.conversation.answering.plain import plain
from svod.conversation.answering.units import UnitKind, units


def said(text: str, header: str = "") -> list[str]:
    return [unit.text for unit in units(text, header)]


def places(text: str) -> list[list[str]]:
    return [[text[start:end] for start, end in unit.spans] for unit in units(text)]


@pytest.mark.spec("R15")
@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        ("Это **важно** и _срочно_.", "Это важно и срочно."),
        ("See [the manual](https://e.com/a_(b)) now.", "See the manual now."),
        ("Запустите `svod up`.", "Запустите svod up."),
        ("- [x] ***Done***", "Done"),
        ("> Цитата\n> дальше", "Цитата дальше"),
        ("It grew.[12] Then fell [3].", "It grew. Then fell."),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("1\\. Пункт &amp; ещё<br>строка", "1. Пункт & ещё строка"),
        ("![схема](a.png) <https://e.com>", "схема https://e.com"),
    ],
)
def test_markdown_is_not_shown(marked: str, shown: str) -> None:
    assert plain(marked) == shown


@pytest.mark.spec("R15")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Возврат\n\nСрок 21 день. Чек нужен.", ["Срок 21 день.", "Чек нужен."]),
        (
            "# Returns\n\nYou have 21 days. Bring\nthe receipt.",
            ["You have 21 days.", "Bring the receipt."],
        ),
        ("**Оплата**\nКартой.", ["Картой."]),
    ],
)
def test_headings_are_not_said(text: str, expected: list[str]) -> None:
    assert said(text) == expected


@pytest.mark.spec("R15")
def test_a_heading_is_said_where_there_is_nothing_else() -> None:
    assert said("# Склад на Лесной, 5") == ["Склад на Лесной, 5"]


@pytest.mark.spec("R15")
@pytest.mark.parametrize(
    ("text", "answer", "about"),
    [
        ("**Как вернуть товар?**\n\nПринесите чек.", "Принесите чек.", "Как вернуть товар?"),
        ("Q: How long is delivery?\nA: Three days.", "Three days.", "Q: How long is delivery?"),
        ("Сколько стоит доставка? 300 рублей.", "300 рублей.", "Сколько стоит доставка?"),
    ],
)
def test_a_question_in_the_text_tells_what_its_answer_is_about(
    text: str, answer: str, about: str
) -> None:
    (unit,) = units(text)
    assert (unit.text, unit.context) == (answer, about)


@pytest.mark.spec("R15")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Способы доставки:\n- курьер;\n- почта.",
            [
                ("Способы доставки: курьер; почта.", ["Способы доставки:\n- курьер;\n- почта."]),
                ("Способы доставки: курьер;", ["Способы доставки:\n- курьер;"]),
                ("Способы доставки: почта.", ["Способы доставки:", "- почта."]),
            ],
        ),
        (
            "## Colours\n\n1. Red\n2. Deep blue",
            [
                ("Colours: Red", ["## Colours\n\n1. Red"]),
                ("Colours: Deep blue", ["## Colours", "2. Deep blue"]),
            ],
        ),
        (
            "* The courier brings it to your door.\n  He calls first.",
            [
                (
                    "The courier brings it to your door. He calls first.",
                    ["* The courier brings it to your door.\n  He calls first."],
                )
            ],
        ),
    ],
)
def test_a_list_line_is_said_with_what_leads_into_it(
    text: str, expected: list[tuple[str, list[str]]]
) -> None:
    assert list(zip(said(text), places(text), strict=True)) == expected


TABLE = "| Тариф | Цена |\n| --- | ---: |\n| Базовый | 300 ₽ |\n| **Полный** | 900 ₽ |"


@pytest.mark.spec("R15", "R14")
def test_a_table_row_is_said_with_its_header_and_cites_both() -> None:
    assert said(TABLE) == ["Тариф: Базовый; Цена: 300 ₽", "Тариф: Полный; Цена: 900 ₽"]
    assert places(TABLE) == [
        ["| Тариф | Цена |\n| --- | ---: |\n| Базовый | 300 ₽ |"],
        ["| Тариф | Цена |", "| **Полный** | 900 ₽ |"],
    ]


@pytest.mark.spec("R15", "R14")
def test_a_row_of_a_continued_table_knows_its_header_and_how_to_do_without() -> None:
    (unit,) = units("| Max | $90 |", "| Plan | Price |\n| --- | --- |")
    assert (unit.text, unit.header, unit.bare) == (
        "Plan: Max; Price: $90",
        "| Plan | Price |",
        "Max: $90",
    )


@pytest.mark.spec("R15")
def test_code_is_cut_between_lines_only() -> None:
    lines = [f"step_{number}()" for number in range(30)]
    text = "Запуск:\n\n```python\n" + "\n".join(lines) + "\n```\nПосле кода."
    code = [unit for unit in units(text) if unit.kind is UnitKind.CODE]
    assert len(code) > 1
    assert [line for unit in code for line in unit.text.split("\n")] == lines
    assert all(text[slice(*unit.spans[0])] == unit.text for unit in code)


@pytest.mark.spec("R14")
@pytest.mark.parametrize(
    "text", ["", "\n\n", "```", "|", "|---|", "- ", "#", "**", "a:\n", "? ? ?", "[](", "> >"]
)
def test_odd_texts_have_places_within_themselves(text: str) -> None:
    for unit in units(text):
        assert all(0 <= start < end <= len(text) for start, end in unit.spans)


@pytest.mark.spec("R15")
@pytest.mark.parametrize("lead", ["Run this:", "Install it like so...", "Запустите это:"])
def test_a_sentence_that_announces_code_is_said_with_it(lead: str) -> None:
    text = f"Первое. {lead}\n\n```shell\n$ make\n```\n\nAfter it."
    assert said(text) == ["Первое.", f"{lead}\n```\n$ make\n```", "After it."]
    assert places(text)[1] == [f"{lead}\n\n```shell\n$ make"]


def test_code_too_long_for_one_piece_is_cut_as_before() -> None:
    code = "\n".join(f"line {number}" for number in range(40))
    found = units(f"Run this:\n\n```\n{code}\n```\n")
    assert found[0].text == "Run this:"
    assert [unit.kind for unit in found[1:]] == [UnitKind.CODE] * 3


def test_a_sentence_that_only_precedes_code_stands_alone() -> None:
    assert said("It works.\n\n```\n$ make\n```") == ["It works.", "$ make"]


def test_labels_beside_their_values_are_no_header() -> None:
    text = "| Имя: | Анна | Ставка: | 10 % |\n| --- | --- | --- | --- |\n| Почта: | a@e.com | | |"
    assert said(text) == ["Имя: Анна; Ставка: 10 %", "Почта: a@e.com"]


@pytest.mark.parametrize(
    "text",
    [
        "1. Запустите сервер:\n\n   ```sh\n   svod up\n   ```\n\n2. Откройте страницу.",
        "1. Запустите сервер:\n    ```sh\n    svod up\n    ```\n2. Откройте страницу.",
        "- Запустите сервер:\n\n    ~~~\n    svod up\n    ~~~\n\n- Откройте страницу.",
    ],
)
def test_code_below_a_line_of_a_list_is_said_with_it(text: str) -> None:
    code, page = units(text)
    assert (code.kind, code.text) == (UnitKind.CODE, "Запустите сервер:\n```\nsvod up\n```")
    assert page.text == "Откройте страницу."
    start, end = code.spans[0]
    assert text[start:end].startswith(text[0])
    assert text[start:end].endswith("svod up")


def test_code_below_a_line_that_does_not_announce_it_is_said_alone() -> None:
    text = "- Step one.\n  ```\n  a = 1\n    b = 2\n  ```\n  Then wait.\n- Step two."
    assert [(one.kind, one.text) for one in units(text)] == [
        (UnitKind.ITEM, "Step one."),
        (UnitKind.CODE, "a = 1\n  b = 2"),
        (UnitKind.SENTENCE, "Then wait."),
        (UnitKind.ITEM, "Step two."),
    ]
