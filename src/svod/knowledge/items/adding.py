"""Adding a note or a file: recognise what is there already, else a new version or a new item."""

from collections.abc import Mapping
from dataclasses import dataclass

from svod.foundation.clock import Clock
from svod.foundation.facts import Facts
from svod.foundation.ids import ItemId, new_ordered_id
from svod.foundation.storage import Transaction
from svod.knowledge.items import names, postgres, rows, sealed
from svod.knowledge.items.bulk.postgres import touch_items
from svod.knowledge.items.bulk.reading_again import refresh_items
from svod.knowledge.items.bulk.tags import set_tags
from svod.knowledge.items.contents import Content, settled
from svod.knowledge.items.errors import ExternalIdTaken
from svod.knowledge.items.facts import ItemChanged
from svod.knowledge.items.item import Origin, Outcome
from svod.knowledge.workspaces import Reading
from svod.knowledge.workspaces.views import Place


@dataclass(frozen=True, slots=True)
class Wish:
    """How content is to be added: under which id, as what, and whether twins are wanted.

    `tags` are checked and by their keys; None leaves those of an item that is there.
    """

    place: Place
    external_id: str | None
    origin: Origin
    pinned: bool = False
    copy: bool = False
    tags: Mapping[bytes, str] | None = None


async def add(
    tx: Transaction, clock: Clock, facts: Facts, reading: Reading, wish: Wish, content: Content
) -> tuple[ItemId, Outcome]:
    """Add content where it is wished, recognising it by external id, then bytes, then name.

    The same external id on the level is the same item (K18). Else a file is recognised by its bytes
    in its namespace, then by its name, unless a copy is asked for (K20); an item that bears another
    external id is never taken for it. Other settings of splitting split it again (K23).
    """
    twin = await _held_twin(tx, reading, wish, content)
    if twin is None:
        item_id = await create(tx, clock, facts, reading, wish, content)
        if wish.tags:
            await set_tags(tx, reading, item_id, wish.tags)
        return item_id, Outcome.CREATED
    if twin.kind != content.kind:
        raise ExternalIdTaken
    outcome = await _add_to(tx, clock, facts, reading, twin, content)
    if wish.tags is not None and await set_tags(tx, reading, twin.item_id, wish.tags):
        await touch_items(tx, reading.workspace_id, [twin.item_id], now=clock.now())
        outcome = Outcome.UPDATED
    if wish.external_id is not None and twin.external_id_key is None:
        await postgres.set_external_id(
            tx,
            reading.workspace_id,
            twin.item_id,
            sealed_external_id=sealed.seal_external_id(
                reading.vault, twin.item_id, wish.external_id
            ),
            external_id_key=reading.vault.key_for("external_id", wish.external_id),
            now=clock.now(),
        )
    return twin.item_id, outcome


async def add_version(
    tx: Transaction,
    clock: Clock,
    facts: Facts,
    reading: Reading,
    item_id: ItemId,
    content: Content,
) -> None:
    """A new version of an item, queued; the serving one answers until it is complete."""
    version = await postgres.next_version(
        tx,
        reading.workspace_id,
        item_id,
        sealed_title=sealed.seal_title(reading.vault, item_id, content.title),
        name_key=name_key(reading, content),
        content_key=content.content_key,
        now=clock.now(),
    )
    row = new_version(clock, reading, item_id, version, content)
    await postgres.insert_versions(tx, [row])
    await facts.announce(tx, ItemChanged(reading.workspace_id, item_id, version, content.kind))


async def _add_to(
    tx: Transaction,
    clock: Clock,
    facts: Facts,
    reading: Reading,
    twin: rows.TwinRow,
    content: Content,
) -> Outcome:
    item_id, workspace_id = twin.item_id, reading.workspace_id
    found = await postgres.find_version(tx, workspace_id, item_id, twin.version)
    title = split = None
    if found is not None:
        split = sealed.open_split(reading.vault, item_id, found.sealed_split)
        if found.own_title:
            title = sealed.open_title(reading.vault, item_id, found.sealed_title)
    content = settled(reading, content, title, split)
    if twin.content_key != content.content_key:
        await add_version(tx, clock, facts, reading, item_id, content)
        return Outcome.UPDATED
    if content.split == split or content.split is None:
        return Outcome.UNCHANGED
    sealed_split = sealed.seal_split(reading.vault, item_id, content.split)
    await postgres.set_split(tx, workspace_id, item_id, twin.version, sealed_split)
    await refresh_items(tx, clock, facts, reading, [item_id])
    return Outcome.UPDATED


