"""Whether two sentences say the same, by meaning: what a model wrote, and what it cites."""

import asyncio
from collections.abc import Sequence

from svod.foundation.errors import Unavailable
from svod.foundation.providers.embedding import Embedder, Purpose, Vectors
from svod.knowledge.retrieval.ranking import Moments, standard

E5_SAYS_THE_SAME = 0.86
"""The cosine from which the built-in model takes two sentences for one.

Over 378 sentences of 70 xquad paragraphs it keeps 90 % of true translations; of the other sentences
of the same paragraph it takes 1.3 % for one, and of the likeliest of them 6 %.
"""
SAYS_THE_SAME = 5.0
"""The same in deviations, for models whose cosines were not measured; it parts less well."""
LONGEST_CHECK_S = 5.0
"""A sentence that waits longer for being compared counts as not supported."""
_E5 = "e5-small"


class Closeness:
    """Compares for one answer; what was embedded for a sentence serves the next."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}

    async def of(self, sentence: str, texts: Sequence[str]) -> list[float]:
        """How nearly a sentence says what each text says: from 1 on it says the same.

        Empty where that cannot be had in time.
        """
        if self._embedder is None or not texts:
            return []
        new = [text for text in dict.fromkeys([sentence, *texts]) if text not in self._known]
        try:
            async with asyncio.timeout(LONGEST_CHECK_S):
                vectors = await self._embedder.embed(new, purpose=Purpose.COMPARE)
        except (TimeoutError, Unavailable):
            return []
        self._known |= zip(new, vectors, strict=True)
        card, mine = self._embedder.card, self._known[sentence]
        cosines = [float(self._known[text] @ mine) for text in texts]
        if _E5 in card.name:
            return [cosine / E5_SAYS_THE_SAME for cosine in cosines]
        measure = standard(mine, Moments.of_card(card))
        return [measure.z(cosine) / SAYS_THE_SAME for cosine in cosines]
