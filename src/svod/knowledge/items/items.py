"""What callers ask of the room: adding, beside looking at items and changing them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from svod.foundation.errors import SvodError
from svod.knowledge.items import names, postgres, sealed
from svod.knowledge.items.adding import Wish, add
from svod.knowledge.items.adding_many import add_notes, wanted_notes
from svod.knowledge.items.bulk import tags
from svod.knowledge.items.contents import content_key, file_content, note_content
from svod.knowledge.items.item import (
    Added,
    FileCheck,
    FileDraft,
    FileState,
    NoteDraft,
    Target,
)
from svod.knowledge.items.linking import Linking
from svod.knowledge.items.made import NoteResult, note_added, note_results, noted_added
from svod.knowledge.workspaces import Caller, Permission, Reading
from svod.knowledge.workspaces.replies import Receipt


@dataclass(frozen=True, slots=True)
class Items(Linking):
    """The items of every workspace, as each caller may see and change them."""

    async def add_note(
        self, caller: Caller, draft: NoteDraft, *, receipt: Receipt | None = None
    ) -> Added:
        """Keep a note; the same external id again makes a new version of it.

        With a receipt, what was made is noted there in the same transaction.

        Raises:
            NoteEmpty, NoteTooLong, BadName, TooManyTags: something of it cannot be kept.
            ExternalIdTaken: an item of another kind has the external id.
            LevelNotFound, LevelReadOnly: the place cannot be written to.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        reading = caller.reading_of(draft.target.level)
        content = note_content(reading, draft.text, draft.title, draft.split)
        external_id = names.external_id(draft.external_id) if draft.external_id else None
        checked = _checked(reading, draft.tags)
        async with self.database.transaction() as tx:
            place = await self._place(tx, reading, draft.target)
            wish = Wish(place, external_id, draft.origin, pinned=draft.pinned, tags=checked)
            item_id, outcome = await add(tx, self.clock, self.facts, reading, wish, content)
            added = Added(await self._item(tx, reading, item_id), outcome)
            if receipt is not None:
                await receipt.note(tx, note_added(added), item_id=item_id)
        return added

    async def add_file(
        self, caller: Caller, draft: FileDraft, *, receipt: Receipt | None = None
    ) -> Added:
        """Keep a file, given its bytes or the sha256 of bytes the caller can read already.

        With a receipt, what was made is noted there in the same transaction.

        Raises:
            FileTooLarge, BadName, TooManyTags: the file, a name or a tag cannot be kept.
            BytesUnknown: no readable file has this sha256.
            ExternalIdTaken: an item of another kind has the external id.
            LevelNotFound, LevelReadOnly: the place cannot be written to.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        reading = caller.reading_of(draft.target.level)
        external_id = names.external_id(draft.external_id) if draft.external_id else None
        checked = _checked(reading, draft.tags)
        async with self.database.transaction() as tx:
            place = await self._place(tx, reading, draft.target)
            content = await file_content(tx, self.blobs, reading, draft, now=self.clock.now())
            wish = Wish(place, external_id, draft.origin, copy=draft.copy, tags=checked)
            item_id, outcome = await add(tx, self.clock, self.facts, reading, wish, content)
            added = Added(await self._item(tx, reading, item_id), outcome)
            if receipt is not None:
                await receipt.note(tx, note_added(added), item_id=item_id)
        return added

    async def add_notes(
        self,
        caller: Caller,
        target: Target,
        drafts: Sequence[NoteDraft],
        *,
        receipt: Receipt | None = None,
    ) -> tuple[NoteResult, ...]:
        """Keep up to 1,000 notes in one place; what became of each, in their order (K19).

        A note that cannot be kept does not hinder the others. The drafts' own targets do not count.

        Raises:
            LevelNotFound, LevelReadOnly: the place cannot be written to.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        reading = caller.reading_of(target.level)
        found = await asyncio.to_thread(wanted_notes, reading, drafts)
        wanted = [one for one in found if not isinstance(one, SvodError)]
        async with self.database.transaction() as tx:
            place = await self._place(tx, reading, target)
            kept = iter(await add_notes(tx, self.clock, self.facts, reading, place, wanted))
            results = tuple(
                NoteResult.refused(one) if isinstance(one, SvodError) else next(kept)
                for one in found
            )
            if receipt is not None:
                await receipt.note(tx, note_results(results))
        return results

    async def recall(self, caller: Caller, note: str) -> Added:
        """What a request added whose reply was lost, from the note on its receipt.

        Raises:
            ItemNotFound: it is gone by now, or may not be read any more.
        """
        item_id, outcome = noted_added(note)
        return Added(await self.get(caller, item_id), outcome)

    async def check_files(
        self, caller: Caller, target: Target, files: Sequence[FileCheck]
    ) -> tuple[FileState, ...]:
        """Whether each file would change anything, and whether its bytes are needed (K19)."""
        caller.need(Permission.KNOWLEDGE_WRITE)
        reading = caller.reading_of(target.level)
        vault = reading.vault
        async with self.database.transaction() as tx:
            place = await self._place(tx, reading, target)
            found = await postgres.check_files(
                tx,
                reading,
                level_id=place.level_id,
                namespace_id=place.namespace_id,
                content_keys=[content_key(reading, file.sha256) for file in files],
                external_id_keys=[
                    vault.key_for("external_id", file.external_id) if file.external_id else None
                    for file in files
                ],
            )
            there = [row.item_id for row in found if row.item_id is not None]
            items = await postgres.find_items(tx, reading, there)
        opened = await asyncio.to_thread(
            lambda: {row.item_id: sealed.open_item(reading, row) for row in items}
        )
        return tuple(
            FileState(opened.get(row.item_id) if row.item_id else None, row.known) for row in found
        )


def _checked(reading: Reading, given: Sequence[str] | None) -> Mapping[bytes, str] | None:
    return None if given is None else tags.checked(reading.vault, given)
