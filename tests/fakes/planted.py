"""An embedder whose vectors a test plants, and which can be late or gone."""

import asyncio
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from svod.foundation.providers.embedding import ModelCard, Purpose, Vectors
from svod.foundation.providers.errors import ModelFailed, ModelNotLoaded

DIMENSIONS = 8


def planted_card(name: str = "planted") -> ModelCard:
    """A card of 8 dimensions whose cosines spread like those of a small model: around 0 by 0.1."""
    return ModelCard(
        name=name,
        dimensions=DIMENSIONS,
        max_tokens=512,
        sha256="0" * 64,
        prior_mean=np.zeros(DIMENSIONS, np.float32),
        prior_covariance=np.eye(DIMENSIONS, dtype=np.float32) * np.float32(0.01),
    )


def direction(*weights: float) -> NDArray[np.float32]:
    """A unit vector along the first axes, each by its weight."""
    vector = np.zeros(DIMENSIONS, np.float32)
    vector[: len(weights)] = weights
    return vector / np.float32(np.linalg.norm(vector))


class PlantedEmbedder:
    """Gives each text the vector of the first planted word that occurs in it, else the last axis."""

    def __init__(self, name: str = "planted", **vectors: NDArray[np.float32]) -> None:
        self.card = planted_card(name)
        self.vectors = vectors
        self.ready = True
        self.max_tokens = self.card.max_tokens
        self.is_gone = False
        self.failure: ModelFailed = ModelNotLoaded(reason="gone")
        self.held: asyncio.Event | None = None
        self.began = asyncio.Event()
        self.asked: list[str] = []

    @property
    def trouble(self) -> ModelFailed | None:
        """Why it does not answer."""
        return self.failure if self.is_gone else None

    async def warm(self) -> None:
        """Nothing is to be loaded; fails while it is gone."""
        if self.is_gone:
            raise self.failure

    async def aclose(self) -> None:
        """Nothing is to be put away."""

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """Planted vectors; waits while `held` is set to an event, fails while it is gone."""
        if purpose is Purpose.ASK:
            self.asked.extend(texts)
        self.began.set()
        if self.held is not None:
            await self.held.wait()
        if self.is_gone:
            raise self.failure
        return np.stack([self._vector(text) for text in texts])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """As many as words."""
        return [len(text.split()) for text in texts]

    def _vector(self, text: str) -> NDArray[np.float32]:
        for word, vector in self.vectors.items():
            if word in text:
                return vector
        return np.eye(DIMENSIONS, dtype=np.float32)[-1]
