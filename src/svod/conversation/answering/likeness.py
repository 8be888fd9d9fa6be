"""How alike two texts are by meaning, in a measure that every model shares.

Cosines of unrelated texts lie around 0.1 in one model and around 0.8 in another. What they have in
common by chance, and how much that varies, follows from the moments that ship with a model's card.
"""

from functools import lru_cache

import numpy as np

from svod.foundation.providers.embedding import ModelCard
from svod.knowledge.retrieval.ranking import Standard

_LEAST_VARIANCE = 1e-8


def chance_of(card: ModelCard) -> Standard:
    """The standard of the cosine of two texts that have nothing to do with each other.

    For x and y drawn alike, with mean m and covariance S, x·y has the mean m·m and the variance
    2·m'Sm + tr(S²).
    """
    return _chance(_Keyed(card))


class _Keyed:
    """A card by its name, which changes with its moments; arrays cannot be keys."""

    def __init__(self, card: ModelCard) -> None:
        self.card = card

    def __hash__(self) -> int:
        return hash(self.card.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and other.card.name == self.card.name


@lru_cache(maxsize=16)
def _chance(keyed: _Keyed) -> Standard:
    mean = keyed.card.prior_mean.astype(np.float64)
    covariance = keyed.card.prior_covariance.astype(np.float64)
    variance = 2 * float(mean @ covariance @ mean) + float(np.sum(covariance * covariance.T))
    return Standard(float(mean @ mean), max(variance, _LEAST_VARIANCE) ** -0.5)
