"""The port to embedding models: what a model is, and what it does for us."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from svod.foundation.errors import Unavailable

Vectors = NDArray[np.float32]
"""float32, shape (texts, dimensions), unit length, in the order the texts were given."""


class Purpose(StrEnum):
    """What a text is embedded for; some models embed questions and passages differently.

    STORE is a passage to keep; RENEW one that is found already, whose vector of another model is
    made in the background; COMPARE a passage that someone waits for, to set it beside his question
    now; ASK is the question. The last two overtake the others, and STORE overtakes RENEW.
    """

    STORE = "store"
    RENEW = "renew"
    COMPARE = "compare"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What must be known of a model to use its vectors.

    `name` changes whenever the vectors would: it holds the model, its precision and the prefix of
    its sha256. `prior_mean` (dimensions,) and `prior_covariance` (dimensions, dimensions) are the
    moments of its vectors on mixed Russian and English text, used while a workspace holds few;
    `prior_vectors` is how many vectors of a workspace they count for.
    """

    name: str
    dimensions: int
    max_tokens: int
    sha256: str
    prior_mean: NDArray[np.float32]
    prior_covariance: NDArray[np.float32]
    prior_vectors: int = 500


class Embedder(Protocol):
    """Turns texts into vectors that compare by cosine."""

    @property
    def card(self) -> ModelCard:
        """Which model this is.

        Raises:
            ModelNotLearned: it has to answer once before that is known; `warm` asks it.
        """
        ...

    @property
    def max_tokens(self) -> int:
        """How much of a text it reads, with prefix and markers; known before the card."""
        ...

    @property
    def ready(self) -> bool:
        """Whether it answers without loading first."""
        ...

    @property
    def trouble(self) -> Unavailable | None:
        """Why it does not answer, as it last failed; None while all is well."""
        ...

    async def warm(self) -> None:
        """Make it ready; returns when it is.

        Raises:
            Unavailable: it cannot be loaded or does not answer.
        """
        ...

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """Turn texts into unit vectors, shape (len(texts), dimensions); questions overtake.

        A text longer than `max_tokens` is cut at the end.

        Raises:
            Unavailable: the model cannot be loaded, or does not answer.
        """
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text as the model counts them, without prefix and markers; any thread."""
        ...

    async def aclose(self) -> None:
        """Put the model away; those who wait are failed."""
        ...
