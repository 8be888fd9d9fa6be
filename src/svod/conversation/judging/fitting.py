"""From judged questions to a threshold and a curve, each drawn towards the default.

The threshold is the quantile of the strengths of answerable questions that refuses at most
`FALSE_REFUSALS` of them. Below `LEAST_JUDGED` a quantile rests on one question and the default
holds. The curve is Platt's, on the logit of the default score: a slope and a shift, with a ridge
that holds them at one and zero until pairs say otherwise.

Source: Platt 1999, "Probabilistic Outputs for Support Vector Machines"; the quantile between order
statistics after Weibull, whose expected share below it is the one asked for.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

FALSE_REFUSALS = 0.05
LEAST_JUDGED = 20
"""Answerable questions below which the default threshold holds."""
DEFAULT_WEIGHS = 5
"""Questions that the default threshold counts for beside those judged."""
_CURVE_WEIGHS = 4.0
"""The ridge: about as many pairs at the middle of the curve."""
_LEAST_SLOPE = 0.05
_ROUNDS = 30
_NEAREST = 1e-4


@dataclass(frozen=True, slots=True)
class Curve:
    """`logit(score) = intercept + slope * logit(default score)`."""

    intercept: float = 0.0
    slope: float = 1.0


@dataclass(frozen=True, slots=True)
class Pair:
    """A hit's default score, and whether it was judged to answer."""

    score: float
    relevant: bool


def threshold_of(answerable: Sequence[float], *, default: float) -> float | None:
    """The least strength that is enough.

    Args:
        answerable: strengths, 0..1, of the evidence of questions that have an answer.
        default: the threshold that holds without them.

    Returns:
        0..1; None where fewer than `LEAST_JUDGED` were judged.
    """
    if len(answerable) < LEAST_JUDGED:
        return None
    quantile = float(np.quantile(answerable, FALSE_REFUSALS, method="weibull"))
    share = len(answerable) / (len(answerable) + DEFAULT_WEIGHS)
    logit = share * _logit(quantile) + (1 - share) * _logit(default)
    return _chance(logit)


def curve_of(pairs: Sequence[Pair]) -> Curve:
    """The curve from default scores to judged relevance; the default one where all are alike."""
    relevant = np.array([pair.relevant for pair in pairs], dtype=np.float64)
    if len({pair.relevant for pair in pairs}) < 2:  # noqa: PLR2004 - nothing to part
        return Curve()
    logits = np.array([_logit(pair.score) for pair in pairs])
    inputs = np.column_stack([np.ones_like(logits), logits])
    prior = np.array([0.0, 1.0])
    found = prior.copy()
    ridge = _CURVE_WEIGHS * np.eye(2)
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (relevant - chance) - ridge @ (found - prior)
        bend = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + ridge
        found = found + np.linalg.solve(bend, slope)
    return Curve(float(found[0]), max(float(found[1]), _LEAST_SLOPE))


def _logit(chance: float) -> float:
    near = min(max(chance, _NEAREST), 1 - _NEAREST)
    return math.log(near / (1 - near))


def _chance(logit: float) -> float:
    return (1 + math.tanh(logit / 2)) / 2
