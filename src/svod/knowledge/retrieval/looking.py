"""One query looked for in every workspace that a caller reads, at once."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from svod.foundation.ids import WorkspaceId
from svod.foundation.storage import Database, Transaction
from svod.knowledge.retrieval import calibration, postgres
from svod.knowledge.retrieval.calibration import CollectionFit, basis_of
from svod.knowledge.retrieval.meaning import OTHER_MODEL, UNAVAILABLE, Meanings
from svod.knowledge.retrieval.opening import Ranked
from svod.knowledge.retrieval.phrase import MOST_CANDIDATES, with_phrases
from svod.knowledge.retrieval.plan import CANDIDATES, Mode, RetrievalPlan
from svod.knowledge.retrieval.postgres import FitRow, HitRow, Meaning, ServingCard
from svod.knowledge.retrieval.query import NOTHING_ASKED, Query
from svod.knowledge.retrieval.ranking import Vector, standard
from svod.knowledge.workspaces import LevelNotFound, Reading, write_level

PHRASE_CUT = "phrase_cut"

Given = TypeVar("Given")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace to search, the model that serves there, and how many chunks it covers."""

    reading: Reading
    card: ServingCard
    with_vector: int


@dataclass(frozen=True, slots=True)
class Looked:
    """What a query found in all places, best first, and how.

    `known` are the query's terms that occur where it was looked, as far as what was found tells.
    """

    query: Query
    ranked: tuple[Ranked, ...]
    known: frozenset[str]
    used_words: bool
    vector: Vector | None
    notes: tuple[str, ...]

    @property
    def used_meaning(self) -> bool:
        """Whether vectors were compared."""
        return self.vector is not None


@dataclass(frozen=True, slots=True)
class _Candidate:
    reading: Reading
    row: HitRow
    z: float | None


