"""Adding a note or a file: recognise what is there already, else a new version or a new item."""

from dataclasses import dataclass

from svod.foundation.clock import Clock
from svod.foundation.facts import Facts
from svod.foundation.ids import ItemId, new_ordered_id
from svod.foundation.storage import Transaction
from svod.knowledge.items import names, postgres, sealed
from svod.knowledge.items.contents import Content
from svod.knowledge.items.item import ItemChanged, Origin, Outcome
from svod.knowledge.workspaces import Reading
from svod.knowledge.workspaces.views import Place


@dataclass(frozen=True, slots=True)
class Wish:
    """How content is to be added: under which id, as what, and whether twins are wanted."""

    place: Place
    external_id: str | None
    origin: Origin
    pinned: bool = False
    copy: bool = False


async def add(
    tx: Transaction, clock: Clock, facts: Facts, reading: Reading, wish: Wish, content: Content
) -> tuple[ItemId, Outcome]:
    """Add content where it is wished, recognising it by external id, then bytes, then name.

    The same external id on the level is the same item (K18). Else a file is recognised by its bytes
    in its namespace, then by its name, unless a copy is asked for (K20); an item that bears another
    external id is never taken for it.
    """
    twin = await _twin(tx, reading, wish, content)
    if twin is None:
        return await _create(tx, clock, facts, reading, wish, content), Outcome.CREATED
    if twin.content_key != content.content_key:
        await add_version(tx, clock, facts, reading, twin.item_id, content)
        return twin.item_id, Outcome.UPDATED
    if wish.external_id is not None and twin.external_id_key is None:
        await postgres.adopt_external_id(
            tx,
            reading.workspace_id,
            twin.item_id,
            sealed_external_id=sealed.seal_external_id(
                reading.vault, twin.item_id, wish.external_id
            ),
            external_id_key=reading.vault.key_for("external_id", wish.external_id),
            now=clock.now(),
        )
    return twin.item_id, Outcome.UNCHANGED


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
        name_key=_name_key(reading, content),
        content_key=content.content_key,
        now=clock.now(),
    )
    await _write_version(tx, clock, reading, item_id, version, content)
    await facts.announce(tx, ItemChanged(reading.workspace_id, item_id, version, content.kind))


async def _twin(
    tx: Transaction, reading: Reading, wish: Wish, content: Content
) -> postgres.TwinRow | None:
    vault, workspace_id = reading.vault, reading.workspace_id
    external_key = vault.key_for("external_id", wish.external_id) if wish.external_id else None
    name_key = _name_key(reading, content)
    await postgres.lock_keys(
        tx, [key for key in (external_key, name_key, content.content_key) if key is not None]
    )
    if external_key is not None:
        twin = await postgres.find_by_external_id(
            tx, workspace_id, wish.place.level_id, external_key
        )
        if twin is not None:
            return twin
    if wish.copy or name_key is None:
        return None
    twin = await postgres.find_by_content(
        tx, workspace_id, wish.place.namespace_id, content.content_key, kind=content.kind
    )
    if twin is not None and (external_key is None or twin.external_id_key is None):
        return twin
    if external_key is not None:
        return None
    return await postgres.find_by_name(tx, workspace_id, wish.place.namespace_id, name_key)


async def _create(
    tx: Transaction, clock: Clock, facts: Facts, reading: Reading, wish: Wish, content: Content
) -> ItemId:
    vault, workspace_id = reading.vault, reading.workspace_id
    item_id = ItemId(new_ordered_id(clock))
    external_id = wish.external_id
    new = postgres.NewItem(
        workspace_id=workspace_id,
        item_id=item_id,
        item_no=await postgres.draw_item_number(tx, workspace_id),
        level_id=wish.place.level_id,
        namespace_id=wish.place.namespace_id,
        kind=content.kind,
        sealed_title=sealed.seal_title(vault, item_id, content.title),
        sealed_external_id=(
            sealed.seal_external_id(vault, item_id, external_id) if external_id else None
        ),
        external_id_key=vault.key_for("external_id", external_id) if external_id else None,
        name_key=_name_key(reading, content),
        content_key=content.content_key,
        origin=wish.origin,
        ingest="USER_UPLOAD",
        pinned=wish.pinned,
        created_by=reading.principal_id,
        now=clock.now(),
    )
    await postgres.insert_item(tx, new)
    await _write_version(tx, clock, reading, item_id, 1, content)
    await facts.announce(tx, ItemChanged(workspace_id, item_id, 1, content.kind))
    return item_id


async def _write_version(
    tx: Transaction,
    clock: Clock,
    reading: Reading,
    item_id: ItemId,
    version: int,
    content: Content,
) -> None:
    vault = reading.vault
    row = postgres.NewVersion(
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
        created_by=reading.principal_id,
        now=clock.now(),
    )
    await postgres.insert_version(tx, row)


def _name_key(reading: Reading, content: Content) -> bytes | None:
    return reading.vault.key_for("name", names.folded(content.name)) if content.name else None
