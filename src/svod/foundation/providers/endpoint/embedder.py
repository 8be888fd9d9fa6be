"""An OpenAI-compatible endpoint as an `Embedder`."""

import asyncio
import json
from collections.abc import Sequence

import numpy as np

from svod.foundation.errors import Unavailable
from svod.foundation.providers.embedding import ModelCard, Purpose, Vectors
from svod.foundation.providers.endpoint.calling import HURRIED, PATIENT, Calling, Patience
from svod.foundation.providers.endpoint.reply import vectors_of
from svod.foundation.providers.endpoint.turns import Turns
from svod.foundation.providers.errors import (
    EndpointFailed,
    EndpointRefused,
    EndpointUnreachable,
    ModelNotLearned,
)
from svod.foundation.providers.learning import fingerprint, learned_card
from svod.foundation.providers.probes import PROBES
from svod.foundation.providers.sources import EndpointSource
from svod.foundation.providers.token_estimates import cut, estimated_tokens

MOST_CALLS = 4
_LEAST_BATCH = 1
_OF_THE_INPUT = {400, 413, 422}
"""Refusals that a smaller or shorter input may not meet."""
_CUTS = 3
_SHORTEST_CUT = 64
_QUIET_S = 3.0
"""After a failure questions are not sent for this long: their searches go on with words at once."""


class EndpointEmbedder:
    """Asks an endpoint for vectors; its card is learned from the first reply.

    A batch that is refused is sent again in halves, and the size that was taken is remembered. A
    question does not wait behind passages.
    """

    def __init__(self, source: EndpointSource, *, first_wait_s: float = 0.5) -> None:
        """Remember where; nothing is sent yet."""
        self._source = source
        self._calling = Calling(
            source.url.rstrip("/") + "/embeddings", source.key, first_wait_s=first_wait_s
        )
        self._turns = Turns(MOST_CALLS)
        self._batch = source.batch
        self._card: ModelCard | None = None
        self._learning = asyncio.Lock()
        self._trouble: Unavailable | None = None
        self._quiet_until = 0.0

    @property
    def card(self) -> ModelCard:
        """Which model this is.

        Raises:
            ModelNotLearned: the endpoint has not answered since this process began.
        """
        if self._card is None:
            raise ModelNotLearned
        return self._card

    @property
    def ready(self) -> bool:
        """Whether it answered before and does not fail now."""
        return self._card is not None and self._trouble is None

    @property
    def trouble(self) -> Unavailable | None:
        """Why the last call failed; None once one succeeds."""
        return self._trouble

    @property
    def max_tokens(self) -> int:
        """How much of a text it reads; known at once."""
        return self._source.max_tokens

    async def warm(self) -> None:
        """Learn what the model is, unless that is known.

        Raises:
            Unavailable: the endpoint does not answer as it should.
        """
        async with self._learning:
            if self._card is None:
                source = self._source
                vectors = await self._vectors(PROBES, Purpose.STORE)
                self._card = learned_card(
                    f"openai:{source.model}",
                    vectors,
                    max_tokens=source.max_tokens,
                    identity=fingerprint(
                        source.model,
                        str(source.dimensions),
                        source.query_prefix,
                        source.passage_prefix,
                        str(source.max_tokens),
                    ),
                )

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """Turn texts into unit vectors in the order given; a text over the limit is cut.

        Raises:
            Unavailable: it does not answer, refuses the key or the texts, or answers unfit.
        """
        if purpose in {Purpose.ASK, Purpose.COMPARE}:
            self._need_hope()
        await self.warm()
        if not texts:
            return np.zeros((0, self.card.dimensions), np.float32)
        return await self._vectors(texts, purpose)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Rather more tokens of each text than the model counts; any thread."""
        return [estimated_tokens(text) for text in texts]

    async def aclose(self) -> None:
        """Let the connections go."""
        await self._calling.close()

    async def _vectors(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        source = self._source
        prefix = source.query_prefix if purpose is Purpose.ASK else source.passage_prefix
        ready = [_sendable(prefix + cut(text, source.max_tokens)) for text in texts]
        parts: list[Vectors] = []
        try:
            start = 0
            while start < len(ready):
                # The cap may fall between two batches.
                part = ready[start : start + self._batch]
                parts.append(await self._batched(part, purpose))
                start += len(part)
        except EndpointFailed as failure:
            if not isinstance(failure, EndpointRefused):
                self._trouble = failure
                self._quiet_until = asyncio.get_running_loop().time() + _QUIET_S
            raise
        self._trouble = None
        return np.concatenate(parts)

    async def _batched(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """The vectors of one batch; in halves, and those in halves again, where it is refused."""
        try:
            return await self._call(texts, purpose)
        except EndpointRefused as refused:
            if refused.facts.get("status") not in _OF_THE_INPUT:
                raise
            if len(texts) == _LEAST_BATCH:
                return await self._shortened(texts[0], purpose, refused)
        middle = -(-len(texts) // 2)
        first = await self._batched(texts[:middle], purpose)
        # The first half was taken, whole or in parts: no larger batch is worth sending again.
        self._batch = max(_LEAST_BATCH, min(self._batch, middle))
        return np.concatenate([first, await self._batched(texts[middle:], purpose)])

    async def _shortened(self, text: str, purpose: Purpose, refused: EndpointRefused) -> Vectors:
        """The vector of a text that alone is refused: our estimate of its tokens fell short."""
        for _ in range(_CUTS):
            if len(text) < 2 * _SHORTEST_CUT:
                break
            text = text[: len(text) // 2]
            try:
                return await self._call([text], purpose)
            except EndpointRefused as again:
                refused = again
        raise refused

    async def _call(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        hurried = purpose in {Purpose.ASK, Purpose.COMPARE}
        asked: dict[str, object] = {
            "model": self._source.model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if self._source.dimensions is not None:
            asked["dimensions"] = self._source.dimensions
        patience: Patience = HURRIED if hurried else PATIENT
        async with self._turns.turn(purpose):
            body = await self._calling.post(json.dumps(asked).encode(), patience)
        known = self._card.dimensions if self._card else self._source.dimensions
        return await asyncio.to_thread(vectors_of, body, texts=len(texts), dimensions=known)

    def _need_hope(self) -> None:
        if self._trouble is not None and asyncio.get_running_loop().time() < self._quiet_until:
            raise type(self._trouble)(**self._trouble.facts)
        if self._card is None and self._learning.locked():
            raise EndpointUnreachable(reason="it has not answered yet")


def _sendable(text: str) -> str:
    """Text that every endpoint takes: no lone surrogates, no NUL, and never empty."""
    clean = text.encode("utf-8", "replace").decode().replace("\0", " ")
    return clean if clean.strip() else "."
