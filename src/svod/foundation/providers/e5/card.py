"""What is known of the built-in model without loading it.

`moments.npz` holds the mean and covariance of its vectors over some thousands of passages of
public documentation and prose, Russian and English about half each; `dev/card_moments.py` made
it and says from what. Numbers only: no text is kept.
"""

from functools import cache
from importlib.resources import as_file, files

import numpy as np

from svod.foundation.providers.e5.weights import SHA256
from svod.foundation.providers.embedding import ModelCard

DIMENSIONS = 384
MAX_TOKENS = 512


@cache
def card() -> ModelCard:
    """The card of the built-in model; its moments are read at the first call."""
    with (
        as_file(files("svod.foundation.providers.e5") / "moments.npz") as path,
        np.load(path) as moments,
    ):
        mean = moments["mean"].astype(np.float32)
        upper = moments["upper"].astype(np.float32) * np.float32(moments["scale"])
    covariance = np.zeros((DIMENSIONS, DIMENSIONS), np.float32)
    covariance[np.triu_indices(DIMENSIONS)] = upper
    covariance += np.triu(covariance, 1).T
    for array in (mean, covariance):
        array.setflags(write=False)
    return ModelCard(
        name=f"multilingual-e5-small:int8:{SHA256[:8]}",
        dimensions=DIMENSIONS,
        max_tokens=MAX_TOKENS,
        sha256=SHA256,
        prior_mean=mean,
        prior_covariance=covariance,
    )
