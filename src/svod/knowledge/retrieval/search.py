"""The one retriever: search, ask, chat and every other entry point call it."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace

import structlog

from svod.foundation.clock import Clock
from svod.foundation.providers.embedding import Embedder
from svod.foundation.storage import Database, Transaction
from svod.knowledge.retrieval import calibration
from svod.knowledge.retrieval.calibration import CollectionFit, basis_of
from svod.knowledge.retrieval.errors import (
    NothingAsked,
    ThresholdOutOfRange,
    TooManyHits,
    UnknownKind,
)
from svod.knowledge.retrieval.fits import fit_for
from svod.knowledge.retrieval.looking import Looked, Looking, Place
from svod.knowledge.retrieval.meaning import Meanings
from svod.knowledge.retrieval.mending import Mending
from svod.knowledge.retrieval.opening import as_corrected
from svod.knowledge.retrieval.plan import KINDS, MOST_HITS, Found, Hit, Mode, RetrievalPlan
from svod.knowledge.retrieval.ports import ReadsPaths
from svod.knowledge.retrieval.precedence import along_path
from svod.knowledge.retrieval.query import read_query
from svod.knowledge.retrieval.showing import shown
from svod.knowledge.workspaces import Caller, Permission, read_level, write_level
from svod.knowledge.workspaces.facts import WorkspaceDeleted

log = structlog.get_logger()

PHRASE_NOT_FOUND = "phrase_not_found"
TYPO = "typo"


class Retrieval:
    """Finds what a caller may read."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder | None,
        clock: Clock,
        paths: ReadsPaths | None = None,
    ) -> None:
        """Wire the room; `paths` knows what is read for a level, without it nothing is."""
        self._looking = Looking(database, Meanings(embedder, clock) if embedder else None)
        self._mending = Mending(self._looking)
        self._clock = clock
        self._paths = paths
        self._has_model = embedder is not None

    async def search(self, caller: Caller, plan: RetrievalPlan) -> Found:
        """The hits of a plan, best first, from the caller's workspace and the global level.

        What could not be done in time or as asked is said in `notes`: `meaning_late`,
        `meaning_unavailable` and `meaning_other_model` (words alone ranked), `other_layout` (the
        query, or words of it, were read as if typed in the other keyboard layout), `typo` (see
        `corrected`), `phrase_cut` (more chunks could hold the quoted phrase than were opened),
        `phrase_not_found` (nothing holds it, so the words around it were looked for; a query that
        is nothing but a phrase finds nothing then).

        Raises:
            NothingAsked: the query is empty.
            PermissionMissing: the caller may not read knowledge.
            TooManyHits: `limit` is not 1..MOST_HITS.
            ThresholdOutOfRange: `min_score` is not 0..1.
            UnknownKind: there is no such kind of items.
            LevelNotFound: a named level is not there, or may not be read.
        """
        caller.need(Permission.KNOWLEDGE_READ)
        _check(plan)
        if plan.levels is not None:
            levels = tuple(_in_one_form(level) for level in plan.levels)
            await self._looking.need_levels(caller.readings, levels)
            plan = replace(plan, levels=levels)
        plan = await along_path(self._paths, caller, plan)
        places = await self._looking.places(caller.readings)
        looked = await self._look(places, plan)
        fits = await self._fits(places, plan, looked)
        now = self._clock.now()
        hits, corrected = await asyncio.to_thread(shown, looked, plan, fits, now=now)
        if corrected.strange:
            # Their terms are those of words that look otherwise: without them once more.
            query = looked.query.without(corrected.strange)
            looked = await self._looking.look(places, plan, query, before=looked)
            hits, corrected = await asyncio.to_thread(shown, looked, plan, fits, now=now)
        notes = (*looked.notes, TYPO) if corrected.told else looked.notes
        log.debug("searched", hits=len(hits), meaning=looked.used_meaning, notes=notes)
        return Found(
            hits=tuple(hits),
            used_words=looked.used_words,
            used_meaning=looked.used_meaning,
            # Without a model nothing is being prepared, so nothing is to be waited for.
            meaning_ready=_meaning_ready(places) if self._has_model else 1.0,
            calibration=_calibration(fits, looked, hits),
            notes=notes,
            fits=tuple(fits),
            basis=_basis(places, looked),
            corrected=corrected.told,
            query=as_corrected(looked.query.text, corrected.told),
        )

    async def on_workspace_deleted(self, _: Transaction, fact: WorkspaceDeleted) -> None:
        """Forget what is kept in memory of a workspace: it is gone."""
        self._looking.forget(fact.workspace_id)

    async def _fits(
        self, places: list[Place], plan: RetrievalPlan, looked: Looked
    ) -> list[CollectionFit]:
        # Fits are made on words with meaning, or on words alone; never on meaning alone.
        if not looked.used_words or not looked.ranked:
            return []
        return await self._looking.fits(places, plan, used_meaning=looked.used_meaning)

    async def _look(self, places: list[Place], plan: RetrievalPlan) -> Looked:
        """Looks for the query, and again for what its unknown words may have been meant to be."""
        looked = await self._looking.look(places, plan, read_query(plan.query))
        if plan.mode is not Mode.MEANING:
            looked = await self._mending.mended(places, plan, looked)
        query = looked.query
        if query.phrases and not looked.ranked and query.asks_beyond_phrases:
            # A question that quotes: the texts may be in another language.
            again = await self._looking.look(
                places, plan, replace(query, phrases=()), before=looked
            )
            return replace(again, notes=(*again.notes, PHRASE_NOT_FOUND))
        return looked


def _calibration(fits: Sequence[CollectionFit], looked: Looked, hits: Sequence[Hit]) -> str:
    """Whose curve the score of the best hit comes from."""
    judged = bool(hits) and fit_for(fits, looked.query.text, hits[0]) is not None
    return calibration.JUDGED if judged else calibration.DEFAULT


def _basis(places: Sequence[Place], looked: Looked) -> str:
    """The scales of what ranked; those of the best hit's workspace where several were searched."""
    best = looked.ranked[0].reading if looked.ranked else places[0].reading
    card = next(place.card.name for place in places if place.reading == best)
    return basis_of(card if looked.used_meaning else None)


def _in_one_form(level: str) -> str:
    return write_level(*read_level(level)) if ":" in level else level


def _check(plan: RetrievalPlan) -> None:
    if not plan.query.strip():
        raise NothingAsked
    if not 1 <= plan.limit <= MOST_HITS:
        raise TooManyHits(limit=plan.limit, most=MOST_HITS)
    if math.isnan(plan.min_score) or not 0 <= plan.min_score <= 1:
        raise ThresholdOutOfRange(min_score=plan.min_score)
    for kind in plan.kinds or ():
        if kind not in KINDS:
            raise UnknownKind(kind=kind, kinds=", ".join(sorted(KINDS)))


def _meaning_ready(places: list[Place]) -> float:
    live = sum(place.card.live for place in places)
    with_vector = sum(place.with_vector for place in places)
    return min(with_vector / live, 1.0) if live else 1.0
