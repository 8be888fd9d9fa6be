"""Links on their way: the rooms of `way`, with pages fetched from a small site on loopback."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from fakes.way import Way, a_way
from fakes.web import LOOPBACK, ScriptedNames, Site, a_fetcher, a_response, serving
from svod.foundation.fetching import Guard, Turns
from svod.foundation.jobs import Job, Later
from svod.foundation.storage import Database, Vaults
from svod.knowledge.ingestion import Loading, Reader
from svod.knowledge.items import Item, Items
from svod.knowledge.items.links.link import LinkDraft
from svod.knowledge.parsing import Parsers
from svod.knowledge.workspaces import Caller


@dataclass
class SetClock:
    """A clock that stands still until it is moved."""

    moment: datetime = field(default_factory=lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))

    def now(self) -> datetime:
        return self.moment

    def go_on(self, **by: float) -> None:
        """Let time pass."""
        self.moment += timedelta(**by)


@dataclass
class Pages:
    """What a test of links uses."""

    way: Way
    loading: Loading
    site: Site
    clock: SetClock
    paused: list[float] = field(default_factory=list)

    def put(self, path: str, text: str, title: str = "", **headers: str) -> None:
        """Let the site have a page of one paragraph."""
        html = f"<!doctype html><html><head><title>{title}</title></head><body><nav>Menu</nav>"
        html += f"<p>{text}</p></body></html>"
        self.site.pages[path] = a_response(
            html.encode(), media_type="text/html; charset=utf-8", **headers
        )

    async def add(self, caller: Caller, path: str, **more: object) -> Item:
        """A link to a page of the site, queued."""
        draft = LinkDraft(f"{self.site.url}{path}", **more)  # type: ignore[arg-type]
        return (await self.way.items.add_link(caller, draft)).item

    async def run(self, name: str | None = None) -> None:
        """Run the waiting jobs, and those they queue; what is to wait runs again at once."""
        waiting = self.way.jobs.waiting
        while job := next((job for job in waiting if name in {None, job.name}), None):
            waiting.remove(job)
            await self._run(job)
            waiting = self.way.jobs.waiting

    async def _run(self, job: Job) -> None:
        handlers = {
            "load": self.loading,
            "ingest": self.way.ingesting,
            "embed": self.way.embedding,
            "unlink_blobs": self.way.unlinking,
        }
        handler = handlers.get(job.name)
        if handler is None:
            return
        try:
            await handler(job.arguments)
        except Later as later:
            self.paused.append(later.wait_s)
            self.way.jobs.waiting.append(job)

    async def due(self) -> int:
        """Queue what is due and run it; how many pages it was."""
        queued = await self.loading.queue_due()
        await self.run()
        return queued


@asynccontextmanager
async def some_pages(database: Database, vaults: Vaults, folder: Path) -> AsyncGenerator[Pages]:
    """The rooms on a database, and the site."""
    clock = SetClock()
    parsers = Parsers(children=2, memory_mb=1500, timeout_s=60)
    async with a_way(database, vaults, folder) as way, serving(Site()) as site:
        way.items = Items(
            database,
            way.blobs,
            way.jobs,
            way.facts,
            clock,
            check_host=Guard(ScriptedNames(), LOOPBACK).check,
        )
        loading = Loading(
            database,
            vaults,
            way.blobs,
            way.jobs,
            way.facts,
            clock,
            a_fetcher(),
            Reader(parsers),
            turns=Turns(gap_s=0.0),
        )
        yield Pages(way, loading, site, clock)
    await parsers.close()
