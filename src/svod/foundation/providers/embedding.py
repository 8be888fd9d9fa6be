"""The port to embedding models: what a model is, and what it does for us."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""float32, shape (texts, dimensions), unit length, in the order the texts were given."""


class Purpose(StrEnum):
    """What a text is embedded for; some models embed questions and passages differently.

    STORE is a passage to keep; COMPARE a passage that someone waits for, to set it beside his
    question now; ASK is the question. The last two overtake the first.
    """

    STORE = "store"
    COMPARE = "compare"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What must be known of a model to use its vectors.

    `name` changes whenever the vectors would: it holds the model, its precision and the prefix of
    its sha256. `prior_mean` (dimensions,) and `prior_covariance` (dimensions, dimensions) are the
    moments of its vectors on mixed Russian and English text, used while a workspace holds few.
    """

    name: str
    dimensions: int
    max_tokens: int
    sha256: str
    prior_mean: NDArray[np.float32]
    prior_covariance: NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors that compare by cosine."""

    @property
    def card(self) -> ModelCard:
        """Which model this is; known before it is loaded."""
        ...

    @property
    def ready(self) -> bool:
        """Whether it answers without loading first."""
        ...

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """Turn texts into unit vectors, shape (len(texts), dimensions); questions overtake.

        A text longer than `card.max_tokens` is cut at the end.

        Raises:
            Unavailable: the model cannot be loaded.
        """
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as the model counts them, without prefix and markers; any thread."""
        ...
