"""A link's page on its way: fetched, read once, and put into a version only if it says something new.

What follows is as with files. A failure that may pass is tried again a few times; after that the item
says why, its former text serves on, and the page is tried again the next day.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import structlog

from svod.foundation.clock import Clock
from svod.foundation.facts import Facts
from svod.foundation.fetching import Fetched, Fetcher, FetchFailed, Turns, read_url
from svod.foundation.jobs import Arguments, Jobs, Later
from svod.foundation.storage import Blobs, Database, Vaults
from svod.knowledge.ingestion import jobs
from svod.knowledge.ingestion.splitting import Reader
from svod.knowledge.items import loading
from svod.knowledge.items.item import Remark, Source
from svod.knowledge.items.kinds import LINK
from svod.knowledge.items.links import postgres
from svod.knowledge.items.loading import Page, Wanted
from svod.knowledge.parsing import ReadingFailed, media_type_of

log = structlog.get_logger()

PAUSES_S = (2.0, 10.0)
"""How long is waited before a page is tried again that could not be had; then it has failed."""
_LONGEST_PAUSE_S = 300.0
_DUE_AT_ONCE = 100
_VAGUE = frozenset({"text/plain", "application/octet-stream"})


@dataclass(frozen=True, slots=True)
class Loading:
    """Handles the job `load`, and queues it for pages whose day has come."""

    database: Database
    vaults: Vaults
    blobs: Blobs
    jobs: Jobs
    facts: Facts
    clock: Clock
    fetcher: Fetcher
    reader: Reader
    turns: Turns = field(default_factory=Turns)
    pauses_s: Sequence[float] = PAUSES_S

    async def __call__(self, arguments: Arguments) -> None:
        """Fetch a page and keep what is new of it; nothing if nobody waits for it any more."""
        wanted = await self._take_up(arguments)
        if wanted is None:
            return
        try:
            fetched = await self._fetch(wanted)
            page = None if fetched.not_modified else await self._read(fetched)
        except FetchFailed as failure:
            await self._fetch_failed(wanted, failure)
            return
        except ReadingFailed as failure:
            await self._failed(wanted, failure.code, failure.facts)
            return
        await self._keep(wanted, fetched, page)

    async def gave_up(self, arguments: Arguments, failure: Exception | None) -> None:
        """Say on the item that fetching it failed again and again."""
        wanted = await self._take_up(arguments)
        if wanted is not None:
            await self._failed(wanted, "gave_up", {})
        log.error("page_given_up", failure=type(failure).__name__)

    async def queue_due(self) -> int:
        """Queue the pages whose day has come; how many they were."""
        queued = 0
        while True:
            async with self.database.transaction() as tx:
                now = self.clock.now()
                due = await postgres.claim_due(
                    tx, now=now, again_at=now + timedelta(days=1), limit=_DUE_AT_ONCE
                )
                for at in due:
                    await self.jobs.queue(tx, jobs.load(at, asked=False))
            queued += len(due)
            if len(due) < _DUE_AT_ONCE:
                return queued

    async def _take_up(self, arguments: Arguments) -> Wanted | None:
        at = jobs.page_at(arguments)
        async with self.database.transaction() as tx:
            vault = await self.vaults.of(tx, at.workspace_id)
            return await loading.begin(tx, vault, at, asked=bool(arguments["asked"]))

    async def _fetch(self, wanted: Wanted) -> Fetched:
        """The page, when it is its site's turn.

        Raises:
            FetchFailed: with the reason.
            Later: another page of that site is under way, or was a moment ago.
        """
        host = read_url(wanted.url).authority
        wait_s = self.turns.take(host)
        if wait_s > 0:
            raise Later(wait_s)
        try:
            return await self.fetcher.fetch(
                wanted.url,
                etag=wanted.etag,
                last_modified=wanted.last_modified,
                seen_at=wanted.seen_at,
            )
        finally:
            self.turns.end(host)

    async def _read(self, fetched: Fetched) -> Page:
        media_type = await asyncio.to_thread(_media_type, fetched)
        document = await self.reader.read(LINK.name, Source(fetched.content, media_type, ""))
        return Page(fetched, media_type, document.title, document.text)

    async def _keep(self, wanted: Wanted, fetched: Fetched, page: Page | None) -> None:
        async with self.database.transaction() as tx:
            news = page is not None and await loading.is_news(tx, wanted, page)
        async with self.database.transaction() as tx:
            if page is not None and news:
                await loading.keep_page(tx, self.clock, self.facts, self.blobs, wanted, page)
            else:
                await loading.keep_unchanged(tx, self.clock, self.facts, wanted, fetched)
        log.info("page_loaded", item_id=wanted.at.item_id, news=news, status=fetched.status)

    async def _fetch_failed(self, wanted: Wanted, failure: FetchFailed) -> None:
        """Try again soon if that may help, else say so on the item.

        Raises:
            Later: it is tried again.
        """
        if not failure.temporary or wanted.attempts >= len(self.pauses_s):
            await self._failed(wanted, failure.code, failure.facts)
            return
        async with self.database.transaction() as tx:
            await loading.put_off(tx, wanted)
        pause_s = max(self.pauses_s[wanted.attempts], failure.wait_s or 0.0)
        log.info("page_put_off", item_id=wanted.at.item_id, code=failure.code)
        raise Later(min(pause_s, _LONGEST_PAUSE_S))

    async def _failed(self, wanted: Wanted, code: str, facts: Mapping[str, object]) -> None:
        told = {
            name: value if isinstance(value, int) else str(value) for name, value in facts.items()
        }
        async with self.database.transaction() as tx:
            await loading.keep_failed(tx, self.clock, wanted, Remark(code, told))
        log.info("page_failed", item_id=wanted.at.item_id, code=code)


def _media_type(fetched: Fetched) -> str:
    """What a page is: what its site says, or what it looks like where that says little."""
    essence, semicolon, charset = fetched.media_type.partition(";")
    if essence not in _VAGUE:
        return fetched.media_type
    return media_type_of(fetched.content, read_url(fetched.final_url).name) + semicolon + charset
