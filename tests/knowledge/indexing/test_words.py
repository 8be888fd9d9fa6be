"""The analyzer: the same words for what is stored and what is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svod.knowledge.indexing.words import (
    AVERAGE_LENGTH,
    K1,
    has_phrase,
    other_layout,
    query_words,
    weights,
    words,
)

ANY_TEXT = st.text(
    st.one_of(
        st.sampled_from(list("аеёйСсTtAa019 .,-_/:'\"«»%№½ﬁ\u0301\u0306\u00ad\u00a0\0\n漢")),
        st.characters(),
        st.characters(categories=["Cs", "Mn", "Cf"]),
    )
)


def terms(text: str) -> set[str]:
    return {word.term for word in words(text)}


def finds(query: str, text: str) -> bool:
    """Whether the text holds the first word of the query as a whole; its parts may differ."""
    return query_words(query).terms[0] in terms(text)


@pytest.mark.spec("R2")
@given(ANY_TEXT)
def test_every_span_points_into_the_text_it_was_given(text: str) -> None:
    found = words(text)
    assert all(0 <= word.start < word.end <= len(text) for word in found)
    assert all(0 < len(word.term) <= 100 and word.term.encode() for word in found)
    assert query_words(text).terms or not found


@pytest.mark.spec("R2")
@given(ANY_TEXT)
def test_the_same_text_asked_and_stored_gives_the_same_terms(text: str) -> None:
    asked, stored = set(query_words(text).terms), terms(text)
    assert not stored or asked == stored


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("text", "term", "place"),
    [
        ("на ﬁnale конец", "final", "ﬁnale"),
        ("½ литра", "литр", "литра"),
        ("ёлки, за\u0301мки", "замк", "за\u0301мки"),
        ("сло\u00adво и дело", "слов", "сло\u00adво"),
        ("и\u0306од 5 г", "йод", "и\u0306од"),
        ("＋ ＡＢＣ ok", "abc", "ＡＢＣ"),
    ],
)
def test_a_span_covers_the_spelling_it_was_folded_from(text: str, term: str, place: str) -> None:
    found = [word for word in words(text) if word.term == term]
    assert [text[word.start : word.end] for word in found] == [place]


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("ёлка", "у елки"),
        ("елка", "Ёлкой"),
        ("договоры", "по договору"),
        ("refunds", "a Refund"),
        ("user", "the user’s key"),
        ("cafe", "Café"),
        ("getUserById", "call getuserbyid now"),
        ("user", "getUserById"),
        ("get user", "get_user()"),
        ("server", "HTTPServer2"),
        ("http", "HTTPServer2"),
        ("users", "app.api.users"),
        ("app.api.users", "see app.api.users."),
        ("main.py", "src/app/main.py"),
        ("9087", "PPR-9087"),
        ("ppr‑9087", "PPR-9087"),
        ("3.11", "Python 3.11.7"),
        ("v3.11.7", "release v3.11.7"),
        ("3.11.7", "release v3.11.7"),
        ("ORA-00942", "ошибка ORA-00942: нет таблицы"),
        ("0x80070005", "код 0x80070005"),
        ("С-100", "модель C-100"),  # Cyrillic against Latin
        ("ВАН-77", "BAH-77"),
        ("Cбербанк", "Сбербанка"),
        ("интернет-магазин", "в интернет-магазине"),
        ("магазин", "интернет-магазин"),
        ("e-mail", "email"),
        ("кое-как", "сделано кое-как"),
        ("1500.00", "итого 1 500,00 руб."),
        ("1500", "итого 1\u202f500,00 ₽"),
        ("1,500.00", "total 1500.00"),
        ("15%", "скидка 15 %"),
        ("15", "скидка 15%"),
        ("3,5", "3.5 литра"),
        ("$", "$100"),
        ("c++", "на C++ и C#"),
        ("№5", "кабинет № 5"),
        ("1С", "в 1С:Предприятие"),
        ("IT", "отдел IT"),
        ("2024", "от 01.02.2024"),
        ("example.com", "user@example.com"),
    ],
)
def test_a_query_finds_the_text_it_means(query: str, text: str) -> None:
    assert finds(query, text)


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("PPR-9087", "PPR-1044"),
        ("3.11.7", "3.11.8"),
        ("1.10", "1.1"),
        ("A-1/23", "A-12/3"),
        ("C#", "C++"),
        ("ПН-10", "H-10"),
        ("йод", "иод"),
        ("15%", "15 штук"),
        ("9087", "90871"),
    ],
)
def test_what_must_be_exact_does_not_match_its_neighbour(query: str, text: str) -> None:
    assert not finds(query, text)


@pytest.mark.spec("R2")
def test_stop_words_are_left_out_unless_nothing_else_was_asked() -> None:
    assert terms("Как это и что, the and of it") == set()
    assert query_words("что такое договор").terms == ("договр",)
    assert query_words("What is it").terms == ("what", "is", "it")


@pytest.mark.spec("R2")
def test_a_term_that_comes_more_often_weighs_more_and_less_in_a_longer_text() -> None:
    once, twice = weights(["a", "b"])["a"], weights(["a", "a"])["a"]
    assert once < twice < K1 + 1
    assert weights(["a"] + ["b"] * 500)["a"] < once
    exact = weights(["a"] + ["b"] * (int(AVERAGE_LENGTH) - 1))["a"]
    assert exact == pytest.approx(1.0)
    assert weights([]) == {}


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("query", "text", "holds"),
    [
        ("«договор поставки»", "по договору поставки", True),
        ("«договор поставки»", "договор о поставке", False),
        ('"terms of use"', "Our Terms of Use apply", True),
        ('"terms of use"', "terms for use", False),
        ('"to be or not to be"', "to be, or not to be?", True),
        ("«магазин мебели»", "интернет-магазин мебели", True),
        ("«интернет-магазин мебели»", "интернет-магазине мебели", True),
        ('"get user"', "def get_user(id)", True),
        ('"user get"', "def get_user(id)", False),
        ("“PPR-9087”", "PPR-9087", True),
        ("«быть может»", "может быть", False),
    ],
)
def test_quoted_words_must_stand_together(query: str, text: str, holds: bool) -> None:
    (phrase,) = query_words(query).phrases
    assert has_phrase(text, phrase) is holds


@pytest.mark.spec("R2")
@pytest.mark.parametrize("query", ['монитор 24" и 27"', '"', "««", '"..."', ""])
def test_marks_that_quote_nothing_make_no_phrase(query: str) -> None:
    assert query_words(query).phrases == ()


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ghbdtn", "привет"),
        ("[jhjij", "хорошо"),
        ("Ljujdjh gjcnfdrb", "Договор поставки"),
        ("пшерги", "github"),
        ("куагтв зщдшсн", "refund policy"),
        ("договор", "ljujdjh"),
    ],
)
def test_a_query_in_the_wrong_layout_is_typed_again(typed: str, meant: str) -> None:
    assert other_layout(typed) == meant


@pytest.mark.spec("R2")
@pytest.mark.parametrize("query", ["", "12-34", "договор refund", "жёлудь"])
def test_what_cannot_be_another_layout_is_not(query: str) -> None:
    assert other_layout(query) is None


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    "sign",  # each has broken an analyzer that looks back or ahead without a limit
    [
        *"aя1\u0301\0\ud800漢",
        *["a/", "1,", "1.", "100", "a-", "aB", "a1", "a'", '"a', "«a", "-_", "a.__", "http://"],
        "1 %",
    ],
)
def test_any_sign_repeated_without_end_ends_in_short_terms(sign: str) -> None:
    text = sign * 20_000
    assert max((len(word.term) for word in words(text)), default=0) <= 100
    query_words(text)


@pytest.mark.parametrize("asking", ["каком", "каких", "какую", "какими", "каковы", "какой"])
def test_a_word_that_asks_is_not_looked_for(asking: str) -> None:
    assert query_words(f"{asking} срок").terms == query_words("срок").terms
    assert query_words(asking).terms
