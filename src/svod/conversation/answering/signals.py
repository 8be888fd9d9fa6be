"""What the evidence of a question looks like, in the few numbers that the gate weighs.

None of them depends on the size of a collection or on the scale of a model, so that what was
learned on some collections holds for others: 16 more were tried, and each made the gate better
where it was fitted and worse elsewhere.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from svod.conversation.answering.asking import without_asking
from svod.conversation.answering.candidates import Candidate
from svod.conversation.answering.sounds import sounds_like
from svod.knowledge.indexing.words import query_words, words
from svod.knowledge.retrieval import Hit
from svod.knowledge.retrieval.ranking import WORDS_WEIGHT

FIRST_HITS = 5
WORDS_OF_SENTENCE = 2.3
"""All words of a question in one sentence are worth so many deviations of its meaning."""
NEXT_BY_CHANCE = 1.0
"""The rank score that the next hits have at least wherever there is much to find: without it a hit
that has little beside it would lead without saying anything."""
NEXT_SENTENCES = 5
TYPICAL_DROP = 0.9
"""How far, in deviations, the best sentence stands above the next ones in general."""
_LIKENESS_OF_Z = (-0.65, 0.45)
"""A best sentence's likeness from the best hit's z, where no sentence was compared."""

_TOKEN = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Signals:
    """The evidence in numbers.

    Attributes:
        lead: how far the best hit's rank score lies above the next four.
        meaning: the highest z among the first hits, how far their meaning stands out; None without
            vectors.
        sentence: the best sentence of the best hit's item, by meaning and words together.
        likeness: the most that a sentence of the evidence is like the question.
        drop: by how much that exceeds the next sentences: an answer stands alone.
        names: the share of the question's names and numbers among the first hits, 1 without any.
        names_heard: the same in the best hit, also as written in the other alphabet.
        words: the share of the question's words among the first hits.
        words_lead: `lead` by words alone.
        words_best: the most of the question's weight that one sentence holds, 0..1.
        missing: the words that the first hits lack, as typed, names and numbers first.
    """

    lead: float
    meaning: float | None
    sentence: float
    likeness: float
    drop: float
    names: float
    names_heard: float
    words: float
    words_lead: float
    words_best: float
    missing: tuple[str, ...]


def signals_of(asked: str, hits: Sequence[Hit], candidates: Sequence[Candidate]) -> Signals:
    """The signals of at least one hit; reads the first hits' words, so for a thread."""
    first = sorted(hits[:FIRST_HITS], key=lambda hit: -hit.rank_score)
    held = [frozenset(word.term for word in words(_read(hit))) for hit in first]
    there = frozenset[str]().union(*held)
    question = _Question.of(asked)
    meaning = max((hit.z for hit in first if hit.z is not None), default=None)
    typical = _LIKENESS_OF_Z[0] + _LIKENESS_OF_Z[1] * (meaning or 0.0)
    compared = sorted(
        (one.likeness for one in candidates if one.likeness is not None), reverse=True
    )
    best = hits[0]
    return Signals(
        lead=_lead([hit.rank_score for hit in first], floor=NEXT_BY_CHANCE),
        meaning=meaning,
        sentence=max(
            (
                (typical if one.likeness is None else one.likeness) + WORDS_OF_SENTENCE * one.words
                for one in candidates
                if one.hit.item_id == best.item_id and (one.likeness is not None or not compared)
            ),
            default=typical,
        ),
        likeness=compared[0] if compared else typical,
        drop=_drop(compared),
        names=_share(question.names, there),
        names_heard=_heard(question.typed_names, best),
        words=_share(question.terms, there),
        words_lead=_lead([WORDS_WEIGHT * hit.words for hit in first], floor=0.0),
        words_best=max((one.words for one in candidates), default=0.0),
        missing=question.missing(there),
    )


@dataclass(frozen=True, slots=True)
class _Question:
    """The words of a question; `typed` gives each term as it was typed."""

    terms: tuple[str, ...]
    names: frozenset[str]
    typed_names: tuple[str, ...]
    typed: dict[str, str]

    @classmethod
    def of(cls, asked: str) -> "_Question":
        terms = query_words(without_asking(asked)).terms
        typed: dict[str, str] = {}
        for word in words(asked):
            if word.term in terms:
                typed.setdefault(word.term, asked[word.start : word.end])
        typed_names = tuple(_names(asked))
        names = frozenset(word.term for name in typed_names for word in words(name))
        return cls(terms, names & frozenset(terms), typed_names, typed)

    def missing(self, there: frozenset[str]) -> tuple[str, ...]:
        """The words that are not there, as typed; names and numbers first."""
        lacking = [term for term in self.terms if term not in there and term in self.typed]
        lacking.sort(key=lambda term: term not in self.names)
        return tuple(dict.fromkeys(self.typed[term] for term in lacking))


def _names(asked: str) -> Iterable[str]:
    """Words with a capital that no sentence's start gives them, and words with digits."""
    for match in _TOKEN.finditer(asked):
        token = match[0]
        starts = not asked[: match.start()].rstrip(' «"“(') or asked[
            : match.start()
        ].rstrip().endswith((".", "!", "?"))
        if any(letter.isdigit() for letter in token) or (
            token[0].isupper() and len(token) > 1 and not starts
        ):
            yield token


def _heard(names: Sequence[str], hit: Hit) -> float:
    """The share of the names that stand in a hit, or sound like a word of it."""
    if not names:
        return 1.0
    there = {match[0].casefold() for match in _TOKEN.finditer(_read(hit))}
    return sum(
        name.casefold() in there or sounds_like(name.casefold(), there) for name in names
    ) / len(names)


def _share(asked: Iterable[str], there: frozenset[str]) -> float:
    wanted = frozenset(asked)
    return len(wanted & there) / len(wanted) if wanted else 1.0


def _lead(scores: Sequence[float], *, floor: float) -> float:
    """How far the first of some scores lies above the mean of the rest, each at least `floor`."""
    rest = [max(score, floor) for score in scores[1:]]
    rest += [floor] * (FIRST_HITS - 1 - len(rest))
    return scores[0] - sum(rest) / len(rest)


def _drop(best_first: Sequence[float]) -> float:
    rest = best_first[1 : 1 + NEXT_SENTENCES]
    return best_first[0] - float(np.mean(rest)) if rest else TYPICAL_DROP


def _read(hit: Hit) -> str:
    return "\n".join((hit.title, *hit.heading_path, hit.header, hit.text))
