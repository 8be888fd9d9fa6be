"""Scores are 0..1, grow with strength, and compare exactly with thresholds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svod.knowledge.retrieval.calibration import Fit, score
from svod.knowledge.retrieval.plan import Mode

strengths = st.floats(-1e6, 1e6)
shares = st.floats(0, 1)


@pytest.mark.spec("R4")
@given(mode=st.sampled_from(Mode), words=shares, z=st.none() | strengths)
def test_every_score_lies_between_nought_and_one(mode: Mode, words: float, z: float | None) -> None:
    assert 0 <= score(mode=mode, words=words, z=z) <= 1


@pytest.mark.spec("R4")
@given(mode=st.sampled_from(Mode), words=shares, z=strengths, more=st.floats(0, 1e3))
def test_more_meaning_never_lowers_a_score(mode: Mode, words: float, z: float, more: float) -> None:
    assert score(mode=mode, words=words, z=z) <= score(mode=mode, words=words, z=z + more)


@pytest.mark.spec("R4")
@given(mode=st.sampled_from(Mode), less=shares, more=shares, z=st.none() | strengths)
def test_more_words_never_lower_a_score(
    mode: Mode, less: float, more: float, z: float | None
) -> None:
    low, high = sorted((less, more))
    assert score(mode=mode, words=low, z=z) <= score(mode=mode, words=high, z=z)


@pytest.mark.spec("R4")
def test_an_even_chance_is_a_half() -> None:
    assert Fit(intercept=-3, words=4, z=0.5).score(words=0.5, z=2) == 0.5


@pytest.mark.spec("R4")
@given(mode=st.sampled_from(Mode), words=shares, z=st.none() | strengths)
def test_a_score_written_out_is_the_score_that_is_compared(
    mode: Mode, words: float, z: float | None
) -> None:
    given_score = score(mode=mode, words=words, z=z)
    assert float(f"{given_score:.4f}") == given_score