class Looking:
    """Runs the one statement a workspace, with what it needs: vector, moments, phrases."""

    def __init__(self, database: Database, meanings: Meanings | None) -> None:
        self._database = database
        self._meanings = meanings

    async def places(self, readings: Sequence[Reading]) -> list[Place]:
        """Where to look."""
        return await _each(readings, self._place)

    async def look(
        self,
        places: Sequence[Place],
        plan: RetrievalPlan,
        query: Query,
        *,
        before: Looked | None = None,
    ) -> Looked:
        """The best chunks of all places, by `rank_score`.

        Args:
            places: where to look.
            plan: what to look for there.
            query: the plan's query as it was read.
            before: what the same text found, read otherwise: its vector serves again.
        """
        if before is not None and before.query.text == query.text:
            vector, notes = before.vector, list(before.notes)
        else:
            vector, notes = await self._vector(places, plan, query)
        # Where meaning was asked for and there is none, words are better than nothing.
        with_words = plan.mode is not Mode.MEANING or vector is None

        async def rank(place: Place) -> tuple[list[_Candidate], list[str]]:
            return await self._rank(place, plan, query, vector=vector, with_words=with_words)

        results = await _each([place for place in places if place.card.live], rank)
        every = [found for found_there, _ in results for found in found_there]
        every.sort(key=lambda found: found.row.rank_score, reverse=True)
        fit = calibration.default_fit(used_words=with_words, used_meaning=vector is not None)
        return Looked(
            query=query,
            ranked=tuple(
                Ranked(
                    found.reading,
                    found.row,
                    found.z,
                    fit.score(found.row.rank_score, best=every[0].row.rank_score),
                )
                for found in every
            ),
            known=_known(query, [found for found, _ in results]),
            used_words=with_words,
            vector=vector,
            notes=tuple(dict.fromkeys([*notes, *(note for _, said in results for note in said)])),
        )

    async def fits(
        self, places: Sequence[Place], plan: RetrievalPlan, *, used_meaning: bool
    ) -> list[CollectionFit]:
        """What judged questions say of the collections searched, on the scales of what ranked."""

        async def ask(place: Place) -> list[CollectionFit]:
            reading, basis = place.reading, basis_of(place.card.name if used_meaning else None)
            async with self._database.transaction() as tx:
                rows = await postgres.judged_fits(tx, reading, plan, basis=basis)
            return [_fit(reading, row) for row in rows]

        found = await _each([place for place in places if place.card.live], ask)
        return [fit for there in found for fit in there]

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Drop what is kept in memory of a workspace."""
        if self._meanings is not None:
            self._meanings.forget(workspace_id)

    async def need_levels(self, readings: Sequence[Reading], levels: Sequence[str]) -> None:
        """Go on only where every named level may be read.

        Raises:
            LevelNotFound: one is not there, or may not be read.
        """
        seen: set[str] = set()
        async with self._database.transaction() as tx:
            for reading in readings:
                seen.update(await postgres.visible_levels(tx, reading, levels))
        for level in levels:
            if level not in seen:
                raise LevelNotFound(level=level)

    async def known(
        self, places: Sequence[Place], plan: RetrievalPlan, terms: Sequence[str]
    ) -> dict[str, int]:
        """Which of many terms occur where the plan looks, and in how many chunks."""

        async def ask(place: Place) -> dict[str, int]:
            # Thousands of hashes take milliseconds.
            hashed = await asyncio.to_thread(place.reading.vault.terms, terms)
            async with self._database.transaction() as tx:
                rows = await postgres.known_terms(tx, place.reading, plan, hashed)
            chunks = {row.term: row.chunks for row in rows}
            return {
                term: chunks[number]
                for term, number in zip(terms, hashed, strict=True)
                if number in chunks
            }

        found: Counter[str] = Counter()
        if terms:
            for there in await _each([place for place in places if place.card.live], ask):
                found.update(there)
        return dict(found)

    async def _place(self, reading: Reading) -> Place:
        async with self._database.transaction() as tx:
            card = await postgres.serving_card(tx, reading)
            with_vector = await self._meanings.count(tx, reading, card) if self._meanings else 0
            return Place(reading, card, with_vector)

    async def _vector(
        self, places: Sequence[Place], plan: RetrievalPlan, query: Query
    ) -> tuple[Vector | None, list[str]]:
        """The query's vector where any visible chunk could meet it, else why not."""
        if plan.mode is Mode.WORDS:
            return None, []
        if self._meanings is None:
            return None, [UNAVAILABLE] if plan.mode is Mode.MEANING else []
        held = [place.card for place in places if place.with_vector]
        if held and not self._meanings.is_known:
            return None, [UNAVAILABLE]
        if not any(self._meanings.serves(card) for card in held):
            return None, [OTHER_MODEL] if held else []
        vector = await self._meanings.vector(query.text, within_ms=plan.meaning_within_ms)
        return (None, [vector]) if isinstance(vector, str) else (vector, [])

    async def _rank(
        self,
        place: Place,
        plan: RetrievalPlan,
        query: Query,
        *,
        vector: Vector | None,
        with_words: bool,
    ) -> tuple[list[_Candidate], list[str]]:
        reading = place.reading
        only, notes = await self._holding_phrases(reading, plan, query)
        async with self._database.transaction() as tx:
            meaning = await self._meaning(tx, place, vector)
            rows = await postgres.ranked(
                tx,
                reading,
                plan,
                asked=query.asked(reading.vault) if with_words else NOTHING_ASKED,
                meaning=meaning,
                only=only,
                candidates=max(CANDIDATES, 2 * plan.limit),
            )
        return [_candidate(reading, row, meaning) for row in rows], notes

    async def _meaning(
        self, tx: Transaction, place: Place, vector: Vector | None
    ) -> Meaning | None:
        card = place.card
        if vector is None or self._meanings is None or card.card_id is None:
            return None
        if not self._meanings.serves(card):
            return None
        moments = await self._meanings.moments(tx, place.reading, card)
        return Meaning(vector, card.card_id, standard(vector, moments))

    async def _holding_phrases(
        self, reading: Reading, plan: RetrievalPlan, query: Query
    ) -> tuple[list[int] | None, list[str]]:
        """Keys of the chunks that hold every quoted phrase; None where nothing is quoted."""
        if not query.phrases:
            return None, []
        terms = reading.vault.terms(query.phrase_terms)
        async with self._database.transaction() as tx:
            rows = await postgres.phrase_candidates(
                tx, reading, plan, terms, limit=MOST_CANDIDATES + 1
            )
        notes = [PHRASE_CUT] if len(rows) > MOST_CANDIDATES else []
        opened = rows[:MOST_CANDIDATES]
        return await asyncio.to_thread(with_phrases, reading.vault, opened, query.phrases), notes


def _candidate(reading: Reading, row: HitRow, meaning: Meaning | None) -> _Candidate:
    z = None if row.cosine is None or meaning is None else meaning.standard.z(row.cosine)
    return _Candidate(reading, row, z)


def _fit(reading: Reading, row: FitRow) -> CollectionFit:
    return CollectionFit(
        reading.workspace_id,
        write_level(row.level_kind, row.level_name),
        row.clean_namespace,
        row.languages,
        row.threshold,
        row.intercept,
        row.slope,
    )


def _known(query: Query, found: Sequence[Sequence[_Candidate]]) -> frozenset[str]:
    """The query's terms that occur in some place; where nothing was found, nothing is known."""
    known: set[str] = set()
    for there in found:
        if there:
            numbers = set(there[0].row.known_terms)
            hashed = there[0].reading.vault.terms(query.terms)
            known |= {t for t, number in zip(query.terms, hashed, strict=True) if number in numbers}
    return frozenset(known)


async def _each(given: Sequence[Given], make: Callable[[Given], Awaitable[Made]]) -> list[Made]:
    """What is made of each, all at once, in the order given; the first failure stands for all."""

    async def made(one: Given) -> Made:
        return await make(one)

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(made(one)) for one in given]
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed
    return [task.result() for task in tasks]
