"""Text is brought to the vocabulary's form, whatever it holds."""

import pytest

from svod.foundation.providers.e5.normalization import normalize


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("и\u0306 Ё е\u0308", "й Ё ё"),
        ("  a\t\r\n b\u00a0c\u2003d  ", "a b c d"),
        ("ＡＢＣ ① ﬁ", "ABC 1 fi"),
        ("a\x01b\x7fc", "abc"),
        ("a\u200bb\ufeffc\ufffdd\u2581e", "a b c d e"),
        ("a\ud800b", "a b"),
        ("\ufdfa", "صلى الله عليه وسلم"),
        ("", ""),
        ("\n\t ", ""),
    ],
)
def test_text_takes_the_form_of_the_vocabulary(text: str, expected: str) -> None:
    assert normalize(text) == expected


def test_nul_is_kept_for_the_vocabulary_to_call_unknown() -> None:
    assert normalize("a\0b") == "a\0b"


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        "\ufdfa" * 100_000,
        # Marks that must be sorted: their number squared without a bound.
        "a" + "\u0301\u0323" * 500_000,
        "a" + "\u0301" * 1_000_000,
        # A letter by its class that falls apart into two marks.
        "\u0f73" * 500_000,
        "\U0001e000\U00011133" * 500_000,
        "\0" * 1_000_000,
        " \u200b" * 500_000,
        "\ud800" * 1_000_000,
        "я" * 1_000_000,
    ],
)
def test_a_hostile_million_of_characters_ends(text: str) -> None:
    assert len(normalize(text)) <= 18 * len(text)


def test_more_marks_than_any_language_piles_up_are_cut() -> None:
    assert len(normalize("q" + "\u0301\u0323" * 1000)) == 31
