"""What could be said in answer: the units of the evidence, and how well each fits the question."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from svod.conversation.answering.asking import without_asking
from svod.conversation.answering.units import Unit, units
from svod.foundation.providers.embedding import Vectors
from svod.knowledge.indexing.words import query_words, words
from svod.knowledge.retrieval import Hit
from svod.knowledge.retrieval.ranking import Standard

CONTEXT_WEIGHT = 0.5
"""A word in the heading or question above a sentence counts half of one in the sentence."""
WORDS_WEIGHT = 1.0
MEANING_WEIGHT = 0.25
"""Of one standard deviation of the candidates' cosines."""
RANK_WEIGHT = 0.1
"""From the best hit to the last: the place of a chunk says little about its sentences."""
WHOLE_HITS = 3
COMPARED_UNITS = 40
COMPARED_TOKENS = 1_000
"""About 150 ms of the built-in model on two cores."""
BATCH_TOKENS = 350
"""So that a busy machine gives at least the best of them in time."""
COMPARED_CHARACTERS = 800
COMPARED_CONTEXT = 120
"""Of a long unit its beginning is compared, after the question or heading that it stands under."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A unit of a hit, and how well it fits.

    `asked` are the question's terms in it; `words` is 0..1, the share of the question's weight that
    it holds; `cosine` is that with the question, None where it was not compared, `meaning` the same
    standardised among the candidates, and `likeness` in deviations above what any two texts have.
    """

    hit: Hit
    rank: int
    unit: Unit
    terms: frozenset[str]
    asked: frozenset[str]
    words: float
    cosine: float | None = None
    meaning: float | None = None
    likeness: float | None = None
    score: float = 0.0


def candidates(query: str, hits: Sequence[Hit]) -> list[Candidate]:
    """Every unit of the hits with the weight of the question's words in it, in reading order."""
    read = [
        (rank, hit, unit, Counter(word.term for word in words(unit.text)))
        for rank, hit in enumerate(hits)
        for unit in units(hit.text, hit.header)
    ]
    asked = query_words(without_asking(query)).terms
    asked_terms = frozenset(asked)
    rarity = _rarity(asked, [terms for _, _, _, terms in read])
    total = sum(rarity.values()) or 1.0
    found: list[Candidate] = []
    above: dict[str, frozenset[str]] = {}
    for rank, hit, unit, terms in read:
        context = "\n".join((hit.title, *hit.heading_path, unit.context))
        if context not in above:
            above[context] = frozenset(word.term for word in words(context))
        weight = sum(
            value * (1.0 if term in terms else CONTEXT_WEIGHT if term in above[context] else 0.0)
            for term, value in rarity.items()
        )
        held = frozenset(terms)
        found.append(Candidate(hit, rank, unit, held, held & asked_terms, weight / total))
    return found


def _rarity(asked: Sequence[str], read: Sequence[Counter[str]]) -> dict[str, float]:
    """How much each word of the question tells the candidates apart; Source: BM25's idf."""
    holds = {term: sum(term in terms for terms in read) for term in asked}
    return {
        term: math.log(1 + (len(read) - count + 0.5) / (count + 0.5))
        for term, count in holds.items()
    }


def with_meaning(
    found: Sequence[Candidate], cosines: dict[int, float], chance: Standard
) -> list[Candidate]:
    """The candidates with the cosines of some of them, by their place, standardised.

    `chance` is the standard of the cosine of two texts that have nothing in common.
    """
    if not cosines:
        return list(found)
    values = np.fromiter(cosines.values(), dtype=np.float64)
    middle, spread = float(values.mean()), float(values.std()) or 1.0
    return [
        replace(
            one,
            cosine=cosines[at],
            meaning=(cosines[at] - middle) / spread,
            likeness=chance.z(cosines[at]),
        )
        if at in cosines
        else one
        for at, one in enumerate(found)
    ]


def ranked(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates by how well they fit, best first."""
    last = max((one.rank for one in found), default=0) or 1
    lowest = min((one.meaning for one in found if one.meaning is not None), default=0.0)
    scored = [
        replace(
            one,
            score=WORDS_WEIGHT * one.words
            + MEANING_WEIGHT * (lowest if one.meaning is None else one.meaning)
            - RANK_WEIGHT * one.rank / last,
        )
        for one in found
    ]
    return sorted(scored, key=lambda one: -one.score)


def cosines(question: Vectors, stored: Vectors) -> list[float]:
    """The cosine of one question with each of the stored vectors."""
    return [float(value) for value in stored @ question[0]]


def to_compare(
    found: Sequence[Candidate], count_tokens: Callable[[Sequence[str]], list[int]]
) -> list[list[int]]:
    """Places of the candidates worth comparing by meaning, in batches, the most promising first.

    All of the first hits, for across languages words tell nothing; then those with the most words.
    Together they stay within the budget of one answer.
    """
    order = sorted(
        range(len(found)),
        key=lambda at: (0, at) if found[at].rank < WHOLE_HITS else (1, -found[at].words),
    )[:COMPARED_UNITS]
    batches: list[list[int]] = [[]]
    used = in_batch = 0
    counts = count_tokens([compared_text(found[at]) for at in order])
    for at, tokens in zip(order, counts, strict=True):
        if used + tokens > COMPARED_TOKENS:
            continue
        if batches[-1] and in_batch + tokens > BATCH_TOKENS:
            batches.append([])
            in_batch = 0
        batches[-1].append(at)
        used, in_batch = used + tokens, in_batch + tokens
    return [batch for batch in batches if batch]


def compared_text(candidate: Candidate) -> str:
    """The text of a candidate as it is compared by meaning, under what it stands under."""
    unit = candidate.unit
    above = unit.context[:COMPARED_CONTEXT]
    return (
        f"{above}\n{unit.text[:COMPARED_CHARACTERS]}" if above else unit.text[:COMPARED_CHARACTERS]
    )
