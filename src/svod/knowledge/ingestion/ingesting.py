"""The first half of an item's way: from what was given to words that are found.

A new item is searchable by words when this ends, and its vectors follow. A changed one goes on with
its old text until the vectors are there too; without a model it is swapped at once. What was split
is kept sealed beside the item until the vectors are done, so nothing is read twice.
"""

import asyncio
from dataclasses import dataclass, replace

import structlog

from svod.foundation.ids import new_random_id
from svod.foundation.jobs import Arguments, Jobs
from svod.foundation.providers import Embedder
from svod.foundation.storage import Blobs, Database, Transaction, Vault, Vaults
from svod.knowledge.chunking import Chunk, SplitSettings
from svod.knowledge.indexing import postgres as index
from svod.knowledge.indexing.body import seal_split
from svod.knowledge.indexing.prepared import IndexedItem, PreparedChunk, prepare
from svod.knowledge.indexing.writing import remove_items, write_words
from svod.knowledge.ingestion import jobs
from svod.knowledge.ingestion.ports import Reads
from svod.knowledge.ingestion.splitting import settings_of, split_document
from svod.knowledge.items import processing, sealed
from svod.knowledge.items.facts import ItemChanged, ItemsCancelled, ItemsChanged, ItemsDeleted
from svod.knowledge.items.item import Remark, Stage
from svod.knowledge.items.kinds import ITEM_KINDS, LINK
from svod.knowledge.items.links import postgres as links
from svod.knowledge.items.links.postgres import PageAt
from svod.knowledge.items.processing import Given, UnderWay, VersionAt
from svod.knowledge.parsing import ParsedDocument, ReadingFailed

log = structlog.get_logger()

_SMALL = 4
"""Chunks up to which a version's vectors overtake those of larger ones."""


@dataclass(frozen=True, slots=True)
class Work:
    """A version taken up: what is to be read, and what its rows will say."""

    at: VersionAt
    vault: Vault
    under_way: UnderWay
    given: Given
    item: IndexedItem
    settings: SplitSettings


