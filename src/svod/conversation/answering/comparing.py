"""Comparing sentences with the question by meaning, for as long as an answer waits for it."""

import asyncio
from collections.abc import Sequence

import numpy as np
import structlog

from svod.conversation.answering.candidates import (
    Candidate,
    candidates,
    compared_text,
    cosines,
    to_compare,
    with_meaning,
)
from svod.conversation.answering.likeness import chance_of
from svod.conversation.answering.remembered import Remembered
from svod.foundation.errors import Unavailable
from svod.foundation.providers.embedding import Embedder, Purpose, Vectors
from svod.knowledge.retrieval import Found, Mode, RetrievalPlan

log = structlog.get_logger()


class Comparing:
    """The meaning model as answers use it."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._remembered = Remembered()

    @property
    def embedder(self) -> Embedder | None:
        """The model itself."""
        return self._embedder

    @property
    def by_meaning(self) -> bool:
        """Whether there is search by meaning at all on this server."""
        return self._embedder is not None

    async def fitting(self, asked: str, plan: RetrievalPlan, found: Found) -> list[Candidate]:
        """What could be said of the hits, the most promising compared with the question."""
        fitting = await asyncio.to_thread(candidates, asked, found.hits)
        # Where the question's own vector came too late, its sentences would only wait once more.
        if plan.mode is not Mode.WORDS and found.used_meaning:
            fitting = await self._compared(asked, fitting, plan.meaning_within_ms)
        return fitting

    async def _compared(
        self, asked: str, fitting: list[Candidate], within_ms: int | None
    ) -> list[Candidate]:
        """The candidates compared with the question by meaning, or as they were if that is late."""
        if self._embedder is None or not fitting:
            return fitting
        batches = await asyncio.to_thread(to_compare, fitting, self._embedder.count_tokens)
        known: dict[int, float] = {}
        try:
            async with asyncio.timeout(None if within_ms is None else within_ms / 1000):
                question = await self._embedder.embed([asked], purpose=Purpose.ASK)
                for few in batches:
                    stored = await self._vectors(self._embedder, [fitting[at] for at in few])
                    known |= zip(few, cosines(question, stored), strict=True)
        except (TimeoutError, Unavailable):
            # The most promising went first: what is known of them still helps.
            log.info("comparison cut short", candidates=len(fitting), compared=len(known))
        return with_meaning(fitting, known, chance_of(self._embedder.card)) if known else fitting

    async def _vectors(self, embedder: Embedder, few: Sequence[Candidate]) -> Vectors:
        """The vectors of some candidates, in their order; those compared lately are remembered."""
        texts = [(one.hit.workspace_id, compared_text(one)) for one in few]
        card = embedder.card.name
        vectors = self._remembered.known(card, texts)
        new = [text for text in dict.fromkeys(texts) if text not in vectors]
        if new:
            made = await embedder.embed([text for _, text in new], purpose=Purpose.COMPARE)
            fresh = dict(zip(new, made, strict=True))
            self._remembered.keep(card, fresh)
            vectors |= fresh
        return np.stack([vectors[text] for text in texts])
