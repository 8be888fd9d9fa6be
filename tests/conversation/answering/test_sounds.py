"""Names written in two alphabets are known for one."""

import pytest

from svod.conversation.answering.sounds import sounds_like
from svod.conversation.answering.support import lacks

SAME = [
    ("Берлине", "Berlin"),
    ("Москвой", "Moscow"),
    ("Германией", "Germany"),
    ("Джеймс", "James"),
    ("Вашингтона", "Washington"),
    ("Мария", "Maria"),
    ("Лондонский", "London"),
    ("Варшавы", "Warsaw"),
]
OTHER = [
    ("Сидоров", "Petrov"),
    ("Казани", "Moscow"),
    ("Анна", "Ina"),
    ("Мюнхен", "Berlin"),
    ("Берлин", "Бёрлин"),
    ("Рим", "Oram"),
]


@pytest.mark.spec("R14")
@pytest.mark.parametrize(("russian", "english"), SAME)
def test_a_name_is_known_by_its_sound(russian: str, english: str) -> None:
    assert sounds_like(russian, {"other", english.casefold()})
    assert sounds_like(english, {"другое", russian.casefold()})
    assert lacks(f"Там есть {russian}.", [f"There is {english}."]) == []


@pytest.mark.spec("R14")
@pytest.mark.parametrize(("name", "other"), OTHER)
def test_other_names_are_not(name: str, other: str) -> None:
    assert not sounds_like(name, {other.casefold()})
