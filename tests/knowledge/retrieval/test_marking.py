"""What of a query and a hit is marked as matching."""

import pytest

from svod.knowledge.retrieval.opening import spans
from svod.knowledge.retrieval.query import MOST_TERMS, read_query


def marked(text: str, query: str) -> list[str]:
    return [text[start:end] for start, end in spans(text, read_query(query))]


@pytest.mark.spec("R3")
@pytest.mark.parametrize(
    ("text", "query", "wanted"),
    [
        ("Contracts are signed; a contract ends.", "contract", ["Contracts", "contract"]),
        ("Договоры и договором.", "договор", ["Договоры", "договором"]),
        ("😀 Ёлка стоит.", "елка", ["Ёлка"]),
        ("call getUserById now", "getUserById", ["getUserById"]),
        ("call getUserById now", "user", ["User"]),
        ("Nothing here.", "contract", []),
        ("", "contract", []),
    ],
)
def test_offsets_point_at_the_words_in_every_form(text: str, query: str, wanted: list[str]) -> None:
    assert marked(text, query) == wanted


@pytest.mark.spec("R3")
def test_marks_never_overlap_and_come_in_order() -> None:
    text = "interest-rate getUserById src/app/main.py 3.11.2 e-mail"
    found = spans(text, read_query(text))
    flat = [edge for span in found for edge in span]
    assert flat == sorted(flat)
    assert all(start < end for start, end in found)


@pytest.mark.spec("R2")
def test_words_are_told_as_they_were_typed() -> None:
    assert "Договоров" in read_query("Договоров аренды").typed.values()


@pytest.mark.spec("R2")
def test_phrases_keep_their_stop_words_but_look_for_the_others() -> None:
    query = read_query('"the end of the road" map')
    assert query.phrases
    assert len(query.phrase_terms) == 2
    assert len(query.terms) == 3


def test_a_whole_text_as_a_query_is_cut_to_its_first_words() -> None:
    assert len(read_query(" ".join(f"w{number}" for number in range(1000))).terms) == MOST_TERMS
