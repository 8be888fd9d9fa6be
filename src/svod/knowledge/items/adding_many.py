"""Adding many notes at once: few statements, however many there are, and a result for each (K19)."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from svod.foundation.clock import Clock
from svod.foundation.errors import SvodError
from svod.foundation.facts import Facts
from svod.foundation.ids import ItemId, new_ordered_id
from svod.foundation.storage import Transaction
from svod.knowledge.items import names, postgres, rows, sealed
from svod.knowledge.items.adding import Wish, new_item, new_version
from svod.knowledge.items.bulk import postgres as bulk
from svod.knowledge.items.bulk import tags
from svod.knowledge.items.contents import Content, note_content, settled
from svod.knowledge.items.errors import ExternalIdTaken, RepeatedExternalId
from svod.knowledge.items.facts import ItemChanged, ItemsChanged
from svod.knowledge.items.item import NoteDraft, Outcome
from svod.knowledge.items.kinds import NOTE
from svod.knowledge.items.made import NoteResult
from svod.knowledge.workspaces import Reading
from svod.knowledge.workspaces.views import Place

MOST_NOTES = 1000


@dataclass(frozen=True, slots=True)
class Wanted:
    """A note that can be kept."""

    content: Content
    external_id: str | None
    external_key: bytes | None
    tags: dict[bytes, str] | None
    draft: NoteDraft


@dataclass(frozen=True, slots=True)
class Known:
    """What is there of a note already: its item, held, and what stays of it."""

    row: rows.TwinRow
    title: str | None
    split: str | None


def wanted_notes(reading: Reading, drafts: Sequence[NoteDraft]) -> list[Wanted | SvodError]:
    """Each note as it would be kept, or why it cannot be; slow for many, so for a thread."""
    seen: set[str] = set()
    found: list[Wanted | SvodError] = []
    for draft in drafts:
        try:
            wanted = _wanted(reading, draft)
        except SvodError as error:
            found.append(error)
            continue
        if wanted.external_id in seen:
            found.append(RepeatedExternalId())
            continue
        if wanted.external_id is not None:
            seen.add(wanted.external_id)
        found.append(wanted)
    return found


async def add_notes(
    tx: Transaction,
    clock: Clock,
    facts: Facts,
    reading: Reading,
    place: Place,
    wanted: Sequence[Wanted],
) -> list[NoteResult]:
    """Add notes to a place; what became of each, in their order.

    One with the external id of an item there becomes its new version, as it would alone.
    """
    keys = [one.external_key for one in wanted if one.external_key]
    await postgres.lock_keys(tx, keys)
    known = await _known(tx, reading, place, keys)
    last = await postgres.draw_item_numbers(tx, reading.workspace_id, len(wanted))
    work = _Work(clock, reading, place, last - len(wanted))
    results = await asyncio.to_thread(work.sort, wanted, known)
    await postgres.insert_items(tx, work.items)
    await postgres.raise_versions(tx, reading.workspace_id, work.raised, now=clock.now())
    await postgres.insert_versions(tx, work.versions)
    await bulk.clear_tags(tx, reading.workspace_id, work.tagged_anew)
    await bulk.add_tags(tx, reading.workspace_id, work.tags)
    await bulk.touch_items(tx, reading.workspace_id, work.tagged_anew, now=clock.now())
    changed = [
        ItemChanged(reading.workspace_id, one.item_id, one.version, NOTE.name)
        for one in work.versions
    ]
    await facts.announce(tx, ItemsChanged(tuple(changed)))
    return results


class _Work:
    """What is to be written for some notes."""

    def __init__(self, clock: Clock, reading: Reading, place: Place, number: int) -> None:
        self._clock, self._reading, self._place = clock, reading, place
        self._number = number
        self.items: list[rows.NewItem] = []
        self.versions: list[rows.NewVersion] = []
        self.raised: list[tuple[ItemId, bytes, bytes]] = []
        self.tags: list[tuple[ItemId, bytes, bytes]] = []
        self.tagged_anew: list[ItemId] = []
        self._taken: set[ItemId] = set()

    def sort(self, wanted: Sequence[Wanted], known: dict[bytes, Known]) -> list[NoteResult]:
        """Seal what is new of each note; slow for many."""
        return [self._one(one, known.get(one.external_key or b"")) for one in wanted]

    def _one(self, one: Wanted, known: Known | None) -> NoteResult:
        if known is None:
            return self._new(one)
        item_id = known.row.item_id
        if known.row.kind != one.content.kind:
            return NoteResult.refused(ExternalIdTaken())
        content = settled(self._reading, one.content, known.title, known.split)
        if one.tags is not None:
            self.tagged_anew.append(item_id)
            self._tag(item_id, one)
        if content.content_key == bytes(known.row.content_key) and content.split == known.split:
            return NoteResult(Outcome.UNCHANGED, item_id)
        vault, version = self._reading.vault, known.row.version + 1
        title = sealed.seal_title(vault, item_id, content.title)
        self.raised.append((item_id, title, content.content_key))
        self._version(item_id, version, content)
        return NoteResult(Outcome.UPDATED, item_id)

    def _new(self, one: Wanted) -> NoteResult:
        self._number += 1
        item_id = self._new_id()
        wish = Wish(self._place, one.external_id, one.draft.origin, pinned=one.draft.pinned)
        self.items.append(
            new_item(self._clock, self._reading, wish, item_id, self._number, one.content)
        )
        self._version(item_id, 1, one.content)
        self._tag(item_id, one)
        return NoteResult(Outcome.CREATED, item_id)

    def _new_id(self) -> ItemId:
        # So many within a millisecond that two could draw the same.
        item_id = ItemId(new_ordered_id(self._clock))
        while item_id in self._taken:
            item_id = ItemId(new_ordered_id(self._clock))
        self._taken.add(item_id)
        return item_id

    def _version(self, item_id: ItemId, version: int, content: Content) -> None:
        row = new_version(self._clock, self._reading, item_id, version, content)
        self.versions.append(row)

    def _tag(self, item_id: ItemId, one: Wanted) -> None:
        vault = self._reading.vault
        self.tags += [
            (item_id, key, sealed.seal_tag(vault, item_id, tag))
            for key, tag in (one.tags or {}).items()
        ]


def _wanted(reading: Reading, draft: NoteDraft) -> Wanted:
    content = note_content(reading, draft.text, draft.title, draft.split)
    external_id = names.external_id(draft.external_id) if draft.external_id else None
    key = reading.vault.key_for("external_id", external_id) if external_id else None
    checked = None if draft.tags is None else tags.checked(reading.vault, draft.tags)
    return Wanted(content, external_id, key, checked, draft)


async def _known(
    tx: Transaction, reading: Reading, place: Place, keys: Sequence[bytes]
) -> dict[bytes, Known]:
    seen = await postgres.find_by_external_ids(tx, reading.workspace_id, place.level_id, keys)
    await bulk.lock_items(tx, reading.workspace_id, [row.item_id for row in seen])
    twins = await postgres.find_by_external_ids(tx, reading.workspace_id, place.level_id, keys)
    item_ids = [twin.item_id for twin in twins]
    heads = {
        head.item_id: head
        for head in await postgres.newest_versions(tx, reading.workspace_id, item_ids)
    }
    known: dict[bytes, Known] = {}
    for twin in twins:
        head = heads[twin.item_id]
        title = sealed.open_title(reading.vault, twin.item_id, head.sealed_title)
        split = sealed.open_split(reading.vault, twin.item_id, head.sealed_split)
        key = bytes(twin.external_id_key or b"")
        known[key] = Known(twin, title if head.own_title else None, split)
    return known
