"""A cosine is measured against what this query has with any text."""

import numpy as np
import pytest

from svod.foundation.providers import ModelCard
from svod.knowledge.retrieval.ranking import Moments, standard

RNG = np.random.default_rng(5)
VECTORS = (RNG.standard_normal((2000, 16)) * np.linspace(0.2, 2, 16) + 1).astype(np.float32)
VECTORS /= np.linalg.norm(VECTORS, axis=1, keepdims=True)
MEASURED = Moments(VECTORS.mean(0), np.cov(VECTORS.T, bias=True).astype(np.float32))
PRIOR = Moments(np.zeros(16, np.float32), np.eye(16, dtype=np.float32))
CARD = ModelCard("card:16", 16, 512, "0" * 64, PRIOR.mean, PRIOR.covariance, prior_vectors=500)


@pytest.mark.spec("R1")
def test_z_of_a_collection_has_mean_nought_and_deviation_one_for_every_query() -> None:
    for query in VECTORS[:5]:
        norm = standard(query, MEASURED)
        z = np.array([norm.z(float(cosine)) for cosine in VECTORS @ query])
        assert z.mean() == pytest.approx(0, abs=1e-3)
        assert z.std() == pytest.approx(1, abs=1e-3)


@pytest.mark.spec("R1")
def test_few_vectors_hardly_move_the_moments_of_the_model_and_many_replace_them() -> None:
    assert np.allclose(MEASURED.shrunk(CARD, vectors=0).mean, PRIOR.mean)
    half = MEASURED.shrunk(CARD, vectors=500)
    assert np.allclose(half.covariance, (MEASURED.covariance + PRIOR.covariance) / 2)
    assert np.allclose(MEASURED.shrunk(CARD, vectors=10**7).mean, MEASURED.mean, atol=1e-3)


def test_vectors_that_are_all_alike_do_not_divide_by_nought() -> None:
    alike = Moments(PRIOR.mean, np.zeros((16, 16), np.float32))
    assert np.isfinite(standard(VECTORS[0], alike).z(1.0))
