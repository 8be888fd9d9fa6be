"""How the fetching of a link's page is recorded: for the room that fetches and reads it.

Each function works in the caller's transaction. What came while the page was on its way wins: a link
that leads elsewhere by now, was cancelled or deleted, is left as it is.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from svod.foundation.clock import Clock
from svod.foundation.facts import Facts
from svod.foundation.fetching import Fetched
from svod.foundation.storage import Blobs, Transaction, Vault
from svod.knowledge.items import processing, sealed
from svod.knowledge.items.adding import add_version
from svod.knowledge.items.bulk.postgres import delete_unused_blobs
from svod.knowledge.items.contents import Content, content_key, store_bytes
from svod.knowledge.items.facts import ItemChanged
from svod.knowledge.items.item import Remark
from svod.knowledge.items.kinds import LINK
from svod.knowledge.items.links import postgres
from svod.knowledge.items.links.link import next_refresh, open_mark, seal_mark
from svod.knowledge.items.links.postgres import LinkRow, MarksRow, PageAt, PageRow
from svod.knowledge.items.processing import VersionAt
from svod.knowledge.workspaces import Reading

_UNDER_WAY = frozenset({"queued", "processing"})
_FAILED_DAYS_UNASKED = 7
"""A page that nobody asked to refresh is tried again on so many days after it could not be had."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page to fetch, and the marks of the copy at hand."""

    at: PageAt
    vault: Vault
    url: str
    seen_at: str | None
    etag: str | None
    last_modified: str | None
    attempts: int
    asked: bool


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it came and what was read of it."""

    fetched: Fetched
    media_type: str
    title: str | None
    text: str

    @property
    def digest(self) -> bytes:
        """The sha256 of its bytes."""
        return sha256(self.fetched.content).digest()


async def begin(tx: Transaction, vault: Vault, at: PageAt, *, asked: bool) -> Wanted | None:
    """What is to be fetched; None when nobody waits for it any more.

    Args:
        tx: the transaction.
        vault: opens what is sealed.
        at: the page.
        asked: somebody waits for the item, as it was just added or refreshed; else it is due.
    """
    row = await postgres.find_link(tx, at)
    if row is None or (asked and not _is_awaited(row)):
        return None
    marked = row.marked_version == row.version and row.sealed_final_url is not None
    return Wanted(
        at=at,
        vault=vault,
        url=sealed.open_url(vault, at.item_id, row.sealed_url),
        seen_at=sealed.open_url(vault, at.item_id, row.sealed_final_url or b"") if marked else None,
        etag=open_mark(vault, at.item_id, row.sealed_etag) if marked else None,
        last_modified=open_mark(vault, at.item_id, row.sealed_last_modified) if marked else None,
        attempts=row.attempts,
        asked=asked,
    )


async def is_news(tx: Transaction, wanted: Wanted, page: Page) -> bool:
    """Whether the text of a page is another than the one at hand."""
    row = await postgres.find_link(tx, wanted.at)
    if row is None or row.blob_key is None:
        return row is not None
    if bytes(row.content_key) == content_key(_reading(wanted, row), page.digest):
        return False
    at = VersionAt(wanted.at.workspace_id, wanted.at.item_id, row.version)
    return not await processing.text_is(tx, wanted.vault, at, page.text)


async def keep_page(
    tx: Transaction, clock: Clock, facts: Facts, blobs: Blobs, wanted: Wanted, page: Page
) -> None:
    """Put a page into the version that waits for it, or else into a new one; it is read next."""
    vault, now = wanted.vault, clock.now()
    blob_key = await store_bytes(tx, blobs, vault, page.fetched.content, now)
    row = await _hold(tx, wanted)
    if row is None:
        # The file itself is swept, as nothing points at it.
        await delete_unused_blobs(tx, wanted.at.workspace_id, [blob_key])
        return
    reading = _reading(wanted, row)
    content = _content(reading, row, page, blob_key)
    version = row.version
    if row.blob_key is None:
        title = sealed.seal_title(vault, row.item_id, content.title)
        kept = PageRow(
            version, content.media_type, content.size, content.content_key, blob_key, title, now
        )
        await postgres.fill_version(tx, wanted.at, kept)
    else:
        version += 1
        await add_version(tx, clock, facts, reading, row.item_id, content)
    await _keep_marks(tx, wanted, row, page.fetched, version, now)
    if row.blob_key is None:
        fact = ItemChanged(wanted.at.workspace_id, row.item_id, version, LINK.name)
        await facts.announce(tx, fact)


async def keep_unchanged(
    tx: Transaction, clock: Clock, facts: Facts, wanted: Wanted, fetched: Fetched
) -> None:
    """Say that a page is as it was: nothing is read anew, unless it was not read to its end."""
    row = await _hold(tx, wanted)
    if row is None:
        return
    await _keep_marks(tx, wanted, row, fetched, row.version, clock.now())
    if row.reread or not await postgres.settle_item(tx, wanted.at):
        await postgres.read_again(tx, wanted.at)
        fact = ItemChanged(wanted.at.workspace_id, row.item_id, row.version, LINK.name)
        await facts.announce(tx, fact)


async def put_off(tx: Transaction, wanted: Wanted) -> None:
    """Count a try that is followed by another soon."""
    await postgres.count_attempt(tx, wanted.at)


async def keep_failed(tx: Transaction, clock: Clock, wanted: Wanted, failure: Remark) -> None:
    """Say why a page could not be had; it is tried again the next day (K35)."""
    row = await _hold(tx, wanted)
    if row is None:
        return
    if not wanted.asked and row.status in _UNDER_WAY:
        # Somebody has it read meanwhile; what comes of that is the news.
        return
    now, vault = clock.now(), wanted.vault
    insist = row.refresh_days is not None or row.failed_days < _FAILED_DAYS_UNASKED
    again = now + timedelta(days=1) if insist else None
    await postgres.keep_failed(tx, wanted.at, next_refresh_at=again)
    sealed_failure = sealed.seal_failure(vault, row.item_id, failure)
    await postgres.fail_load(
        tx, wanted.at, code=failure.code, sealed_failure=sealed_failure, now=now
    )


async def _hold(tx: Transaction, wanted: Wanted) -> LinkRow | None:
    """The link, locked, if it still is what was fetched and somebody still waits for it."""
    if not await postgres.lock_item(tx, wanted.at):
        return None
    row = await postgres.find_link(tx, wanted.at)
    if row is None or sealed.open_url(wanted.vault, row.item_id, row.sealed_url) != wanted.url:
        return None
    return None if wanted.asked and not _is_awaited(row) else row


def _reading(wanted: Wanted, row: LinkRow) -> Reading:
    """Whoever made the item, for the versions that its page makes."""
    return Reading(wanted.at.workspace_id, row.created_by, wanted.vault)


def _is_awaited(row: LinkRow) -> bool:
    return row.wanted and row.status in _UNDER_WAY


def _content(reading: Reading, row: LinkRow, page: Page, blob_key: bytes) -> Content:
    old_title = sealed.open_title(reading.vault, row.item_id, row.sealed_title)
    fetched = page.fetched
    return Content(
        kind=LINK.name,
        title=old_title if row.own_title else page.title or old_title,
        media_type=page.media_type,
        size=len(fetched.content),
        content_key=content_key(reading, page.digest),
        blob_key=blob_key,
        split=sealed.open_split(reading.vault, row.item_id, row.sealed_split),
        own_title=row.own_title,
    )


async def _keep_marks(
    tx: Transaction, wanted: Wanted, row: LinkRow, fetched: Fetched, version: int, now: datetime
) -> None:
    vault, item_id = wanted.vault, row.item_id
    marks = MarksRow(
        sealed_final_url=sealed.seal_url(vault, item_id, fetched.final_url),
        sealed_etag=seal_mark(vault, item_id, fetched.etag or _kept(wanted.etag, fetched)),
        sealed_last_modified=seal_mark(
            vault, item_id, fetched.last_modified or _kept(wanted.last_modified, fetched)
        ),
        version=version,
        now=now,
        next_refresh_at=next_refresh(now, row.refresh_days),
    )
    await postgres.keep_fetched(tx, wanted.at, marks)


def _kept(mark: str | None, fetched: Fetched) -> str | None:
    """A mark that an unchanged page did not repeat holds on."""
    return mark if fetched.not_modified else None
