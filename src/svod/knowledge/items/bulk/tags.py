"""Tags: up to 20 an item, compared without case, sealed, and found by keyed hashes."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from svod.foundation.clock import Clock
from svod.foundation.ids import ItemId
from svod.foundation.storage import Transaction, Vault
from svod.knowledge.items import names, sealed
from svod.knowledge.items.bulk import postgres
from svod.knowledge.items.bulk.order import Became, ItemResult, Results, failed
from svod.knowledge.items.errors import TooManyTags
from svod.knowledge.workspaces import Reading

MOST_TAGS = 20


def tag_key(vault: Vault, tag: str) -> bytes:
    """What a tag is looked up by; the same in every case of letters."""
    return vault.key_for("tag", names.folded(tag))


def checked(vault: Vault, tags: Iterable[str]) -> dict[bytes, str]:
    """Tags by their keys, without repetitions.

    Raises:
        BadName: one is empty, over 50 characters, or holds control characters.
        TooManyTags: they are more than an item may have.
    """
    kept: dict[bytes, str] = {}
    for tag in map(names.tag, tags):
        kept.setdefault(tag_key(vault, tag), tag)
    if len(kept) > MOST_TAGS:
        raise TooManyTags(limit=MOST_TAGS)
    return kept


async def add_tags(
    tx: Transaction,
    clock: Clock,
    reading: Reading,
    item_ids: Sequence[ItemId],
    tags: Mapping[bytes, str],
) -> Results:
    """Give held items tags that were checked; one that would have too many gets none of them."""
    results: Results = {}
    fresh: list[tuple[ItemId, bytes]] = []
    has = await _tags_of(tx, reading, item_ids)
    for item_id in item_ids:
        added = [key for key in tags if key not in has[item_id]]
        if len(has[item_id]) + len(added) > MOST_TAGS:
            results[item_id] = failed(item_id, TooManyTags(limit=MOST_TAGS))
            continue
        fresh += [(item_id, key) for key in added]
        results[item_id] = ItemResult(item_id, Became.DONE if added else Became.UNCHANGED)
    await _write(tx, reading, fresh, tags)
    changed = list({item_id for item_id, _ in fresh})
    await postgres.touch_items(tx, reading.workspace_id, changed, now=clock.now())
    return results


async def remove_tags(
    tx: Transaction,
    clock: Clock,
    reading: Reading,
    item_ids: Sequence[ItemId],
    tags: Mapping[bytes, str],
) -> Results:
    """Take tags away from held items."""
    had = set(await postgres.remove_tags(tx, reading.workspace_id, item_ids, list(tags)))
    await postgres.touch_items(tx, reading.workspace_id, list(had), now=clock.now())
    return {
        item_id: ItemResult(item_id, Became.DONE if item_id in had else Became.UNCHANGED)
        for item_id in item_ids
    }


async def set_tags(
    tx: Transaction, reading: Reading, item_id: ItemId, tags: Mapping[bytes, str]
) -> bool:
    """Let a held item have just these tags; whether that changed anything."""
    has = (await _tags_of(tx, reading, [item_id]))[item_id]
    gone = [key for key in has if key not in tags]
    fresh = [(item_id, key) for key in tags if key not in has]
    await postgres.remove_tags(tx, reading.workspace_id, [item_id], gone)
    await _write(tx, reading, fresh, tags)
    return bool(gone or fresh)


async def _tags_of(
    tx: Transaction, reading: Reading, item_ids: Sequence[ItemId]
) -> Mapping[ItemId, set[bytes]]:
    has: dict[ItemId, set[bytes]] = defaultdict(set)
    for row in await postgres.tags_of_items(tx, reading.workspace_id, item_ids):
        has[row.item_id].add(bytes(row.tag_key))
    return has


async def _write(
    tx: Transaction,
    reading: Reading,
    fresh: Sequence[tuple[ItemId, bytes]],
    tags: Mapping[bytes, str],
) -> None:
    vault = reading.vault

    def seal() -> list[tuple[ItemId, bytes, bytes]]:
        return [
            (item_id, key, sealed.seal_tag(vault, item_id, tags[key])) for item_id, key in fresh
        ]

    await postgres.add_tags(tx, reading.workspace_id, await asyncio.to_thread(seal))
