"""The rooms on an item's way to what is searched, wired as always, with their jobs by hand."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from fakes.planted import PlantedEmbedder, direction
from svod.assembly import join
from svod.foundation.clock import SystemClock
from svod.foundation.facts import Facts
from svod.foundation.ids import ItemId
from svod.foundation.jobs import Job, Jobs
from svod.foundation.providers import Purpose, Vectors
from svod.foundation.storage import Blobs, Database, Transaction, Vaults
from svod.knowledge.ingestion import Embedding, Ingesting, Reader
from svod.knowledge.items import Item, Items, NoteDraft
from svod.knowledge.items.jobs import Unlinking
from svod.knowledge.parsing import Parsers
from svod.knowledge.retrieval import Mode, Retrieval, RetrievalPlan
from svod.knowledge.workspaces import Caller
from svod.knowledge.workspaces.tenants.jobs import RemovingFiles


class HeldJobs(Jobs):
    """The queue, with what is put in kept for the test to run when it likes."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.waiting: list[Job] = []

    async def queue(self, tx: Transaction, job: Job) -> int | None:  # noqa: ARG002
        self.waiting.append(job)
        return None

    async def queue_many(self, tx: Transaction, jobs: Sequence[Job]) -> None:  # noqa: ARG002
        self.waiting.extend(jobs)

    async def drop_waiting(self, tx: Transaction, locks: Sequence[str]) -> None:  # noqa: ARG002
        self.waiting = [job for job in self.waiting if job.lock not in locks]


class CountingEmbedder(PlantedEmbedder):
    """Remembers what it was given to store."""

    def __init__(self) -> None:
        super().__init__(дней=direction(1.0), days=direction(1.0))
        self.stored: list[str] = []

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        if purpose is Purpose.STORE:
            self.stored.extend(texts)
        return await super().embed(texts, purpose=purpose)


@dataclass
class Way:
    """The rooms on an item's way, and its jobs by hand."""

    items: Items
    jobs: HeldJobs
    ingesting: Ingesting
    embedding: Embedding
    unlinking: Unlinking
    embedder: CountingEmbedder
    retrieval: Retrieval
    database: Database
    facts: Facts
    blobs: Blobs

    async def run(self, name: str | None = None, *, at_once: int = 1) -> None:
        """Run the waiting jobs, and those they queue, up to the end or only those of a name."""
        async with asyncio.TaskGroup() as group:
            for _ in range(at_once):
                group.create_task(self._run(name))

    async def _run(self, name: str | None) -> None:
        handlers = {
            "ingest": self.ingesting,
            "embed": self.embedding,
            "unlink_blobs": self.unlinking,
            "remove_workspace_files": RemovingFiles(self.database, self.blobs),
        }
        while job := next((job for job in self.jobs.waiting if name in {None, job.name}), None):
            self.jobs.waiting.remove(job)
            if job.name in handlers:
                await handlers[job.name](job.arguments)

    async def note(self, caller: Caller, text: str, **more: object) -> Item:
        """A note, queued."""
        return (await self.items.add_note(caller, NoteDraft(text, **more))).item  # type: ignore[arg-type]

    async def texts(self, caller: Caller, query: str, mode: Mode = Mode.WORDS) -> list[str]:
        """What a search finds, words that match or vectors alike."""
        found = await self.retrieval.search(caller, RetrievalPlan(query, mode=mode))
        return [hit.text for hit in found.hits]

    async def count(self, table: str, item_id: ItemId) -> int:
        """Rows of an item."""
        return await self.value(
            f"select count(*) from {table} where item_id = %s",  # noqa: S608 - a name of ours
            item_id,
        )

    async def value(self, sql: str, *values: object) -> int:
        """The first column of the first row of a test's own question."""
        async with self.database.transaction() as tx:
            cursor = await tx.connection.execute(sql.encode(), values)
            row = await cursor.fetchone()
        assert row is not None
        return row[0]


@asynccontextmanager
async def a_way(database: Database, vaults: Vaults, folder: Path) -> AsyncGenerator[Way]:
    """The rooms on a database, their files in a folder."""
    facts, jobs, clock = Facts(), HeldJobs(database), SystemClock()
    blobs = Blobs(folder / "blobs")
    embedder = CountingEmbedder()
    parsers = Parsers(children=2, memory_mb=1500, timeout_s=60)
    ingesting = Ingesting(database, vaults, blobs, jobs, Reader(parsers), embedder)
    items = Items(database, blobs, jobs, facts, clock)
    join(facts, items, ingesting)
    yield Way(
        items,
        jobs,
        ingesting,
        Embedding(database, vaults, blobs, jobs, clock, embedder),
        Unlinking(database, blobs),
        embedder,
        Retrieval(database, embedder, clock),
        database,
        facts,
        blobs,
    )
    await parsers.close()
