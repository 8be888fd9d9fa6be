"""The mean and covariance of a workspace's vectors, from which z comes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from svod.foundation.ids import CardId, WorkspaceId
from svod.foundation.storage import Database
from svod.knowledge.indexing import postgres

SAMPLE = 20_000
_LEAST = 50
_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean (d,), covariance (d, d), and how many vectors they come from."""

    vectors: int
    mean: NDArray[np.float32]
    covariance: NDArray[np.float32]


def moments_of(vectors: NDArray[np.float32]) -> Moments:
    """The moments of vectors of shape (n, d), n ≥ 1."""
    mean = vectors.mean(axis=0)
    centred = vectors - mean
    return Moments(len(vectors), mean, centred.T @ centred / len(vectors))


def is_stale(count: postgres.VectorCount) -> bool:
    """Whether enough vectors came or went since the moments were taken."""
    moved = abs(count.now - count.measured)
    return moved > max(_LEAST, _SHARE * count.measured)


async def take_moments(database: Database, workspace_id: WorkspaceId, card_id: CardId) -> None:
    """Take the moments anew from at most about 20,000 vectors, when they have become stale."""
    async with database.transaction() as tx:
        count = await postgres.count_vectors(tx, workspace_id, card_id)
        if count is None or count.now == 0 or not is_stale(count):
            return
        step = -(-count.now // SAMPLE)
        sample = await postgres.sample_vectors(tx, workspace_id, card_id, step=step)
    vectors = np.stack([vector.to_numpy() for vector in sample]).astype(np.float32)
    moments = moments_of(vectors)
    async with database.transaction() as tx:
        await postgres.set_moments(
            tx,
            workspace_id,
            card_id,
            vectors=count.now,
            mean=moments.mean.astype("<f4").tobytes(),
            covariance=moments.covariance.astype("<f4").tobytes(),
        )
