"""Items read again, and reading broken off."""

from collections.abc import Sequence

from svod.foundation.clock import Clock
from svod.foundation.facts import Facts
from svod.foundation.ids import ItemId
from svod.foundation.storage import Transaction
from svod.knowledge.items.bulk import postgres
from svod.knowledge.items.bulk.order import Became, Results, each, failed
from svod.knowledge.items.errors import NothingToCancel
from svod.knowledge.items.facts import ItemChanged, ItemsCancelled, ItemsChanged
from svod.knowledge.workspaces import Reading


async def refresh_items(
    tx: Transaction, clock: Clock, facts: Facts, reading: Reading, item_ids: Sequence[ItemId]
) -> Results:
    """Queue the newest version of held items again, and clear their failures (K17)."""
    rows = await postgres.requeue_items(tx, reading.workspace_id, item_ids, now=clock.now())
    changed = [ItemChanged(reading.workspace_id, r.item_id, r.version, r.kind) for r in rows]
    await facts.announce(tx, ItemsChanged(tuple(changed)))
    return each(list(item_ids), Became.DONE)


async def cancel_items(
    tx: Transaction, clock: Clock, facts: Facts, reading: Reading, item_ids: Sequence[ItemId]
) -> Results:
    """Break off what waits or is being read of held items; what serves goes on serving (K15)."""
    done = await postgres.cancel_items(tx, reading.workspace_id, item_ids, now=clock.now())
    if done:
        await facts.announce(tx, ItemsCancelled(reading.workspace_id, tuple(done)))
    idle = [item_id for item_id in item_ids if item_id not in set(done)]
    return each(done, Became.DONE) | {one: failed(one, NothingToCancel()) for one in idle}
