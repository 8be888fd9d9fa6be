"""The second half of an item's way: its vectors, some at a time.

A job computes at most a slice of vectors and queues itself again behind those that wait, so a long
document holds up no note. What was computed is kept at once, so nothing is computed twice, whatever
breaks off. The last slice ends with one transaction: a new item gets the rest of its vectors, a
changed one is swapped whole, words and vectors together (K16).
"""

import asyncio
from dataclasses import dataclass, replace

import structlog

from svod.foundation.clock import Clock
from svod.foundation.ids import CardId
from svod.foundation.jobs import Arguments, Jobs, Later, WaitingReason
from svod.foundation.providers import Embedder, Purpose
from svod.foundation.providers.errors import (
    EmbeddingFailed,
    EndpointKeyRefused,
    EndpointRefused,
    ModelFailed,
)
from svod.foundation.storage import Blobs, Database, Transaction, Vault, Vaults
from svod.knowledge.indexing import postgres as index
from svod.knowledge.indexing.body import open_split
from svod.knowledge.indexing.moments import take_moments
from svod.knowledge.indexing.postgres import Vector
from svod.knowledge.indexing.prepared import IndexedItem, KeyedChunk, prepare, with_keys
from svod.knowledge.indexing.writing import write_vectors
from svod.knowledge.ingestion import jobs
from svod.knowledge.ingestion.ingesting import describe, swap
from svod.knowledge.items import processing
from svod.knowledge.items.processing import VersionAt

log = structlog.get_logger()

SLICE = 64
"""Texts of one job: two to three seconds of the built-in model on two cores."""
_AWAY_S = 15.0
"""After so long a model that does not answer is asked again."""
_OF_THE_TEXTS = (EmbeddingFailed, EndpointRefused)
"""Failures that waiting does not mend."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A version whose vectors are to be computed, and the sealed split that it comes from."""

    at: VersionAt
    vault: Vault
    item: IndexedItem
    chunks: list[KeyedChunk]
    kept: index.KeptSplit


@dataclass(frozen=True, slots=True)
class Work:
    """A version whose vectors are being computed."""

    at: VersionAt
    vault: Vault
    item: IndexedItem
    chunks: list[KeyedChunk]
    split_id: int
    searchable: bool
    card_id: CardId
    known: dict[bytes, Vector]

    @property
    def missing(self) -> list[KeyedChunk]:
        """The chunks without a vector yet, one for each text."""
        apart = {chunk.text_key: chunk for chunk in self.chunks if chunk.text_key not in self.known}
        return list(apart.values())

    def vectors(self, keys: set[bytes] | None = None) -> dict[int, Vector]:
        """Part -> vector, for the texts named or for all whose vector is known."""
        return {
            part: self.known[chunk.text_key]
            for part, chunk in enumerate(self.chunks)
            if chunk.text_key in self.known and (keys is None or chunk.text_key in keys)
        }


