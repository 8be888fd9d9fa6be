"""From raw strengths to a score that means the same for every model: 0.5 is an even chance."""

import math
from dataclasses import dataclass

from svod.knowledge.retrieval.plan import Mode

DEFAULT = "default"
"""The name of the fits that ship; a collection's own fit will say so."""
SCORE_DIGITS = 4
"""Scores are rounded before they are compared, so that a threshold read off a hit keeps it."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A logistic curve over the raw strengths of a hit."""

    intercept: float
    words: float
    z: float

    def score(self, *, words: float, z: float) -> float:
        """How likely such a hit is relevant, 0..1."""
        strength = self.intercept + self.words * words + self.z * z
        # The logistic curve, written so that no strength overflows.
        return round((1 + math.tanh(strength / 2)) / 2, SCORE_DIGITS)


WORDS = Fit(intercept=-3.0, words=8.0, z=0.0)
"""Hits that only words found, or that have no vector yet."""
BOTH = Fit(intercept=-5.0, words=4.0, z=1.0)
MEANING = Fit(intercept=-4.0, words=0.0, z=1.0)


def score(*, mode: Mode, words: float, z: float | None) -> float:
    """The calibrated relevance of a hit.

    Args:
        mode: what ranked.
        words: its words over the best the query could reach, 0..1.
        z: its standardised cosine; None where it has no vector or none was asked for.
    """
    if z is None:
        return WORDS.score(words=words, z=0.0)
    fit = MEANING if mode is Mode.MEANING else BOTH
    return fit.score(words=words, z=z)
