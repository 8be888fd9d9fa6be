"""Whether what was found is enough to answer from.

A simple rule for now: the calibrated score of the best hit, and in the question's own language
also the words of the question that the first hits lack. Measured in memory with the product's
analyzer, weights, model, moments and default calibration; 250 questions of each xquad pair, each
paragraph once among those removed, a quarter at a time; unanswerable_en over 375 of its documents:

    questions over                 refused though answerable   refused of unanswerable
    xquad_en, same language        0.00                        0.50
    xquad_ru, same language        0.05                        0.74
    unanswerable_en                0.00                        0.69
    xquad_en over other texts      -                           0.80
    other questions over xquad_en  -                           0.93
    xquad_en over Russian          0.01                        0.09
    xquad_ru over English          0.04                        0.28

Across languages only meaning speaks, and by the score alone it parts answerable from unanswerable
poorly (0.82 of pairs), so there it refuses little rather than wrongly. Where the best hit has no
vector, words alone are trusted further down: at `WEAKEST_OF_WORDS` they refuse 0.02 of answerable
English and 0.06 of Russian questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from svod.conversation.answering.candidates import Candidate
from svod.conversation.answering.wording import language_of
from svod.knowledge.indexing.words import query_words, words
from svod.knowledge.retrieval import Found, Hit

WEAKEST = 0.35
"""Below this calibrated score a best hit in the question's language is about something else."""
DOUBTFUL = 0.5
"""Below this, two thirds of the question's words must be among the first hits."""
WORDS_MISSING = 1 / 3
"""The share of the question's words whose lack makes a doubtful hit too little."""
WEAKEST_OF_WORDS = 0.28
"""The same as `WEAKEST` for a hit that has no vector."""
WEAKEST_ACROSS = 0.12
"""The same as `WEAKEST` for a hit in another language, where no words can match."""
FIRST_HITS = 5


def default_threshold(languages: str, basis: str) -> float:  # noqa: ARG001
    """The least strength that is enough where nothing was judged."""
    return WEAKEST


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether to answer.

    `strength` is how likely the evidence holds an answer, 0..1; what reaches `threshold` is enough.
    `reason` is why not, as a stable word; `missing` are the asker's words that the first hits lack,
    as he typed them; `nearest` is the best hit.
    """

    enough: bool
    reason: str | None
    nearest: Hit | None
    strength: float = 0.0
    threshold: float = 0.0
    missing: tuple[str, ...] = ()


def judge(asked: str, found: Found, candidates: Sequence[Candidate]) -> Verdict:  # noqa: ARG001
    """Whether the evidence can hold an answer at all.

    `reason` is `nothing_found`, `weak` (the best hit is about something else) or `words_missing`.

    Args:
        asked: the question as it was searched for.
        found: the hits.
        candidates: what could be said of them, with the cosines that are known.
    """
    if not found.hits:
        return Verdict(enough=False, reason="nothing_found", nearest=None)
    best = found.hits[0]
    reason = _why_not(asked, found, best)
    strength = best.score
    return Verdict(enough=reason is None, reason=reason, nearest=best, strength=strength)


def _why_not(question: str, found: Found, best: Hit) -> str | None:
    across = language_of(best.text) is not language_of(question)
    if best.cosine is None:
        return "weak" if best.score < WEAKEST_OF_WORDS else None
    if across:
        return "weak" if best.score < WEAKEST_ACROSS else None
    if best.score < WEAKEST:
        return "weak"
    doubtful = best.score < DOUBTFUL and found.used_words
    return "words_missing" if doubtful and _missing(question, found) >= WORDS_MISSING else None


def _missing(question: str, found: Found) -> float:
    """The share of the question's words that none of the first hits holds."""
    asked = set(query_words(question).terms)
    held = {
        word.term
        for hit in found.hits[:FIRST_HITS]
        for word in words("\n".join((hit.title, *hit.heading_path, hit.header, hit.text)))
    }
    return len(asked - held) / len(asked) if asked else 0.0
