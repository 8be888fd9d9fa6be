"""When the evidence is too little to answer from."""

import pytest
from scripted_evidence import a_hit, found

from svod.conversation.answering import judge

RU = "Гарантия на чайник действует два года."
EN = "The warranty of the kettle lasts two years."


@pytest.mark.spec("R16")
@pytest.mark.parametrize(
    ("question", "text", "score", "cosine", "reason"),
    [
        ("Сколько длится гарантия на чайник?", RU, 0.8, 0.9, None),
        ("How long is the warranty of the kettle?", EN, 0.8, 0.9, None),
        ("Кто изобрёл паровоз?", RU, 0.1, 0.8, "weak"),
        ("Who invented the steam engine?", EN, 0.1, 0.8, "weak"),
        ("Гарантия на паровоз Черепановых?", RU, 0.4, 0.8, "words_missing"),
        ("Warranty of the steam locomotive?", EN, 0.4, 0.8, "words_missing"),
        ("Гарантия на чайник?", RU, 0.4, 0.8, None),
        ("Kettle warranty years?", EN, 0.4, 0.8, None),
        ("Сколько длится гарантия на чайник?", EN, 0.15, 0.85, None),
        ("How long is the warranty of the kettle?", RU, 0.15, 0.85, None),
        ("Кто изобрёл паровоз?", EN, 0.05, 0.7, "weak"),
        ("Who invented the steam engine?", RU, 0.05, 0.7, "weak"),
        ("Гарантия kettle?", EN, 0.1, None, "weak"),
        ("Гарантия kettle?", EN, 0.4, None, None),
    ],
)
def test_it_refuses_what_is_about_something_else(
    question: str, text: str, score: float, cosine: float | None, reason: str | None
) -> None:
    verdict = judge(question, found(a_hit(text, score=score, cosine=cosine)), [])
    assert (verdict.enough, verdict.reason) == (reason is None, reason)
    assert verdict.nearest is not None


@pytest.mark.spec("R16")
def test_nothing_found_is_not_enough() -> None:
    assert judge("Где ключ?", found(), []).reason == "nothing_found"
