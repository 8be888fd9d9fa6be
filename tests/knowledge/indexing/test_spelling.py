"""What a misspelt word may have been meant to be."""

import pytest

from svod.knowledge.indexing.spelling import is_like, one_typo_away
from svod.knowledge.indexing.word_parts import stem
from svod.knowledge.indexing.words import plain_words

WORDS = {
    "ru": "возврата самокатами залоге велосипед мастерская отправляем универсальных получить",
    "en": "returned deposit bicycles workshop company facilities running agreement",
}
LETTERS = {"ru": "абвгдежзийклмнопрстуфхцчшщъыьэюя", "en": "abcdefghijklmnopqrstuvwxyz"}
BOTH = ("ru", "en")


def typos(word: str, letters: str) -> set[str]:
    """Everything one insertion, deletion, replacement or swap away."""
    made: set[str] = set()
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        made.update(head + letter + tail for letter in letters)
        if tail:
            made.add(head + tail[1:])
            made.update(head + letter + tail[1:] for letter in letters)
        if len(tail) > 1:
            made.add(head + tail[1] + tail[0] + tail[2:])
    return made - {word}


@pytest.mark.spec("R2")
@pytest.mark.parametrize("lang", BOTH)
def test_nearly_every_typo_in_a_word_leads_back_to_its_stem(lang: str) -> None:
    lost: list[str] = []
    tried = 0
    for word in WORDS[lang].split():
        # A few of each: all of them take minutes.
        for typed in sorted(typos(word, LETTERS[lang]))[::61]:
            if stem(typed) != stem(word):
                tried += 1
                if stem(word) not in one_typo_away(typed):
                    lost.append(f"{word}: {typed}")
    assert tried > 50
    assert len(lost) <= max(1, tried * 0.02), lost


@pytest.mark.spec("R2")
@pytest.mark.parametrize("lang", BOTH)
def test_what_is_given_lies_one_typo_away_and_has_five_letters(lang: str) -> None:
    word = WORDS[lang].split()[0]
    away = one_typo_away(word)
    assert len(away) > 100
    assert stem(word) not in away
    near = typos(word, LETTERS[lang])
    assert set(away.values()) <= near
    # The rest are stems that no word has, so that no text holds them either.
    assert sum(stem(meant) == term for term, meant in away.items()) >= 0.85 * len(away)


@pytest.mark.spec("R2")
@pytest.mark.parametrize("typed", ["год", "cat", "e21", "залogа", "шесть6", "éclair", ""])
def test_what_is_short_or_no_word_of_one_alphabet_is_exact(typed: str) -> None:
    assert one_typo_away(typed) == {}


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("query", "fuzzy"),
    [
        ("сколько стоит залгоа за самокат", ["сколько", "стоит", "залгоа", "самокат"]),
        ("интернет-магзин", ["интернет", "магзин"]),
        ("ошибка ERR-4041 в v3.11.2, код E21", ["ошибка", "код"]),
        ("getUserById get_user src/app/main.py user@example.com", []),
        ("PPR-9087 or ENOENT 1500 12.05.2026 192.168.0.1", []),
        ("«общее собранее» члнов", ["члнов"]),
        ('"total agrement" memebrs', ["memebrs"]),
        ("ЗАЛГО САМОКАТА", ["залго", "самоката"]),
        ("С-100 и А-21-б", []),
    ],
)
def test_only_plain_words_outside_of_quotes_may_be_misspelt(query: str, fuzzy: list[str]) -> None:
    assert [word.letters for word in plain_words(query)] == fuzzy
    for word in plain_words(query):
        assert query[word.start : word.end].lower() == word.letters


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("typed", "found", "alike"),
    [
        ("залгоа", "залог", True),
        ("возвритить", "возврата", True),
        ("ctenophhores", "ctenophores", True),
        ("мячм", "мячом", True),
        ("пела", "переменного", False),
        ("проявлять", "пара", False),
        ("invade", "the", False),
    ],
)
def test_a_word_of_a_text_is_what_was_meant_only_if_it_looks_like_it(
    typed: str, found: str, *, alike: bool
) -> None:
    assert is_like(typed, found) is alike
