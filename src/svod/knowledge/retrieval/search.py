"""The one retriever: search, ask, chat and every other entry point call it."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace

import structlog

from svod.foundation.clock import Clock
from svod.foundation.providers.embedding import Embedder
from svod.foundation.storage import Database
from svod.knowledge.indexing.words import other_layout
from svod.knowledge.retrieval import calibration
from svod.knowledge.retrieval.calibration import CollectionFit, basis_of
from svod.knowledge.retrieval.errors import NothingAsked, ThresholdOutOfRange, TooManyHits
from svod.knowledge.retrieval.fits import fit_for, rescored
from svod.knowledge.retrieval.looking import Looked, Looking, Place
from svod.knowledge.retrieval.meaning import Meanings
from svod.knowledge.retrieval.opening import open_hits
from svod.knowledge.retrieval.plan import MOST_HITS, Found, Hit, Mode, RetrievalPlan
from svod.knowledge.retrieval.query import read_query
from svod.knowledge.workspaces import Caller, Permission

log = structlog.get_logger()

OTHER_LAYOUT = "other_layout"
PHRASE_NOT_FOUND = "phrase_not_found"


class Retrieval:
    """Finds what a caller may read."""

    def __init__(self, database: Database, embedder: Embedder | None, clock: Clock) -> None:
        self._looking = Looking(database, Meanings(embedder, clock) if embedder else None)
        self._has_model = embedder is not None

    async def search(self, caller: Caller, plan: RetrievalPlan) -> Found:
        """The hits of a plan, best first, from the caller's workspace and the global level.

        What could not be done in time or as asked is said in `notes`: `meaning_late`,
        `meaning_unavailable` and `meaning_other_model` (words alone ranked), `other_layout` (the
        query was read as if typed in the other keyboard layout), `phrase_cut` (more chunks could
        hold the quoted phrase than were opened), `phrase_not_found` (nothing holds it, so the
        words around it were looked for; a query that is nothing but a phrase finds nothing then).

        Raises:
            NothingAsked: the query is empty.
            PermissionMissing: the caller may not read knowledge.
            TooManyHits: `limit` is not 1..MOST_HITS.
            ThresholdOutOfRange: `min_score` is not 0..1.
        """
        caller.need(Permission.KNOWLEDGE_READ)
        _check(plan)
        places = await self._looking.places(caller.readings)
        looked = await self._look(places, plan)
        fits = await self._fits(places, plan, looked)
        # Where a collection has a curve of its own, only that can tell what reaches the threshold.
        kept = [found for found in looked.ranked if fits or found.score >= plan.min_score]
        hits = await asyncio.to_thread(open_hits, kept[: plan.limit], looked.query)
        if fits:
            hits = rescored(fits, looked.query.text, hits)
            hits = tuple(hit for hit in hits if hit.score >= plan.min_score)
        log.debug("searched", hits=len(hits), meaning=looked.used_meaning, notes=looked.notes)
        return Found(
            hits=hits,
            used_words=looked.used_words,
            used_meaning=looked.used_meaning,
            # Without a model nothing is being prepared, so nothing is to be waited for.
            meaning_ready=_meaning_ready(places) if self._has_model else 1.0,
            calibration=_calibration(fits, looked, hits),
            notes=looked.notes,
            fits=tuple(fits),
            basis=_basis(places, looked),
        )

    async def _fits(
        self, places: list[Place], plan: RetrievalPlan, looked: Looked
    ) -> list[CollectionFit]:
        # Fits are made on words with meaning, or on words alone; never on meaning alone.
        if not looked.used_words or not looked.ranked:
            return []
        return await self._looking.fits(places, plan, used_meaning=looked.used_meaning)

    async def _look(self, places: list[Place], plan: RetrievalPlan) -> Looked:
        """Looks for the query, and in the other keyboard layout where none of its words is known."""
        query = read_query(plan.query)
        looked = await self._looking.look(places, plan, query)
        if query.phrases and not looked.ranked and query.asks_beyond_phrases:
            # A question that quotes: the texts may be in another language.
            looked = await self._looking.look(places, plan, replace(query, phrases=()))
            looked = replace(looked, notes=(*looked.notes, PHRASE_NOT_FOUND))
        typed = None if looked.known_terms else other_layout(plan.query)
        if typed is None or plan.mode is Mode.MEANING:
            return looked
        # By words first: most queries of unknown words are meant as they stand, in another language
        # than the texts, and shall not wait for a second vector.
        query = read_query(typed)
        again = await self._looking.look(places, replace(plan, mode=Mode.WORDS), query)
        # One known word in a long question is chance: `в` is typed with the key of `d`.
        if again.known_terms * 2 <= len(query.terms):
            return looked
        if plan.mode is not Mode.WORDS:
            again = await self._looking.look(places, plan, query)
        return replace(again, notes=(*again.notes, OTHER_LAYOUT))


def _calibration(fits: Sequence[CollectionFit], looked: Looked, hits: Sequence[Hit]) -> str:
    """Whose curve the score of the best hit comes from."""
    judged = bool(hits) and fit_for(fits, looked.query.text, hits[0]) is not None
    return calibration.JUDGED if judged else calibration.DEFAULT


def _basis(places: Sequence[Place], looked: Looked) -> str:
    """The scales of what ranked; those of the best hit's workspace where several were searched."""
    best = looked.ranked[0].reading if looked.ranked else places[0].reading
    card = next(place.card.name for place in places if place.reading == best)
    return basis_of(card if looked.used_meaning else None)


def _check(plan: RetrievalPlan) -> None:
    if not plan.query.strip():
        raise NothingAsked
    if not 1 <= plan.limit <= MOST_HITS:
        raise TooManyHits(limit=plan.limit, most=MOST_HITS)
    if math.isnan(plan.min_score) or not 0 <= plan.min_score <= 1:
        raise ThresholdOutOfRange(min_score=plan.min_score)


def _meaning_ready(places: list[Place]) -> float:
    live = sum(place.card.live for place in places)
    with_vector = sum(place.with_vector for place in places)
    return min(with_vector / live, 1.0) if live else 1.0
