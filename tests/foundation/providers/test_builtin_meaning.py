"""The built-in model understands both languages."""

import numpy as np
import pytest

from svod.foundation.providers import BuiltinEmbedder, Purpose

PAIRS = [
    ("Кошка спит на диване.", "The cat is asleep on the sofa."),
    ("Как сменить пароль?", "How do I change my password?"),
    ("Поставка задержана до пятницы.", "The delivery is delayed until Friday."),
    ("В базе нет свободных соединений.", "The database has no free connections."),
]


@pytest.mark.spec("R2")
async def test_a_translation_is_closer_than_another_sentence(builtin: BuiltinEmbedder) -> None:
    russian = await builtin.embed([ru for ru, _ in PAIRS], purpose=Purpose.STORE)
    english = await builtin.embed([en for _, en in PAIRS], purpose=Purpose.STORE)
    cosines = russian @ english.T
    assert (cosines.argmax(axis=1) == np.arange(len(PAIRS))).all()
    assert (cosines.argmax(axis=0) == np.arange(len(PAIRS))).all()


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("где лежит чайник", "Чайник стоит на полке в кухне.", "Отпуск согласует руководитель."),
        ("кто согласует отпуск", "Vacations are approved by the manager.", "The kettle is hot."),
        ("who approves vacations", "Отпуск согласует руководитель.", "Чайник стоит на полке."),
    ],
)
async def test_a_question_finds_what_answers_it(
    builtin: BuiltinEmbedder, question: str, answer: str, other: str
) -> None:
    (asked,) = await builtin.embed([question], purpose=Purpose.ASK)
    stored = await builtin.embed([answer, other], purpose=Purpose.STORE)
    assert asked @ stored[0] > asked @ stored[1]


async def test_a_vector_does_not_depend_on_its_company(builtin: BuiltinEmbedder) -> None:
    text = "Заявку согласует руководитель отдела."
    (alone,) = await builtin.embed([text], purpose=Purpose.STORE)
    company = await builtin.embed([text, "a", "code(x) " * 100, text * 5], purpose=Purpose.STORE)
    assert alone @ company[0] == pytest.approx(1, abs=1e-5)


def test_tokens_are_those_of_the_vocabulary(builtin: BuiltinEmbedder) -> None:
    # Counted by the reference tokenizer of this model.
    assert builtin.count_tokens(["Привет, мир!", "hello world", "", "й и\u0306"]) == [5, 3, 0, 2]
