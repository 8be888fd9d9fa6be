"""Sentences: a citation is as good as the place where it begins and ends."""

import pytest
from hypothesis import given
from hypothesis import settings as trying
from hypothesis import strategies as st

from svod.knowledge.chunking import sentences

# One sentence a line; joined by spaces they must come apart in the same places.
RUSSIAN = """
Договор вступает в силу с 01.01.2024 г. и действует до конца года.
Это произошло в 2020 г. в Москве.
Компания основана в 1998 г.
Офис находится в г. Москве на ул. Ленина, д. 5, кв. 12.
Музей им. А. С. Пушкина открыт ежедневно.
А.С. Пушкин родился в 1799 году.
Пушкин А. С. написал «Евгения Онегина».
Возьмите документы, т. е. паспорт и т.д. по списку.
Столы, стулья и т. д.
Мы продаём мебель.
Цена составляет 1 500,50 руб. за штуку.
Итого 3.14 и 2.71 без НДС.
Всего 5 млн руб.
Платёж прошёл.
Он спросил: «Когда вернут деньги?» — и ушёл.
— Стой! — сказал он.
Правда?
Да!
Не знаю… может быть.
Подождите...
Теперь можно.
См. рис. 5 и табл. 2.
Согласно п. 3 ст. 15 закона товар возвращают.
Он сказал: «Я приду.»
Потом ушёл.
Проф. Иванов и др. авторы согласны.
В V в. до н. э. город был мал.
Витамин C. Он нужен всем.
Сайт example.com работает.
Версия 3.11.7 вышла.
Срок — 21 день.
""".strip().split("\n")

ENGLISH = """
Dr. Smith paid No. 5 in full.
Mr. and Mrs. Brown live at 5 St. James Street.
It costs $3.50 per unit, e.g. a book.
Use tools (i.e. hammers, saws, etc.) with care.
The firm Acme Inc. was sold.
He moved to the U.S. in 1999.
J. R. R. Tolkien wrote it.
We meet at 5 p.m. on Monday.
"Is it done?" she asked.
Yes!
Version 2.0.1 is out.
See Fig. 3 and Eq. 4.
Wait... what?
Nothing happened…
The end came.
It was cited before.[12]
Then it was not.
He wrote to Acme Ltd.
Nobody answered.
Bring pens, paper, etc.
Come early.
""".strip().split("\n")
RUSSIAN.remove("Витамин C. Он нужен всем.")  # two sentences, shown below


def parted(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.spec("R14")
@pytest.mark.parametrize("lines", [RUSSIAN, ENGLISH], ids=["ru", "en"])
def test_sentences_come_apart_where_a_reader_parts_them(lines: list[str]) -> None:
    assert parted(" ".join(lines)) == lines


@pytest.mark.spec("R14")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Витамин C. Он нужен всем.", ["Витамин C.", "Он нужен всем."]),
        ("В 2020 г. Компания выросла.", ["В 2020 г.", "Компания выросла."]),
        ("Живёт в г. Москва. Учится.", ["Живёт в г. Москва.", "Учится."]),
        ("Строка одна\nи её конец. Другая.", ["Строка одна\nи её конец.", "Другая."]),
        (
            "- Первый\n- Второй. Его конец.\n  И ещё.",
            ["- Первый", "- Второй.", "Его конец.", "И ещё."],
        ),
        ("1. Первый пункт\n2. Второй", ["1. Первый пункт", "2. Второй"]),
        ("1.2. Первый пункт\n1.3. Второй", ["1.2. Первый пункт", "1.3. Второй"]),
        ("а) один\nб) два", ["а) один", "б) два"]),
        ("| a. B | c |\n| - | - |\n| d | e. F |", ["| a. B | c |", "| - | - |", "| d | e. F |"]),
        ("# Head. Line\nText here. More.", ["# Head. Line", "Text here.", "More."]),
        ("First one\n\nSecond one", ["First one", "Second one"]),
        ("  Spaces. \n\n ", ["Spaces."]),
        ("(Да. Нет.) Может.", ["(Да.", "Нет.)", "Может."]),
        ("", []),
        ("...", ["..."]),
    ],
)
def test_marks_lines_and_lists_part_sentences(text: str, expected: list[str]) -> None:
    assert parted(text) == expected


@pytest.mark.spec("R14")
@trying(deadline=None)
@given(st.text(st.sampled_from(list("аАбTt1.!?…»«\"')( \n-|#\u00a0\u200b。"))))
def test_spans_are_in_order_apart_and_without_white_space_at_their_ends(text: str) -> None:
    end = 0
    kept = ""
    for start, stop in sentences(text):
        assert end <= start < stop
        assert text[start:stop] == text[start:stop].strip()
        kept += text[start:stop]
        end = stop
    assert [s for s in kept if not s.isspace()] == [s for s in text if not s.isspace()]


@pytest.mark.spec("R14")
@pytest.mark.parametrize(
    "sign", [".", "а. ", "т. ", "!", "а", " ", "\n", "| ", "1.", "(", '."', "#"]
)
def test_any_sign_repeated_without_end_is_read_in_one_pass(sign: str) -> None:
    assert sum(stop - start for start, stop in sentences(sign * 100_000)) <= len(sign) * 100_000
