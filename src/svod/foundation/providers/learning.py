"""The card of a model that ships no moments: they are taken from a few sentences of ours.

z asks how far a cosine lies above what a question has with any text, so the spread of a model's
vectors must be known before a workspace holds many. Models differ too much for constants: cosines
of unrelated texts lie around 0.1 in one and around 0.8 in another, and with the wrong one a z of 15
would drown all words. So the model embeds the probes once, and their mean and covariance are its
prior. For one question only the mean and the variance along it matter, and some fifty texts give
that spread to a tenth. A tenth of the covariance is made even in all directions, so that no
direction which the probes happen to miss has a spread of nothing.
"""

import hashlib

import numpy as np

from svod.foundation.providers.embedding import ModelCard, Vectors

_EVEN = 0.1
PRIOR_VECTORS = 50
"""As many vectors as the prior counts for: about as many as it was taken from."""


def learned_card(family: str, probes: Vectors, *, max_tokens: int, identity: str) -> ModelCard:
    """The card of a model whose vectors of the probes are these.

    Args:
        family: what the name begins with.
        probes: unit vectors of `PROBES` as passages.
        max_tokens: how much of a text the model reads.
        identity: sha256 in hex of whatever changes the vectors beside the dimensions.
    """
    dimensions = probes.shape[1]
    mean = probes.mean(axis=0)
    centred = probes - mean
    covariance = centred.T @ centred / max(1, len(probes) - 1)
    level = max(float(np.trace(covariance)) / dimensions, 1e-6)
    covariance = (1 - _EVEN) * covariance + _EVEN * level * np.eye(dimensions)
    return ModelCard(
        name=f"{family}:{dimensions}:{identity[:8]}",
        dimensions=dimensions,
        max_tokens=max_tokens,
        sha256=identity,
        prior_mean=mean.astype(np.float32),
        prior_covariance=((covariance + covariance.T) / 2).astype(np.float32),
        prior_vectors=PRIOR_VECTORS,
    )


def fingerprint(*parts: str) -> str:
    """sha256 in hex of some parts, which cannot run into one another."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()
