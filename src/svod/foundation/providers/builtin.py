"""The built-in model as an `Embedder`."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from svod.foundation.providers.cores import usable_cores
from svod.foundation.providers.e5.card import DIMENSIONS, MAX_TOKENS, card
from svod.foundation.providers.e5.model import Model
from svod.foundation.providers.embedding import ModelCard, Purpose, Vectors
from svod.foundation.providers.local import LocalEmbedder


class BuiltinEmbedder(LocalEmbedder):
    """multilingual-e5-small in 8 bits; its files are made in `folder` at first use."""

    def __init__(self, *, folder: Path, cores: int | None = None) -> None:
        """Remember where; nothing is loaded yet.

        Args:
            folder: where the model's files are kept, made when missing; 90 MB.
            cores: threads of computation; as many as the process may use by default.
        """
        super().__init__(
            Model(folder, cores=cores or usable_cores()),
            query_prefix="query: ",
            passage_prefix="passage: ",
            max_tokens=MAX_TOKENS,
        )

    @property
    def card(self) -> ModelCard:
        """Which model this is; known before it is loaded."""
        return card()

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """Turn texts into unit vectors, shape (len(texts), 384), in the order given.

        The same text gives the same vector in any company (to some 1e-6). A text over 512
        tokens, prefix counted, is cut at the end.

        Raises:
            Unavailable: the model cannot be loaded or was closed.
        """
        if not texts:
            return np.zeros((0, DIMENSIONS), np.float32)
        return await self.vectors_of(list(texts), purpose)
