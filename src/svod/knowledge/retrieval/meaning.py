"""The query's side of meaning: its vector, in time or not at all, and what its cosines mean."""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from svod.foundation.clock import Clock
from svod.foundation.errors import Unavailable
from svod.foundation.ids import CardId, PrincipalId, WorkspaceId
from svod.foundation.providers.embedding import Embedder, ModelCard, Purpose
from svod.foundation.providers.errors import ModelNotLearned
from svod.foundation.storage import Transaction
from svod.knowledge.retrieval import postgres
from svod.knowledge.retrieval.postgres import MomentsRow, ServingCard
from svod.knowledge.retrieval.ranking import Moments
from svod.knowledge.workspaces import Reading

_CardKey = tuple[WorkspaceId, CardId]
_ReaderKey = tuple[WorkspaceId, PrincipalId, CardId]

LATE = "meaning_late"
UNAVAILABLE = "meaning_unavailable"
OTHER_MODEL = "meaning_other_model"
_COUNTED_AT_ONCE = 5_000
_COUNTED_AGAIN = timedelta(seconds=1)
"""Fewer vectors are counted after every change, more at most once a second."""


@dataclass(frozen=True, slots=True)
class _Measured:
    vectors: int
    moments: Moments


@dataclass(frozen=True, slots=True)
class _Counted:
    changed: int
    with_vector: int
    at: datetime


class Meanings:
    """Embeds queries and knows the moments of the vectors they are compared with."""

    def __init__(self, embedder: Embedder, clock: Clock) -> None:
        self._embedder = embedder
        self._clock = clock
        self._measured: dict[_CardKey, _Measured] = {}
        self._counted: dict[_ReaderKey, _Counted] = {}

    @property
    def is_known(self) -> bool:
        """Whether it is known which model this is: an endpoint has to answer once before."""
        return self._card is not None

    def serves(self, card: ServingCard) -> bool:
        """Whether the vectors that serve are this model's: those of two models never meet."""
        return self._card is not None and card.name == self._card.name

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Drop what is known of a workspace's vectors."""
        self._measured = {
            key: kept for key, kept in self._measured.items() if key[0] != workspace_id
        }
        self._counted = {key: kept for key, kept in self._counted.items() if key[0] != workspace_id}

    async def vector(self, text: str, *, within_ms: int | None) -> NDArray[np.float32] | str:
        """The query's vector, or the note that says why there is none."""
        try:
            async with asyncio.timeout(None if within_ms is None else within_ms / 1000):
                vectors = await self._embedder.embed([text], purpose=Purpose.ASK)
        except TimeoutError:
            return LATE
        except Unavailable:
            return UNAVAILABLE
        return vectors[0]

    async def count(self, tx: Transaction, reading: Reading, card: ServingCard) -> int:
        """How many of the chunks that may be seen have a vector that serves."""
        if card.card_id is None or not card.live:
            return 0
        key, now = (reading.workspace_id, reading.principal_id, card.card_id), self._clock.now()
        kept = self._counted.get(key)
        if kept is None or _is_stale(kept, card.changed, now):
            count = await postgres.count_vectors(tx, reading, card.card_id)
            kept = self._counted[key] = _Counted(card.changed, count, now)
        return kept.with_vector

    async def moments(self, tx: Transaction, reading: Reading, card: ServingCard) -> Moments:
        """The moments of the workspace's vectors, drawn towards those of the model.

        They are read again when they were taken anew, which is when a tenth of the vectors came
        or went.
        """
        model = self._embedder.card
        if card.card_id is None or not card.measured:
            return Moments.of_card(model)
        key = (reading.workspace_id, card.card_id)
        kept = self._measured.get(key)
        if kept is None or kept.vectors != card.measured:
            row = await postgres.moments(tx, reading, card.card_id)
            kept = self._measured[key] = _Measured(card.measured, _shrunk(row, model))
        return kept.moments

    @property
    def _card(self) -> ModelCard | None:
        try:
            return self._embedder.card
        except ModelNotLearned:
            return None


def _shrunk(row: MomentsRow | None, model: ModelCard) -> Moments:
    if row is None or row.mean is None or row.covariance is None:
        return Moments.of_card(model)
    size = model.dimensions
    mean = np.frombuffer(row.mean, dtype="<f4")
    covariance = np.frombuffer(row.covariance, dtype="<f4").reshape(size, size)
    return Moments(mean, covariance).shrunk(model, vectors=row.vectors)


def _is_stale(kept: _Counted, changed: int, now: datetime) -> bool:
    if kept.changed == changed:
        return False
    return kept.with_vector < _COUNTED_AT_ONCE or now - kept.at >= _COUNTED_AGAIN