@dataclass(frozen=True, slots=True)
class Ingesting:
    """Handles the job `ingest`."""

    database: Database
    vaults: Vaults
    blobs: Blobs
    jobs: Jobs
    reader: Reads
    embedder: Embedder | None
    look_every_s: float = 0.5
    """How often a reading looks whether anybody still wants it."""

    async def queue(self, tx: Transaction, fact: ItemChanged) -> None:
        """Queue the reading of a version, in the transaction that made it."""
        at = VersionAt(fact.workspace_id, fact.item_id, fact.version)
        await self.jobs.queue(tx, jobs.ingest(at, kind=fact.kind))

    async def queue_many(self, tx: Transaction, fact: ItemsChanged) -> None:
        """Queue the reading of several versions."""
        wanted = [
            jobs.ingest(VersionAt(one.workspace_id, one.item_id, one.version), kind=one.kind)
            for one in fact.changed
        ]
        await self.jobs.queue_many(tx, wanted)

    async def forget(self, tx: Transaction, fact: ItemsCancelled | ItemsDeleted) -> None:
        """Take back what waits for these items; what runs finds nothing to do."""
        await self.jobs.drop_waiting(tx, jobs.locks(fact.workspace_id, fact.item_ids))
        await index.drop_splits(tx, fact.workspace_id, fact.item_ids)
        await index.forget_cached(tx, fact.workspace_id, fact.item_ids)

    async def __call__(self, arguments: Arguments) -> None:
        """Read, split and index a version; nothing if a later one has come."""
        at = jobs.version_at(arguments)
        work = await self._take_up(at)
        if work is None:
            return
        try:
            document = await self._read(work)
        except ReadingFailed as failure:
            await self._fail(work, failure)
            return
        if document is None:
            return
        await self._progress(at, Stage.TEXT_EXTRACTED, 0.3)
        chunks = await asyncio.to_thread(
            split_document, document, work.settings, work.item.title, self.embedder
        )
        prepared = await asyncio.to_thread(prepare, work.vault, work.item, chunks)
        await self._index(work, document, chunks, prepared)

    async def gave_up(self, arguments: Arguments, failure: Exception | None) -> None:
        """Say on the item that reading it failed again and again."""
        at = jobs.version_at(arguments)
        async with self.database.transaction() as tx:
            vault = await self.vaults.of(tx, at.workspace_id)
            await processing.fail(tx, vault, at, Remark("gave_up"))
        log.error("item_given_up", item_id=at.item_id, failure=type(failure).__name__)

    async def _take_up(self, at: VersionAt) -> Work | None:
        async with self.database.transaction() as tx:
            under_way = await processing.begin(tx, at)
            if under_way is None:
                return None
            vault = await self.vaults.of(tx, at.workspace_id)
            given = await processing.given(tx, vault, self.blobs, at)
            if under_way.kind == LINK.name and await self._load_first(tx, at, given):
                return None
        if given is None:
            return None
        item = describe(vault, at, under_way, given.split)
        return Work(at, vault, under_way, given, item, settings_of(given.split))

    async def _load_first(self, tx: Transaction, at: VersionAt, given: Given | None) -> bool:
        """Whether the page of a link has to be fetched before it can be read; then it is."""
        page = PageAt(at.workspace_id, at.item_id)
        if given is None:
            await links.want_pages(tx, at.workspace_id, [at.item_id])
        elif not await links.is_wanted(tx, page):
            return False
        await self.jobs.queue(tx, jobs.load(page, asked=True))
        return True

    async def _read(self, work: Work) -> ParsedDocument | None:
        """The document; None once its version is cancelled, changed or gone: its child is killed."""
        reading = asyncio.create_task(self.reader.read(work.under_way.kind, work.given.source))
        try:
            while not (await asyncio.wait([reading], timeout=self.look_every_s))[0]:
                async with self.database.transaction() as tx:
                    if not await processing.is_wanted(tx, work.at):
                        log.info("reading_stopped", item_id=work.at.item_id)
                        return None
            return reading.result()
        finally:
            if not reading.done():
                reading.cancel()
                await asyncio.wait([reading])

    async def _index(
        self,
        work: Work,
        document: ParsedDocument,
        chunks: list[Chunk],
        prepared: list[PreparedChunk],
    ) -> None:
        at, vault = work.at, work.vault
        async with self.database.transaction() as tx:
            under_way = await processing.hold(tx, at)
            if under_way is None:
                return
            again = under_way.serving_version == at.version
            same_text = again and await processing.text_is(tx, vault, at, document.text)
            if not same_text:
                await keep_text(tx, vault, at, document)
            # Read again with another text, its spans would point astray: it is swapped at once.
            now = under_way.serving_version is None or (again and not same_text)
            item = replace(work.item, namespace_id=under_way.namespace_id)  # it may have moved
            if now or self.embedder is None:
                done = self.embedder is None or not chunks
                await swap(tx, vault, item, prepared, meaning_ready=1.0 if done else 0.0)
            if self.embedder is not None and chunks:
                sealed_chunks = seal_split(vault, at.item_id, at.version, chunks)
                kept = index.KeptSplit(new_random_id(), sealed_chunks, searchable=now)
                await index.keep_split(tx, at.workspace_id, at.item_id, at.version, kept)
                await self.jobs.queue(tx, jobs.embed(at, small=len(chunks) <= _SMALL))
                await processing.progress(tx, at, Stage.SPLIT, 0.5)
            elif not now and self.embedder is not None:
                await swap(tx, vault, item, prepared, meaning_ready=1.0)
        log.info("item_indexed", item_id=at.item_id, version=at.version, chunks=len(chunks))

    async def _progress(self, at: VersionAt, stage: Stage, fraction: float) -> None:
        async with self.database.transaction() as tx:
            await processing.progress(tx, at, stage, fraction)

    async def _fail(self, work: Work, failure: ReadingFailed) -> None:
        facts = {
            name: value if isinstance(value, int) else str(value)
            for name, value in failure.facts.items()
        }
        async with self.database.transaction() as tx:
            if await processing.fail(tx, work.vault, work.at, Remark(failure.code, facts)):
                await index.drop_splits(tx, work.at.workspace_id, [work.at.item_id])
                await index.forget_cached(tx, work.at.workspace_id, [work.at.item_id])
        log.info("item_failed", item_id=work.at.item_id, code=failure.code)


def describe(
    vault: Vault, at: VersionAt, under_way: UnderWay, split_json: str | None
) -> IndexedItem:
    """What the rows of an item's version will say."""
    return IndexedItem(
        workspace_id=at.workspace_id,
        namespace_id=under_way.namespace_id,
        item_id=at.item_id,
        item_no=under_way.item_no,
        version=at.version,
        layer=ITEM_KINDS[under_way.kind].layer,
        title=sealed.open_title(vault, at.item_id, under_way.sealed_title),
        context_line=settings_of(split_json).context_line or "",
    )


async def swap(
    tx: Transaction,
    vault: Vault,
    item: IndexedItem,
    prepared: list[PreparedChunk],
    *,
    meaning_ready: float,
) -> None:
    """Put a version's chunks in the place of whatever its item had; its item must be held."""
    await remove_items(tx, item.workspace_id, [item.item_id])
    await write_words(tx, vault, item, prepared)
    at = VersionAt(item.workspace_id, item.item_id, item.version)
    await processing.serve(tx, at, meaning_ready=meaning_ready)


async def keep_text(tx: Transaction, vault: Vault, at: VersionAt, document: ParsedDocument) -> None:
    """Keep what was read of a version."""
    warnings = tuple(Remark(warned.code, warned.facts) for warned in document.warnings)
    await processing.keep_text(tx, vault, at, document.text, warnings)
