"""Words that ask count for nothing in what answers."""

import pytest
from scripted_evidence import a_hit

from svod.conversation.answering.asking import without_asking
from svod.conversation.answering.candidates import candidates, ranked


@pytest.mark.spec("R15")
@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "How long is the warranty?",
            "It is checked no matter how long you stay, how long it takes. The warranty: two years.",
            "The warranty: two years.",
        ),
        (
            "Сколько стоит залог?",
            "Сколько хочешь, столько и сколько можешь. Залог составляет 700 рублей.",
            "Залог составляет 700 рублей.",
        ),
    ],
)
def test_a_sentence_is_no_nearer_for_an_asking_word(question: str, text: str, answer: str) -> None:
    assert ranked(candidates(question, [a_hit(text)]))[0].unit.text == answer


@pytest.mark.parametrize("question", ["How long?", "Почему?", "Сколько?"])
def test_where_nothing_else_is_asked_nothing_is_blanked(question: str) -> None:
    assert without_asking(question) == question


def test_what_is_left_stands_where_it_stood() -> None:
    question = "Как долго действует гарантия?"
    assert without_asking(question).index("гарантия") == question.index("гарантия")
