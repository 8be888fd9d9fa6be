"""Is what was found enough to answer from?"""

from dataclasses import dataclass

from svod.knowledge.indexing.words import query_words, words
from svod.knowledge.retrieval import Found, Hit

WEAKEST_SCORE = 0.15
"""Below this calibrated score the best hit is about something else."""
DOUBTFUL_SCORE = 0.4
"""Below this, the question's rarest word must be among the first hits."""
FIRST_HITS = 5


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether to answer; `reason` is why not, as a stable word; `nearest` is the best hit."""

    enough: bool
    reason: str | None
    nearest: Hit | None


def judge(question: str, found: Found) -> Verdict:
    """Whether the evidence can hold an answer at all."""
    if not found.hits:
        return Verdict(enough=False, reason="nothing_found", nearest=None)
    best = found.hits[0]
    if best.score < WEAKEST_SCORE:
        return Verdict(enough=False, reason="weak", nearest=best)
    if best.score < DOUBTFUL_SCORE and _missing(question, found):
        return Verdict(enough=False, reason="word_missing", nearest=best)
    return Verdict(enough=True, reason=None, nearest=best)


def _missing(question: str, found: Found) -> bool:
    asked = set(query_words(question).terms)
    held = {
        word.term
        for hit in found.hits[:FIRST_HITS]
        for word in words("\n".join((hit.title, *hit.heading_path, hit.header, hit.text)))
    }
    return bool(asked - held)
