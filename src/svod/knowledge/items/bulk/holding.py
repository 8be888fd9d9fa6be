"""Items held for a change: locked in order, then read as they are, by who may see them."""

from collections.abc import Sequence
from dataclasses import dataclass

from svod.foundation.errors import SvodError
from svod.foundation.ids import ItemId
from svod.foundation.storage import Transaction
from svod.knowledge.items.bulk import postgres
from svod.knowledge.items.bulk.order import Results, failed
from svod.knowledge.items.bulk.postgres import HeldRow
from svod.knowledge.items.errors import ItemChangedMeanwhile, ItemNotFound
from svod.knowledge.workspaces import Caller, Reading, write_level
from svod.knowledge.workspaces.errors import LevelReadOnly


@dataclass(frozen=True, slots=True)
class Held:
    """Locked items of one workspace that the caller may change, and whom he is there."""

    reading: Reading
    rows: dict[ItemId, HeldRow]

    @property
    def item_ids(self) -> list[ItemId]:
        """Which they are, in order."""
        return list(self.rows)


async def hold_items(
    tx: Transaction, caller: Caller, item_ids: Sequence[ItemId]
) -> tuple[list[Held], Results]:
    """Lock items until the transaction ends; what may be changed, and why the rest may not.

    An item is changed as whom it was found: in the caller's own workspace, or on the global level.
    """
    held: list[Held] = []
    results: Results = {}
    waiting = sorted(set(item_ids))
    for reading in caller.readings:
        if not waiting:
            break
        await postgres.lock_items(tx, reading.workspace_id, waiting)
        rows = await postgres.held_items(tx, reading, waiting)
        may = {row.item_id: row for row in rows if row.may_send}
        for row in rows:
            if not row.may_send:
                level = write_level(row.level_kind, row.level_name)
                results[row.item_id] = failed(row.item_id, LevelReadOnly(level=level))
        if may:
            held.append(Held(reading, may))
        found = {row.item_id for row in rows}
        waiting = [item_id for item_id in waiting if item_id not in found]
    return held, results | {one: failed(one, ItemNotFound()) for one in waiting}


async def hold_one(
    tx: Transaction, caller: Caller, item_id: ItemId, expected_revision: int | None = None
) -> Held:
    """Lock one item.

    Raises:
        ItemNotFound, LevelReadOnly: the caller may not see it, or not change it.
        ItemChangedMeanwhile: it is no longer at the expected revision.
    """
    held, results = await hold_items(tx, caller, [item_id])
    if not held:
        raise failure_of(results, item_id)
    revision = held[0].rows[item_id].revision
    if expected_revision is not None and revision != expected_revision:
        raise ItemChangedMeanwhile(revision=revision)
    return held[0]


async def seen_rows(
    tx: Transaction, caller: Caller, item_ids: Sequence[ItemId]
) -> list[tuple[Reading, list[HeldRow]]]:
    """Items as they are before they are locked, where locks on what they name come first."""
    return [
        (reading, await postgres.held_items(tx, reading, item_ids)) for reading in caller.readings
    ]


def failure_of(results: Results, item_id: ItemId) -> SvodError:
    """Why nothing was done to an item."""
    return results[item_id].failure or ItemNotFound()
