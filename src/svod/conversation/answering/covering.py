"""The fewest places that hold everything a sentence says."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from svod.conversation.answering.citing import Quoted
from svod.conversation.answering.evidence import Piece
from svod.conversation.answering.support import Fact, lacks
from svod.conversation.answering.wording import language_of
from svod.knowledge.indexing.words import query_words, words

MOST_PLACES = 3
"""Places that one sentence may rest on in all: more would not show where it comes from."""
WORDS_ENOUGH = 0.5
"""The share of a sentence's words that its places must hold, in the same language."""
CLAUSE_ENOUGH = 1 / 3
"""The same for each clause of it, so that nothing is hung onto what is true."""
CLAUSE_WORDS = 2
TRIED_FIRST = 3
"""Places that are tried as the one a sentence mostly rests on."""
TRIED = 16
"""Places that are looked at for what the first one lacks."""

_CLAUSE = re.compile(
    r"[,;:()—–]|\s(?:и|а|но|или|поэтому|and|but|or|so|while|because)\s", re.IGNORECASE
)


@dataclass(frozen=True)
class Ground:
    """A sentence, list line or row of a piece, with the places it consists of."""

    piece: Piece
    n: int
    quoted: tuple[Quoted, ...]

    @cached_property
    def terms(self) -> frozenset[str]:
        """The words of it."""
        return frozenset(word.term for text in self.texts for word in words(text))

    @property
    def texts(self) -> list[str]:
        """What stands there."""
        return [text for _, text in self.quoted]


def asked_terms(sentence: str) -> frozenset[str]:
    """The words of a sentence that say something."""
    return frozenset(query_words(sentence).terms)


def by_words(sentence: str, cited: Sequence[Ground]) -> list[Ground] | None:
    """The places that say a sentence in its own words; None where they do not."""
    asked = asked_terms(sentence)
    language = language_of(sentence)
    ranked = sorted(
        (one for one in cited if language_of(" ".join(one.texts)) is language),
        # Of places with the same words the shortest shows best where they stand.
        key=lambda one: (-len(asked & one.terms), sum(map(len, one.texts))),
    )
    chosen = covering(sentence, ranked)
    if not asked or chosen is None:
        return None
    held = _terms(chosen)
    if len(asked & held) < WORDS_ENOUGH * len(asked):
        return None
    return chosen if all(_holds(clause, held) for clause in _CLAUSE.split(sentence)) else None


def hung_on(sentence: str, cited: Sequence[Ground]) -> list[str]:
    """The clauses of a sentence of which the words stand nowhere in the cited places.

    None where the places are in another language, or the sentence is of one clause.
    """
    language = language_of(sentence)
    same = [one for one in cited if language_of(" ".join(one.texts)) is language]
    clauses = [clause for clause in _CLAUSE.split(sentence) if clause.strip()]
    if not same or len(clauses) < 2:  # noqa: PLR2004 - a sentence of one clause stands as it is
        return []
    held = _terms(same)
    return [clause.strip() for clause in clauses if not _holds(clause, held)]


def covering(sentence: str, ranked: Sequence[Ground]) -> list[Ground] | None:
    """As few places as hold every fact of a sentence, of those ranked by how well they fit it.

    None where some number, date, name or negation stands in none. A place that fits better than
    others and denies the sentence, or affirms what it denies, is not passed over.
    """
    asked = asked_terms(sentence)
    for first in ranked[:TRIED_FIRST]:
        chosen = _grown(sentence, asked, first, ranked[:TRIED])
        if not lacks(sentence, _texts(chosen)):
            return chosen
        if any(lack.fact is Fact.NEGATION for lack in lacks(sentence, first.texts)):
            return None
    return None


def with_others(sentence: str, chosen: Sequence[Ground], cited: Sequence[Ground]) -> list[Ground]:
    """The places, and for each other piece that was cited the one that says the same."""
    asked = asked_terms(sentence)
    kept = list(chosen)
    for n in dict.fromkeys(one.n for one in cited):
        if not asked or len(kept) >= MOST_PLACES or any(one.n == n for one in kept):
            continue
        best = max((one for one in cited if one.n == n), key=lambda one: len(asked & one.terms))
        enough = len(asked & best.terms) >= WORDS_ENOUGH * len(asked)
        if enough and not lacks(sentence, _texts([*kept, best])):
            kept.append(best)
    return kept


def _grown(
    sentence: str, asked: frozenset[str], first: Ground, pool: Sequence[Ground]
) -> list[Ground]:
    """A place with those that add the facts it lacks, or words where it has too few."""
    chosen = [first]
    lacking = len(lacks(sentence, _texts(chosen)))
    while len(chosen) < MOST_PLACES:
        held = asked & _terms(chosen)
        if not lacking and len(held) >= WORDS_ENOUGH * len(asked):
            break
        rated = [
            (len(lacks(sentence, _texts([*chosen, one]))), -len(asked & one.terms - held), at)
            for at, one in enumerate(pool)
            if one not in chosen
        ]
        if not rated:
            break
        fewest, new_words, at = min(rated)
        if fewest > lacking or (fewest == lacking and (lacking or not new_words)):
            break
        chosen.append(pool[at])
        lacking = fewest
    return chosen


def _holds(clause: str, held: frozenset[str]) -> bool:
    said = asked_terms(clause)
    return len(said) < CLAUSE_WORDS or len(said & held) >= CLAUSE_ENOUGH * len(said)


def _texts(grounds: Iterable[Ground]) -> list[str]:
    return [text for ground in grounds for text in ground.texts]


def _terms(grounds: Iterable[Ground]) -> frozenset[str]:
    return frozenset(term for one in grounds for term in one.terms)
