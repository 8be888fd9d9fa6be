"""How often a page is fetched again."""

from svod.foundation.clock import Clock
from svod.foundation.ids import ItemId
from svod.foundation.storage import Transaction
from svod.knowledge.items.bulk.postgres import touch_items
from svod.knowledge.items.links import postgres
from svod.knowledge.items.links.errors import NotALink
from svod.knowledge.items.links.link import checked_days, next_refresh
from svod.knowledge.items.links.postgres import PageAt
from svod.knowledge.workspaces import Reading


async def set_refresh(
    tx: Transaction, clock: Clock, reading: Reading, item_id: ItemId, days: int | None
) -> None:
    """Let the page of a held item be fetched again so often, counted from when it last was (K35).

    Raises:
        NotALink: the item is no page.
        BadRefreshDays: not 1, 7, 30 or None.
    """
    at = PageAt(reading.workspace_id, item_id)
    row = await postgres.find_link(tx, at)
    if row is None:
        raise NotALink
    if checked_days(days) == row.refresh_days:
        return
    due = None if row.fetched_at is None else next_refresh(row.fetched_at, days)
    await postgres.set_refresh_days(tx, at, days, next_refresh_at=due)
    await touch_items(tx, reading.workspace_id, [item_id], now=clock.now())
