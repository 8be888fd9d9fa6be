"""From raw strengths to a score that means the same for every model: 0.5 is an even chance.

Each curve looks at a hit's `rank_score` and at how far it lies below the best hit of its search, so
scores fall in the order of the hits. The default curves were fitted by `bench/calibrate.py` on the
first ten hits of 300 questions each of xquad_ru, xquad_en, both across languages, banking77 and
StackFAQ, with each question asked a second time, at a third of the weight, as if its answer were
missing. Their expected calibration error, pooled and as the mean over sets that were kept out:
words and meaning 0.004 and 0.12, meaning 0.013 and 0.14, words 0.04 and 0.12. On prose it is
0.04 to 0.22, worst for sets whose first hit is nearly always right; a collection's own judged
questions do better, and correct these (`fits`).
"""

import math
from dataclasses import dataclass

from svod.foundation.ids import WorkspaceId

DEFAULT = "default"
"""The name of the fits that ship."""
JUDGED = "judged"
"""The name of a collection's own fit, made from its judged questions."""
SCALES = "v2"
"""Names the gate's strength and the default curves; a change of either changes it."""
WORDS_ALONE = "words"
_NEAREST = 1e-4
"""Scores of 0 and 1 have no logit."""
SCORE_DIGITS = 4
"""Scores are rounded before they are compared, so that a threshold read off a hit keeps it."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A logistic curve over a hit's rank score and its distance from the best one."""

    intercept: float
    rank: float
    gap: float

    def score(self, rank_score: float, *, best: float) -> float:
        """How likely such a hit is relevant, 0..1, when the best one has `best`."""
        strength = self.intercept + self.rank * rank_score + self.gap * (rank_score - best)
        # The logistic curve, written so that no strength overflows.
        return round((1 + math.tanh(strength / 2)) / 2, SCORE_DIGITS)


BOTH = Fit(intercept=-2.649, rank=0.594, gap=1.080)
MEANING = Fit(intercept=-1.541, rank=0.461, gap=2.219)
WORDS = Fit(intercept=-2.058, rank=1.518, gap=2.540)


def default_fit(*, used_words: bool, used_meaning: bool) -> Fit:
    """The curve for what ranked."""
    if not used_meaning:
        return WORDS
    return BOTH if used_words else MEANING


@dataclass(frozen=True, slots=True)
class CollectionFit:
    """Fitted to the judged questions of a collection, in one pair of languages (`ru-en`).

    A collection is a level and a namespace. The fit holds for the gate, the default curves and the
    model that it was made with.
    `threshold` is the least strength of evidence that is enough, None where too few were judged;
    `intercept` and `slope` turn the logit of a default score into that of the collection.
    """

    workspace_id: WorkspaceId
    level: str
    namespace: str
    languages: str
    threshold: float | None
    intercept: float
    slope: float

    def score(self, default: float) -> float:
        """The score of a hit whose default score this is."""
        known = min(max(default, _NEAREST), 1 - _NEAREST)
        logit = self.intercept + self.slope * math.log(known / (1 - known))
        return round((1 + math.tanh(logit / 2)) / 2, SCORE_DIGITS)


def basis_of(card: str | None) -> str:
    """The name of the scales that fits are made on; `card` is the model's, None for words alone."""
    return f"{SCALES}:{card or WORDS_ALONE}"
