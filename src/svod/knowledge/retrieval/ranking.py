"""How hits are ordered: `4·words + z`.

`words` is BM25 over the best that the query could reach, 0..1. `z` is the cosine standardised by
the moments of the vectors it was found among, so that it means the same for every model and
collection. The sum is as good as any fit of many features that was tried, and unlike ranks it
keeps how strong a match was.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from svod.foundation.providers.embedding import ModelCard
from svod.knowledge.indexing.words import K1

WORDS_WEIGHT = 4.0
"""Full words weigh as much as four deviations of meaning; the same on every set tried."""
BEST_WEIGHT = K1 + 1
"""What the weight of a term tends to, the more often it occurs in a chunk."""
_LEAST_VARIANCE = 1e-8

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean (d,) and covariance (d, d) of the vectors that a query is compared with."""

    mean: Vector
    covariance: Vector

    @classmethod
    def of_card(cls, card: ModelCard) -> "Moments":
        """Those that come with a model, for where there are no vectors yet."""
        return cls(card.prior_mean, card.prior_covariance)

    def shrunk(self, card: ModelCard, *, vectors: int) -> "Moments":
        """These, measured on `vectors` vectors, drawn towards those of the card.

        So strongly that three notes do not divide by zero.
        """
        share = np.float32(vectors / (vectors + card.prior_vectors))
        rest = np.float32(1) - share
        return Moments(
            (share * self.mean + rest * card.prior_mean).astype(np.float32),
            (share * self.covariance + rest * card.prior_covariance).astype(np.float32),
        )


@dataclass(frozen=True, slots=True)
class Standard:
    """What a query's cosines are measured against: `z = (cosine - expected) * precision`."""

    expected: float
    precision: float

    def z(self, cosine: float) -> float:
        """How many deviations a cosine lies above what this query has with any text."""
        return (cosine - self.expected) * self.precision


def standard(query: Vector, moments: Moments) -> Standard:
    """The standard of a query among vectors with these moments."""
    variance = float(query @ moments.covariance @ query)
    return Standard(float(query @ moments.mean), max(variance, _LEAST_VARIANCE) ** -0.5)
