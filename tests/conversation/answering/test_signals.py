"""What the gate sees of the evidence, in numbers."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scripted_evidence import a_hit

from svod.conversation.answering.candidates import Candidate, candidates, with_meaning
from svod.conversation.answering.likeness import chance_of
from svod.conversation.answering.signals import NEXT_BY_CHANCE, Signals, signals_of
from svod.foundation.providers.embedding import ModelCard
from svod.knowledge.retrieval import Hit
from svod.knowledge.retrieval.ranking import Standard

RU = "Гарантия на чайник Заря действует два года. Нужен чек от 2024 года."
EN = "The warranty of the Dawn kettle lasts two years. A receipt of 2024 is needed."
BOTH = [
    ("ru", "Сколько длится гарантия на чайник Заря?", "Кто в 1834 году построил паровоз?", RU),
    ("en", "How long is the warranty of the Dawn kettle?", "Who built a locomotive in 1834?", EN),
]


def seen(asked: str, *hits: Hit, cosines: dict[int, float] | None = None) -> Signals:
    fitting: Sequence[Candidate] = candidates(asked, hits)
    if cosines:
        fitting = with_meaning(fitting, cosines, Standard(0.8, 25.0))
    return signals_of(asked, hits, fitting)


@pytest.mark.spec("R16")
@pytest.mark.parametrize(("lang", "fits", "astray", "text"), BOTH)
def test_words_and_names_of_a_question_are_looked_for_in_the_first_hits(
    lang: str, fits: str, astray: str, text: str
) -> None:
    there, gone = seen(fits, a_hit(text)), seen(astray, a_hit(text))
    assert there.names == 1
    assert there.words > 0.7
    assert (gone.names, gone.missing[0]) == (0, "1834")
    assert gone.words < 0.5
    assert lang in {"ru", "en"}


@pytest.mark.spec("R16")
@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("Сколько мешков было у Джареда Аллена?", "Jared Allen had 136 sacks in his career."),
        ("How many sacks did Jared Allen have?", "У Джареда Аллена было 136 мешков."),
    ],
)
def test_names_are_heard_across_alphabets(asked: str, text: str) -> None:
    heard = seen(asked, a_hit(text))
    assert (heard.names, heard.names_heard) == (0, 1)
    assert seen(asked, a_hit("Nobody. Никто.")).names_heard == 0


@pytest.mark.spec("R16")
def test_only_the_first_five_hits_count() -> None:
    first = [a_hit("Ничего. Nothing.", item=n) for n in range(5)]
    assert seen("Гарантия?", *first, a_hit(RU, item=9)).missing == ("Гарантия",)
    assert seen("Гарантия?", *first[:4], a_hit(RU, item=9)).missing == ()


@pytest.mark.spec("R16")
def test_the_lead_is_over_the_next_hits_and_counts_little_where_there_are_few() -> None:
    scores = (6.0, 3.0, 3.0, 1.0, 1.0, 9.0)
    hits = [replace(a_hit(RU, item=n), rank_score=score) for n, score in enumerate(scores)]
    assert seen("Гарантия?", *hits).lead == pytest.approx(4.0)
    assert seen("Гарантия?", hits[0]).lead == 6.0 - NEXT_BY_CHANCE
    beside = replace(hits[1], rank_score=-20.0)
    assert seen("Гарантия?", hits[0], beside).lead == 6.0 - NEXT_BY_CHANCE


@pytest.mark.spec("R16")
def test_the_best_sentence_counts_by_meaning_and_words_of_the_best_item() -> None:
    best, other = a_hit("Гарантия два года. Нужен чек."), a_hit("Насос шумит.", item=2)
    near = seen("Гарантия?", best, other, cosines={0: 0.9, 1: 0.8, 2: 0.95})
    far = seen("Гарантия?", best, other, cosines={0: 0.8, 1: 0.8, 2: 0.95})
    assert near.sentence - far.sentence == pytest.approx(0.1 * 25)
    assert near.likeness == far.likeness == pytest.approx(0.15 * 25)
    assert near.drop == pytest.approx((0.95 - 0.85) * 25)


@pytest.mark.spec("R6", "R16")
def test_without_compared_sentences_what_is_typical_stands_for_them() -> None:
    near, far = (replace(a_hit(RU, cosine=0.9), z=z) for z in (6.0, 1.0))
    assert seen("Гарантия?", near).likeness > seen("Гарантия?", far).likeness
    assert seen("Гарантия?", near).sentence > seen("Гарантия?", far).sentence
    assert seen("Гарантия?", a_hit(RU)).meaning is None


@pytest.mark.spec("R4")
def test_likeness_of_unrelated_texts_is_none_in_every_model() -> None:
    rng = np.random.default_rng(0)
    for offset in (0.1, 2.0):
        raw = rng.normal(size=(400, 16)) + offset
        vectors = (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)
        mean = vectors.mean(axis=0)
        centred = vectors - mean
        card = ModelCard(f"m{offset}", 16, 512, "0" * 64, mean, centred.T @ centred / 400)
        chance = chance_of(card)
        likeness = [
            chance.z(float(a @ b)) for a, b in zip(vectors[::2], vectors[1::2], strict=True)
        ]
        assert abs(float(np.mean(likeness))) < 0.2
        assert 0.8 < float(np.std(likeness)) < 1.2
