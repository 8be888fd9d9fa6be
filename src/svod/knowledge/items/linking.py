"""Adding pages, and saying how often they are fetched again."""

from collections.abc import Callable
from dataclasses import dataclass

from svod.foundation.fetching import Host, WebUrl, check_host, read_url
from svod.foundation.ids import ItemId
from svod.foundation.storage import Transaction
from svod.knowledge.items import names, sealed
from svod.knowledge.items import postgres as items
from svod.knowledge.items.adding import Wish, add_version, create
from svod.knowledge.items.bulk import tags
from svod.knowledge.items.contents import Content, settled
from svod.knowledge.items.editing import Editing
from svod.knowledge.items.errors import ExternalIdTaken
from svod.knowledge.items.item import Added, Outcome
from svod.knowledge.items.kinds import LINK
from svod.knowledge.items.links import postgres
from svod.knowledge.items.links.errors import LinkTaken
from svod.knowledge.items.links.link import LinkDraft, checked_days
from svod.knowledge.items.links.postgres import PageAt
from svod.knowledge.items.made import note_added
from svod.knowledge.items.rows import TwinRow
from svod.knowledge.workspaces import Caller, Permission, Reading
from svod.knowledge.workspaces.replies import Receipt

_UNREAD = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Linking(Editing):
    """The pages among the items of every workspace."""

    check_host: Callable[[Host], None] = check_host
    """Refuses hosts that no page may be fetched from, as far as their notation tells."""

    async def add_link(
        self, caller: Caller, draft: LinkDraft, *, receipt: Receipt | None = None
    ) -> Added:
        """Keep a page; it is fetched and read in the background.

        A level holds a page once (K13): adding it again gives the item that is there, as it is. The
        same external id with another address makes that item the other page.

        Raises:
            FetchFailed: nothing can be fetched from such an address.
            BadRefreshDays, BadName, TooManyTags: something of it cannot be kept.
            ExternalIdTaken: an item of another kind has the external id.
            LinkTaken: one item has the external id, and another one is the page.
            LevelNotFound, LevelReadOnly: the place cannot be written to.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        url = read_url(draft.url)
        self.check_host(url.host)
        refresh_days = checked_days(draft.refresh_days)
        reading = caller.reading_of(draft.target.level)
        external_id = names.external_id(draft.external_id) if draft.external_id else None
        content = _content(reading, url, draft)
        checked = None if draft.tags is None else tags.checked(reading.vault, draft.tags)
        async with self.database.transaction() as tx:
            place = await self._place(tx, reading, draft.target)
            wish = Wish(place, external_id, draft.origin, tags=checked)
            item_id, outcome = await self._add(tx, reading, wish, url, content, refresh_days)
            added = Added(await self._item(tx, reading, item_id), outcome)
            if receipt is not None:
                await receipt.note(tx, note_added(added), item_id=item_id)
        return added

    async def _add(
        self,
        tx: Transaction,
        reading: Reading,
        wish: Wish,
        url: WebUrl,
        content: Content,
        refresh_days: int | None,
    ) -> tuple[ItemId, Outcome]:
        vault, workspace_id = reading.vault, reading.workspace_id
        level_id, url_key = wish.place.level_id, vault.key_for("url", url.key)
        id_key = vault.key_for("external_id", wish.external_id) if wish.external_id else None
        await items.lock_keys(tx, [key for key in (url_key, id_key) if key is not None])
        named = (
            await items.find_by_external_ids(tx, workspace_id, level_id, [id_key]) if id_key else []
        )
        known = await postgres.find_by_url(tx, workspace_id, level_id, url_key)
        if named and named[0].kind != LINK.name:
            raise ExternalIdTaken(external_id=wish.external_id)
        if named and known and named[0].item_id != known.item_id:
            raise LinkTaken
        if known is not None:
            if id_key is not None and known.external_id_key is None:
                await self._give_id(tx, reading, known.item_id, wish.external_id or "", id_key)
            return known.item_id, Outcome.UNCHANGED
        if named:
            item_id, outcome = named[0].item_id, Outcome.UPDATED
            await postgres.lock_item(tx, PageAt(workspace_id, item_id))
            content = await _as_it_was(tx, reading, named[0], content)
            await add_version(tx, self.clock, self.facts, reading, item_id, content)
        else:
            item_id = await create(tx, self.clock, self.facts, reading, wish, content)
            outcome = Outcome.CREATED
        if wish.tags is not None:
            await tags.set_tags(tx, reading, item_id, wish.tags)
        await postgres.put_link(
            tx,
            PageAt(workspace_id, item_id),
            url_key=url_key,
            sealed_url=sealed.seal_url(vault, item_id, url.text),
            refresh_days=refresh_days,
        )
        return item_id, outcome

    async def _give_id(
        self, tx: Transaction, reading: Reading, item_id: ItemId, external_id: str, key: bytes
    ) -> None:
        await items.set_external_id(
            tx,
            reading.workspace_id,
            item_id,
            sealed_external_id=sealed.seal_external_id(reading.vault, item_id, external_id),
            external_id_key=key,
            now=self.clock.now(),
        )


async def _as_it_was(tx: Transaction, reading: Reading, row: TwinRow, content: Content) -> Content:
    """The content of an item that becomes another page: what is not said anew stays."""
    found = await items.find_version(tx, reading.workspace_id, row.item_id, row.version)
    if found is None:
        return content
    vault, item_id = reading.vault, row.item_id
    title = sealed.open_title(vault, item_id, found.sealed_title) if found.own_title else None
    return settled(reading, content, title, sealed.open_split(vault, item_id, found.sealed_split))


def _content(reading: Reading, url: WebUrl, draft: LinkDraft) -> Content:
    """What a link's version holds until the page has come: its address for a title."""
    shown = names.title(draft.title) if draft.title else names.shortened(url.shown)
    return Content(
        kind=LINK.name,
        title=shown,
        media_type=_UNREAD,
        size=0,
        content_key=reading.vault.key_for("page", url.text),
        split=draft.split,
        own_title=bool(draft.title),
    )