async def _held_twin(
    tx: Transaction, reading: Reading, wish: Wish, content: Content
) -> rows.TwinRow | None:
    """The item that this is, locked, as long as it is still where it was recognised."""
    seen = await _twin(tx, reading, wish, content)
    if seen is None:
        return None
    held = await postgres.lock_twin(tx, reading.workspace_id, seen.item_id)
    return held if held and held.namespace_id == seen.namespace_id else None


async def _twin(
    tx: Transaction, reading: Reading, wish: Wish, content: Content
) -> rows.TwinRow | None:
    vault, workspace_id = reading.vault, reading.workspace_id
    external_key = vault.key_for("external_id", wish.external_id) if wish.external_id else None
    name = name_key(reading, content)
    await postgres.lock_keys(
        tx, [key for key in (external_key, name, content.content_key) if key is not None]
    )
    if external_key is not None:
        twins = await postgres.find_by_external_ids(
            tx, workspace_id, wish.place.level_id, [external_key]
        )
        if twins:
            return twins[0]
    if wish.copy or name is None:
        return None
    twin = await postgres.find_by_content(
        tx, workspace_id, wish.place.namespace_id, content.content_key, kind=content.kind
    )
    if twin is not None and (external_key is None or twin.external_id_key is None):
        return twin
    if external_key is not None:
        return None
    return await postgres.find_by_name(tx, workspace_id, wish.place.namespace_id, name)


async def create(
    tx: Transaction, clock: Clock, facts: Facts, reading: Reading, wish: Wish, content: Content
) -> ItemId:
    """Make an item of content that is not there yet; it is queued."""
    workspace_id = reading.workspace_id
    item_id = ItemId(new_ordered_id(clock))
    number = await postgres.draw_item_numbers(tx, workspace_id, 1)
    await postgres.insert_items(tx, [new_item(clock, reading, wish, item_id, number, content)])
    await postgres.insert_versions(tx, [new_version(clock, reading, item_id, 1, content)])
    await facts.announce(tx, ItemChanged(workspace_id, item_id, 1, content.kind))
    return item_id


def new_item(
    clock: Clock, reading: Reading, wish: Wish, item_id: ItemId, number: int, content: Content
) -> rows.NewItem:
    """The row of an item that was not there."""
    vault, external_id = reading.vault, wish.external_id
    return rows.NewItem(
        workspace_id=reading.workspace_id,
        item_id=item_id,
        item_no=number,
        level_id=wish.place.level_id,
        namespace_id=wish.place.namespace_id,
        kind=content.kind,
        sealed_title=sealed.seal_title(vault, item_id, content.title),
        sealed_external_id=(
            sealed.seal_external_id(vault, item_id, external_id) if external_id else None
        ),
        external_id_key=vault.key_for("external_id", external_id) if external_id else None,
        name_key=name_key(reading, content),
        content_key=content.content_key,
        origin=wish.origin,
        ingest="USER_UPLOAD",
        pinned=wish.pinned,
        created_by=reading.principal_id,
        now=clock.now(),
    )


def new_version(
    clock: Clock, reading: Reading, item_id: ItemId, version: int, content: Content
) -> rows.NewVersion:
    """The row of a version of an item."""
    vault = reading.vault
    return rows.NewVersion(
        workspace_id=reading.workspace_id,
        item_id=item_id,
        version=version,
        media_type=content.media_type,
        sealed_title=sealed.seal_title(vault, item_id, content.title),
        sealed_name=sealed.seal_name(vault, item_id, content.name) if content.name else None,
        sealed_source=(
            None if content.source is None else sealed.seal_source(vault, item_id, content.source)
        ),
        blob_key=content.blob_key,
        size=content.size,
        content_key=content.content_key,
        sealed_split=sealed.seal_split(vault, item_id, content.split) if content.split else None,
        own_title=content.own_title,
        created_by=reading.principal_id,
        now=clock.now(),
    )


def name_key(reading: Reading, content: Content) -> bytes | None:
    """How a file is recognised by its name."""
    return reading.vault.key_for("name", names.folded(content.name)) if content.name else None
