"""Whether what was found is enough to answer from: one strength, and a threshold.

The strength is a logistic curve over a few signals of the evidence, one curve for questions in the
language of the texts, one for questions in the other language, one for where nothing has a vector.

What was fitted on what: the first and the last on 200 questions each of multihop (its 96), chunking,
banking77 and StackFAQ, every one with its answer there and with it taken away, and at a tenth of the
weight 288 questions asked of a collection on something else. All of it is English. The curve across
languages has no lexical signals and was fitted on the English multihop and chunking; then it was
moved by `ACROSS_IS_FARTHER`, the one number here that comes from xquad: with it about as many
answerable questions are refused across its languages as within. The signals were chosen by what they
do on collections that were kept out, one family at a time, xquad among them. Everything was gathered
in memory, by the product's splitter, analyzer, model, moments and the code of `signals`.

How well it does there is in docs/decisions/0014; `bench/gate.py` measures it through the product. A
change here changes `SCALES` in `retrieval/calibration.py` too: thresholds are fitted to strengths.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from svod.conversation.answering.candidates import Candidate
from svod.conversation.answering.signals import Signals, signals_of
from svod.knowledge.retrieval import Found, Hit
from svod.knowledge.retrieval.fits import fit_for, languages_of

THRESHOLD = 0.25
"""The least strength that is enough where a collection's own judged questions tell no other."""
ACROSS_IS_FARTHER = 2.16
"""Texts in two languages are less alike, whatever they say."""
Reason = Literal["nothing_found", "weak", "words_missing"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether to answer.

    `strength` is how likely the evidence holds an answer, 0..1; what reaches `threshold` is enough.
    `reason` is why not; `missing` are the asker's words that none of the first
    hits holds, as he typed them, names and numbers first; `nearest` is the best hit.
    """

    enough: bool
    reason: Reason | None
    nearest: Hit | None
    strength: float = 0.0
    threshold: float = THRESHOLD
    missing: tuple[str, ...] = ()


def judge(asked: str, found: Found, candidates: Sequence[Candidate]) -> Verdict:
    """Whether the evidence can hold an answer at all.

    `reason` is `nothing_found`, `words_missing` (a name, a number or the only word that tells what
    is meant stands nowhere in the first hits) or `weak` (they are about something else).

    Args:
        asked: the question as it was searched for.
        found: the hits, with the fits of their collections.
        candidates: what could be said of them, with what is known of their likeness.
    """
    if not found.hits:
        return Verdict(enough=False, reason="nothing_found", nearest=None)
    best = found.hits[0]
    languages = languages_of(asked, best)
    signals = signals_of(asked, found.hits, candidates)
    strength = strength_of(signals, across=is_across(languages))
    fit = fit_for(found.fits, asked, best)
    threshold = fit.threshold if fit and fit.threshold is not None else THRESHOLD
    enough = strength >= threshold
    return Verdict(
        enough=enough,
        reason=None if enough else _why_not(signals, across=is_across(languages)),
        nearest=best,
        strength=strength,
        threshold=threshold,
        missing=signals.missing,
    )


def is_across(languages: str) -> bool:
    """Whether a pair like `ru-en` is of two languages."""
    asked, _, found = languages.partition("-")
    return asked != found


def strength_of(signals: Signals, *, across: bool) -> float:
    """How likely evidence that looks so holds an answer, 0..1."""
    if signals.meaning is None:
        logit = _by_words(signals)
    elif across:
        logit = _across(signals, signals.meaning)
    else:
        logit = _in_one_language(signals, signals.meaning)
    # The logistic curve, written so that nothing overflows.
    return (1 + math.tanh(logit / 2)) / 2


def _in_one_language(signals: Signals, meaning: float) -> float:
    return (
        -5.14
        + 0.63 * signals.lead
        + 0.313 * signals.sentence
        + 0.276 * meaning
        + 1.56 * signals.names
        + 1.25 * signals.words
    )


def _across(signals: Signals, meaning: float) -> float:
    """Across languages words cannot match; names are heard in the other alphabet."""
    return (
        -4.33
        + ACROSS_IS_FARTHER
        + 0.57 * signals.likeness
        + 0.44 * meaning
        + 0.86 * signals.drop
        + 0.64 * signals.names_heard
    )


def _by_words(signals: Signals) -> float:
    """Where nothing has a vector."""
    return (
        -4.10
        + 1.75 * signals.words_lead
        + 0.86 * signals.words_best
        + 1.32 * signals.names
        + 2.23 * signals.words
    )


def _why_not(signals: Signals, *, across: bool) -> Reason:
    lacking = signals.names_heard < 1 if across else signals.names < 1 or signals.words <= 1 / 2
    return "words_missing" if lacking else "weak"
