"""Scores are 0..1, fall in the order of the hits, and compare exactly with thresholds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svod.knowledge.retrieval.calibration import BOTH, MEANING, WORDS, Fit, default_fit

fits = st.sampled_from([BOTH, MEANING, WORDS])
strengths = st.floats(-1e6, 1e6)


@pytest.mark.spec("R4")
@given(fit=fits, ranks=st.lists(strengths, min_size=1, max_size=50))
def test_scores_lie_between_nought_and_one_and_fall_with_the_rank_score(
    fit: Fit, ranks: list[float]
) -> None:
    ranks.sort(reverse=True)
    scores = [fit.score(rank, best=ranks[0]) for rank in ranks]
    assert all(0 <= score <= 1 for score in scores)
    assert scores == sorted(scores, reverse=True)


@pytest.mark.spec("R4")
def test_an_even_chance_is_a_half() -> None:
    assert Fit(intercept=-3, rank=1, gap=2).score(3, best=3) == 0.5
    assert Fit(intercept=-3, rank=2, gap=1).score(2, best=3) == 0.5


@pytest.mark.spec("R4")
@given(fit=fits, rank=strengths, below=st.floats(0, 100))
def test_a_score_written_out_is_the_score_that_is_compared(
    fit: Fit, rank: float, below: float
) -> None:
    score = fit.score(rank, best=rank + below)
    assert float(f"{score:.4f}") == score


@pytest.mark.spec("R4")
def test_a_hit_that_only_words_found_is_judged_by_words() -> None:
    assert default_fit(used_words=True, used_meaning=False) is WORDS
    assert default_fit(used_words=True, used_meaning=True) is BOTH
    assert default_fit(used_words=False, used_meaning=True) is MEANING
