"""When the evidence is too little to answer from."""

from dataclasses import replace

import pytest
from scripted_evidence import a_hit, found

from svod.conversation.answering import THRESHOLD, Verdict, judge
from svod.conversation.answering.candidates import candidates, with_meaning
from svod.conversation.answering.gate import is_across, strength_of
from svod.conversation.answering.signals import signals_of
from svod.foundation.ids import WorkspaceId
from svod.knowledge.retrieval import Found, Hit
from svod.knowledge.retrieval.calibration import CollectionFit
from svod.knowledge.retrieval.ranking import Standard

RU = "Гарантия на чайник действует два года."
EN = "The warranty of the kettle lasts two years."
RU_ASKED, EN_ASKED = "Сколько длится гарантия на чайник?", "How long is the warranty of the kettle?"
RU_ASTRAY, EN_ASTRAY = "Кто изобрёл паровоз в 1804 году?", "Who built a locomotive in 1804?"
CHANCE = Standard(0.8, 25.0)


def judged(
    asked: str, *hits: Hit, cosine: float | None = None, result: Found | None = None
) -> Verdict:
    fitting = candidates(asked, hits)
    if cosine is not None:
        fitting = with_meaning(fitting, dict.fromkeys(range(len(fitting)), cosine), CHANCE)
    return judge(asked, result or found(*hits), fitting)


def near(text: str, *, words: float = 0.7) -> Hit:
    """A hit whose meaning stands out."""
    return replace(
        a_hit(text, cosine=0.92, score=0.9), words=words, rank_score=4 * words + 5, z=5.0
    )


def far(text: str, *, words: float = 0.0) -> Hit:
    """A hit that is only the nearest of what there is."""
    return replace(a_hit(text, cosine=0.8, score=0.2), words=words, rank_score=4 * words, z=0.0)


@pytest.mark.spec("R16")
@pytest.mark.parametrize(
    ("question", "text"),
    [(RU_ASKED, RU), (EN_ASKED, EN), (RU_ASKED, EN), (EN_ASKED, RU)],
)
def test_what_is_asked_for_in_either_language_is_enough(question: str, text: str) -> None:
    verdict = judged(question, near(text), cosine=0.92)
    assert (verdict.enough, verdict.reason) == (True, None)
    assert verdict.strength > verdict.threshold == THRESHOLD


@pytest.mark.spec("R16")
@pytest.mark.parametrize(
    ("question", "text"),
    [(RU_ASTRAY, RU), (EN_ASTRAY, EN), (RU_ASTRAY, EN), (EN_ASTRAY, RU)],
)
def test_what_is_about_something_else_is_not(question: str, text: str) -> None:
    verdict = judged(question, far(text), cosine=0.78)
    assert (verdict.enough, verdict.reason) == (False, "words_missing")
    assert "1804" in verdict.missing
    assert verdict.nearest is not None


@pytest.mark.spec("R16")
@pytest.mark.parametrize(("question", "text"), [("Гарантия дня?", RU), ("Warranty day?", EN)])
def test_weak_evidence_that_holds_the_words_is_called_weak(question: str, text: str) -> None:
    hits = [far(f"{text} {day}", words=0.1) for day in ("День.", "A day.")]
    hits = [replace(hit, rank_score=1.0) for hit in hits]
    verdict = judged(question, *hits, cosine=0.72)
    assert (verdict.enough, verdict.reason) == (False, "weak")


@pytest.mark.spec("R16")
@pytest.mark.parametrize(("question", "text"), [(RU_ASKED, RU), (EN_ASKED, EN)])
@pytest.mark.parametrize("name", ["Заря-77", "Dawn-77"])
def test_a_name_that_stands_nowhere_weakens_the_evidence(
    question: str, text: str, name: str
) -> None:
    named = f"{question.rstrip('?')} {name}?"
    assert (
        judged(named, near(text), cosine=0.9).strength
        < judged(question, near(text), cosine=0.9).strength
    )
    assert judged(named, near(text), cosine=0.9).missing[0] == name


@pytest.mark.spec("R6", "R16")
@pytest.mark.parametrize(
    ("question", "text", "words", "enough"),
    [
        (RU_ASKED, RU, 0.6, True),
        (EN_ASKED, EN, 0.6, True),
        (RU_ASTRAY, RU, 0.05, False),
        (EN_ASTRAY, EN, 0.05, False),
    ],
)
def test_without_meaning_words_decide(question: str, text: str, words: float, enough: bool) -> None:
    hit = replace(a_hit(text), words=words, rank_score=4 * words)
    assert judged(question, hit).enough is enough


@pytest.mark.spec("R16")
def test_nothing_found_is_not_enough() -> None:
    verdict = judge("Где ключ?", found(), [])
    assert (verdict.enough, verdict.reason, verdict.strength) == (False, "nothing_found", 0.0)


@pytest.mark.spec("R16")
def test_the_threshold_of_the_collection_and_languages_holds() -> None:
    hit = near(RU)
    own = CollectionFit(hit.workspace_id, hit.level, hit.namespace, "ru-ru", 0.999, 0.0, 1.0)
    others = [
        replace(own, languages="en-ru"),
        replace(own, namespace="shop"),
        replace(own, workspace_id=WorkspaceId(9)),
        replace(own, level="global"),
    ]
    strict = judged(RU_ASKED, hit, cosine=0.92, result=replace(found(hit), fits=(*others, own)))
    assert (strict.enough, strict.threshold) == (False, 0.999)
    lax = judged(RU_ASKED, hit, cosine=0.92, result=replace(found(hit), fits=tuple(others)))
    assert (lax.enough, lax.threshold) == (True, THRESHOLD)
    none = replace(own, threshold=None)
    kept = judged(RU_ASKED, hit, cosine=0.92, result=replace(found(hit), fits=(none,)))
    assert kept.threshold == THRESHOLD


@pytest.mark.spec("R16")
def test_strength_grows_with_every_signal_and_stays_within_0_and_1() -> None:
    hit = near(RU)
    signals = signals_of(RU_ASKED, [hit], candidates(RU_ASKED, [hit]))
    names = ("lead", "sentence", "meaning", "names", "words", "likeness", "drop", "names_heard")
    for across in (False, True):
        base = strength_of(signals, across=across)
        more = [
            strength_of(
                replace(signals, **{name: (getattr(signals, name) or 0) + 1}), across=across
            )
            for name in names
        ]
        assert all(base <= strength <= 1 for strength in more)
        assert sum(strength > base for strength in more) >= 4
    extreme = replace(signals, lead=1e6, meaning=-1e9)
    assert strength_of(extreme, across=False) == 0.0


@pytest.mark.parametrize(
    ("languages", "across"), [("ru-ru", False), ("en-en", False), ("ru-en", True), ("en-ru", True)]
)
def test_a_pair_of_two_languages_is_across(languages: str, across: bool) -> None:
    assert is_across(languages) is across
