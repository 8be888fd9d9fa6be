"""A folder with a model as an `Embedder`."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from svod.foundation.providers.cores import usable_cores
from svod.foundation.providers.embedding import ModelCard, Purpose, Vectors
from svod.foundation.providers.errors import ModelNotLearned
from svod.foundation.providers.folder.description import About
from svod.foundation.providers.folder.model import Model
from svod.foundation.providers.learning import learned_card
from svod.foundation.providers.local import LocalEmbedder
from svod.foundation.providers.probes import PROBES


class FolderEmbedder(LocalEmbedder):
    """Runs the model of a folder; its card is learned when it is loaded."""

    def __init__(self, path: Path, about: About, *, cores: int | None = None) -> None:
        """Remember where; nothing is loaded yet.

        Args:
            path: the folder.
            about: what its `svod.json` says.
            cores: threads of computation; as many as the process may use by default.
        """
        self._folder = Model(path, cores=cores or usable_cores())
        super().__init__(
            self._folder,
            query_prefix=about.query_prefix,
            passage_prefix=about.passage_prefix,
            max_tokens=about.max_tokens,
        )
        self._name = path.name
        self._card: ModelCard | None = None
        self._learning = asyncio.Lock()

    @property
    def card(self) -> ModelCard:
        """Which model this is.

        Raises:
            ModelNotLearned: it was not loaded yet.
        """
        if self._card is None:
            raise ModelNotLearned
        return self._card

    @property
    def ready(self) -> bool:
        """Whether it answers without loading first."""
        return self._card is not None and self._folder.is_loaded

    async def warm(self) -> None:
        """Load the model and learn what it is.

        Raises:
            Unavailable: it cannot be loaded.
        """
        async with self._learning:
            if self._card is not None:
                return
            vectors = await self.vectors_of(PROBES, Purpose.STORE)
            known = await asyncio.to_thread(self._folder.description)
            self._card = learned_card(
                f"onnx:{self._name}",
                vectors,
                max_tokens=known.about.max_tokens,
                identity=await asyncio.to_thread(known.sha256),
            )

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """Turn texts into unit vectors in the order given; a text over the limit is cut.

        Raises:
            Unavailable: the model cannot be loaded or was closed.
        """
        await self.warm()
        if not texts:
            return np.zeros((0, self.card.dimensions), np.float32)
        return await self.vectors_of(list(texts), purpose)