@dataclass(frozen=True, slots=True)
class Embedding:
    """Handles the job `embed`."""

    database: Database
    vaults: Vaults
    blobs: Blobs
    jobs: Jobs
    clock: Clock
    embedder: Embedder

    async def __call__(self, arguments: Arguments) -> None:
        """Compute a slice of a version's vectors; nothing if a later one has come.

        Raises:
            Later: the model does not answer; words alone serve until it does.
        """
        at = jobs.version_at(arguments)
        try:
            await self.embedder.warm()
            await self._embed(at)
        except _OF_THE_TEXTS:
            raise
        except ModelFailed as away:
            await self._serve_by_words(at, away)
            raise Later(_AWAY_S) from away

    async def gave_up(self, arguments: Arguments, failure: Exception | None) -> None:
        """Without a model words alone serve: a changed item is swapped all the same."""
        work = await self._take_up(jobs.version_at(arguments))
        if work is not None:
            await self._finish(work, whole=False)
            log.warning(
                "item_without_meaning", item_id=work.at.item_id, failure=type(failure).__name__
            )

    async def take_moments(self, arguments: Arguments) -> None:
        """Handle the job `moments`."""
        at = jobs.moments_at(arguments)
        await take_moments(self.database, at.workspace_id, at.card_id)

    async def _embed(self, at: VersionAt) -> None:
        work = await self._take_up(at)
        if work is None:
            return
        missing = work.missing
        now, rest = missing[:SLICE], missing[SLICE:]
        if now:
            texts = [chunk.embedded for chunk in now]
            vectors = await self.embedder.embed(texts, purpose=Purpose.STORE)
            for chunk, vector in zip(now, vectors, strict=True):
                work.known[chunk.text_key] = vector
        if rest:
            await self._keep(work, {chunk.text_key for chunk in now}, left=len(rest))
        else:
            await self._finish(work)

    async def _taken(self, at: VersionAt) -> Taken | None:
        async with self.database.transaction() as tx:
            under_way = await processing.hold(tx, at)
            kept = await index.kept_split(tx, at.workspace_id, at.item_id, at.version)
            if under_way is None or kept is None:
                return None
            vault = await self.vaults.of(tx, at.workspace_id)
            split = await processing.split_settings(tx, vault, at)
        item = describe(vault, at, under_way, split)
        chunks = open_split(vault, at.item_id, at.version, kept.sealed_chunks)
        return Taken(at, vault, item, with_keys(vault, item, chunks), kept)

    async def _take_up(self, at: VersionAt) -> Work | None:
        taken = await self._taken(at)
        if taken is None:
            return None
        card = self.embedder.card
        async with self.database.transaction() as tx:
            card_id = await index.ensure_card(
                tx,
                at.workspace_id,
                name=card.name,
                dimensions=card.dimensions,
                now=self.clock.now(),
            )
            keys = [chunk.text_key for chunk in taken.chunks]
            known = await index.cached_vectors(tx, at.workspace_id, card_id, keys)
        return Work(
            at,
            taken.vault,
            taken.item,
            taken.chunks,
            taken.kept.split_id,
            taken.kept.searchable,
            card_id,
            known,
        )

    async def _serve_by_words(self, at: VersionAt, away: ModelFailed) -> None:
        """Say why the meaning waits; a changed item's new words do not wait with it."""
        taken = await self._taken(at)
        if taken is None:
            return
        chunks = [chunk.chunk for chunk in taken.chunks]
        prepared = (
            None
            if taken.kept.searchable
            else await asyncio.to_thread(prepare, taken.vault, taken.item, chunks)
        )
        async with self.database.transaction() as tx:
            item = await self._still(tx, at, taken.item, taken.kept.split_id)
            if item is None:
                return
            if prepared is not None:
                await swap(tx, taken.vault, item, prepared, meaning_ready=0.0)
                kept = replace(taken.kept, searchable=True)
                await index.keep_split(tx, at.workspace_id, at.item_id, at.version, kept)
            await processing.wait_for_meaning(tx, at, _reason(away))
        log.warning("meaning_waits", item_id=at.item_id, code=away.code)

    async def _still(
        self, tx: Transaction, at: VersionAt, item: IndexedItem, split_id: int
    ) -> IndexedItem | None:
        """The item where it lies by now, held; None if this splitting of it has become void."""
        under_way = await processing.hold(tx, at)
        if under_way is None or not await index.split_is_kept(
            tx, at.workspace_id, at.item_id, at.version, split_id
        ):
            return None
        return replace(item, namespace_id=under_way.namespace_id)

    async def _keep(self, work: Work, keys: set[bytes], *, left: int) -> None:
        """Keep a slice, and queue the next one behind those that wait."""
        at = work.at
        async with self.database.transaction() as tx:
            item = await self._still(tx, at, work.item, work.split_id)
            if item is None:
                return
            if work.searchable:
                await write_vectors(tx, item, work.card_id, work.vectors(keys))
            else:
                fresh = [(key, work.known[key]) for key in keys]
                await index.cache_vectors(tx, at.workspace_id, work.card_id, at.item_id, fresh)
            await processing.set_meaning_ready(
                tx, at, 1 - left / len(work.chunks), searchable=work.searchable
            )
            await self.jobs.queue(tx, jobs.embed(at, small=False))

    async def _finish(self, work: Work, *, whole: bool = True) -> None:
        at = work.at
        vectors = work.vectors()
        ready = len(vectors) / len(work.chunks) if work.chunks else 1.0
        prepared = (
            None
            if work.searchable
            else await asyncio.to_thread(
                prepare, work.vault, work.item, [c.chunk for c in work.chunks]
            )
        )
        async with self.database.transaction() as tx:
            item = await self._still(tx, at, work.item, work.split_id)
            if item is None:
                return
            if prepared is not None:
                await swap(tx, work.vault, item, prepared, meaning_ready=ready)
            await write_vectors(tx, item, work.card_id, vectors)
            await processing.serve(tx, at, meaning_ready=1.0 if whole else ready)
            await self._clear(tx, at)
            await self.jobs.queue(tx, jobs.moments(at.workspace_id, work.card_id))

    async def _clear(self, tx: Transaction, at: VersionAt) -> None:
        await index.drop_splits(tx, at.workspace_id, [at.item_id])
        await index.forget_cached(tx, at.workspace_id, [at.item_id])


def _reason(away: ModelFailed) -> WaitingReason:
    if isinstance(away, EndpointKeyRefused):
        return WaitingReason.MEANING_KEY_REFUSED
    return WaitingReason.MEANING_UNAVAILABLE
