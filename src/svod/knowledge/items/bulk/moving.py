"""Moving items between namespaces and levels of a workspace, with all that was made of them."""

from collections.abc import Sequence

from svod.foundation.clock import Clock
from svod.foundation.facts import Facts
from svod.foundation.ids import ItemId
from svod.foundation.storage import Transaction
from svod.knowledge.items.bulk import postgres
from svod.knowledge.items.bulk.holding import Held, seen_rows
from svod.knowledge.items.bulk.order import Became, Results, each, failed
from svod.knowledge.items.errors import ExternalIdTaken
from svod.knowledge.items.facts import ItemsMoved
from svod.knowledge.items.links.errors import LinkTaken
from svod.knowledge.items.links.postgres import taken_urls
from svod.knowledge.items.postgres import lock_keys
from svod.knowledge.workspaces import Caller
from svod.knowledge.workspaces.views import Place


async def lock_external_ids(
    tx: Transaction, caller: Caller, item_ids: Sequence[ItemId], new: str | None = None
) -> None:
    """Wait for whoever adds under the external ids of these items, or the one they will have.

    To be called before they are locked, as whoever adds does it in that order too.
    """
    keys: list[bytes] = []
    for reading, rows in await seen_rows(tx, caller, item_ids):
        keys += [row.external_id_key for row in rows if row.external_id_key]
        if new and rows:
            keys.append(reading.vault.key_for("external_id", new))
    await lock_keys(tx, keys)


async def move_items(
    tx: Transaction, clock: Clock, facts: Facts, held: Held, place: Place
) -> Results:
    """Put held items into a place that the caller may write to, in the workspace they are in.

    One whose external id another item has there stays where it is.
    """
    workspace_id = held.reading.workspace_id
    staying = [one.item_id for one in held.rows.values() if one.namespace_id == place.namespace_id]
    coming = {
        one.item_id: one.external_id_key
        for one in held.rows.values()
        if one.level_id != place.level_id and one.external_id_key is not None
    }
    await lock_keys(tx, coming.values())
    taken = await postgres.taken_external_ids(
        tx, workspace_id, place.level_id, list(coming.values())
    )
    results = each(staying, Became.UNCHANGED)
    going_to = [one.item_id for one in held.rows.values() if one.level_id != place.level_id]
    for item_id in await taken_urls(tx, workspace_id, place.level_id, going_to):
        results[item_id] = failed(item_id, LinkTaken())
    going: list[ItemId] = []
    for item_id in held.rows:
        key = coming.get(item_id)
        if item_id in results:
            continue
        if key is not None and key in taken:
            results[item_id] = failed(item_id, ExternalIdTaken())
            continue
        if key is not None:
            taken.add(key)
        going.append(item_id)
    if going:
        await postgres.move_items(
            tx,
            workspace_id,
            going,
            level_id=place.level_id,
            namespace_id=place.namespace_id,
            now=clock.now(),
        )
        await facts.announce(tx, ItemsMoved(workspace_id, tuple(going), place.namespace_id))
    return results | each(going, Became.DONE)
