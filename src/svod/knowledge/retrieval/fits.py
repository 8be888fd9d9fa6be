"""Which of the fits to judged questions speaks for a hit, and what its score is then."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from svod.foundation.errors import Language
from svod.knowledge.parsing.writing import language_of
from svod.knowledge.retrieval.calibration import CollectionFit
from svod.knowledge.retrieval.plan import Hit


def languages_of(query: str, hit: Hit) -> str:
    """The pair of languages of a query and a hit: `ru-en` asks in Russian and finds English."""
    return f"{_language(query)}-{_language(hit.text)}"


def fit_for(fits: Iterable[CollectionFit], query: str, hit: Hit) -> CollectionFit | None:
    """The fit that speaks for a hit, if there is one."""
    languages = languages_of(query, hit)
    return next(
        (
            fit
            for fit in fits
            if (fit.workspace_id, fit.level, fit.namespace, fit.languages)
            == (hit.workspace_id, hit.level, hit.namespace, languages)
        ),
        None,
    )


def rescored(fits: Sequence[CollectionFit], query: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits in their order, each with the score of its collection's own curve where it has one."""
    if not fits:
        return tuple(hits)
    return tuple(
        hit if fit is None else replace(hit, score=fit.score(hit.score))
        for hit, fit in ((hit, fit_for(fits, query, hit)) for hit in hits)
    )


def _language(text: str) -> Language:
    # A text without letters is in no language; what is asked and found must be in one.
    return language_of(text) or Language.EN
