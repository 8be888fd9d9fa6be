"""A hit is shown by the part around what matched."""

import pytest

from svod.cli.excerpts import LONGEST, excerpt, window

FILLING = {
    "ru": "Здесь много слов, которые ни к чему не относятся и только занимают место. ",
    "en": "There are many words here that belong to nothing and only take up the place. ",
}
BOTH = ("ru", "en")


@pytest.mark.spec("I4")
@pytest.mark.parametrize("lang", BOTH)
@pytest.mark.parametrize("before", [0, 3, 9])
@pytest.mark.parametrize("after", [0, 9])
def test_the_part_with_most_matches_is_shown_bold_and_cut_between_words(
    lang: str, before: int, after: int
) -> None:
    wanted = "xyz abc xyz"
    text = FILLING[lang] * before + wanted + ". " + FILLING[lang] * after + "xyz"
    at = len(FILLING[lang]) * before
    spans = [(at, at + 3), (at + 8, at + 11), (len(text) - 3, len(text))]
    shown = excerpt(text, spans)
    assert wanted in shown.plain
    assert len(shown.plain) <= LONGEST + 2
    bold = [shown.plain[span.start : span.end] for span in shown.spans]
    assert bold[:2] == ["xyz", "xyz"]
    words = set(text.split())
    assert set(shown.plain.strip("…").split()) <= words
    assert shown.plain.startswith("…") == (window(text, spans)[0] > 0)


@pytest.mark.spec("I4")
def test_a_short_text_is_shown_whole_without_blank_lines() -> None:
    shown = excerpt("# Title\n\n\nA   cat.\n", [(14, 17)])
    assert shown.plain == "# Title\nA cat.\n"
    assert [(span.style, shown.plain[span.start : span.end]) for span in shown.spans] == [
        ("bold", "cat")
    ]


@pytest.mark.spec("I4")
def test_a_long_word_without_spaces_is_cut_anyway() -> None:
    shown = excerpt("x" * 2000, [])
    assert shown.plain == "x" * LONGEST + "…"
