"""What callers ask of the room: add, read, change and delete items."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from svod.foundation.clock import Clock
from svod.foundation.facts import Facts
from svod.foundation.ids import ItemId
from svod.foundation.jobs import Jobs, WaitingReason
from svod.foundation.storage import Blobs, Database, Transaction
from svod.knowledge.items import names, postgres, sealed
from svod.knowledge.items.adding import Wish, add, add_version
from svod.knowledge.items.contents import (
    changed_content,
    content_key,
    file_content,
    note_content,
)
from svod.knowledge.items.cursor import read_cursor, write_cursor
from svod.knowledge.items.errors import (
    ItemMoved,
    ItemNotFound,
    TextNotRead,
    VersionNotFound,
)
from svod.knowledge.items.item import (
    Added,
    FileCheck,
    FileDraft,
    FileState,
    Item,
    ItemChange,
    ItemChanged,
    ItemQuery,
    ItemsDeleted,
    ItemText,
    NoteDraft,
    Page,
    Source,
    Status,
    Target,
    Version,
)
from svod.knowledge.items.jobs import unlink
from svod.knowledge.workspaces import (
    Caller,
    Permission,
    Reading,
    place_to_write,
    read_level,
    write_level,
)
from svod.knowledge.workspaces.errors import LevelReadOnly
from svod.knowledge.workspaces.views import Place


@dataclass(frozen=True, slots=True)
class Items:
    """The items of every workspace, as each caller may see and change them."""

    database: Database
    blobs: Blobs
    jobs: Jobs
    facts: Facts
    clock: Clock

    async def add_note(self, caller: Caller, draft: NoteDraft) -> Added:
        """Keep a note; the same external id again makes a new version of it.

        Raises:
            NoteEmpty, NoteTooLong, BadName: the text, title or external id cannot be kept.
            LevelNotFound, LevelReadOnly: the place cannot be written to.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        content = note_content(caller.own, draft.text, draft.title, draft.split)
        external_id = names.external_id(draft.external_id) if draft.external_id else None
        async with self.database.transaction() as tx:
            place = await self._place(tx, caller, draft.target)
            wish = Wish(place, external_id, draft.origin, pinned=draft.pinned)
            item_id, outcome = await add(tx, self.clock, self.facts, caller.own, wish, content)
            return Added(await self._item(tx, caller.own, item_id), outcome)

    async def add_file(self, caller: Caller, draft: FileDraft) -> Added:
        """Keep a file, given its bytes or the sha256 of bytes the caller can read already.

        Raises:
            FileTooLarge, BadName: the file or a name cannot be kept.
            BytesUnknown: no readable file has this sha256.
            LevelNotFound, LevelReadOnly: the place cannot be written to.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        external_id = names.external_id(draft.external_id) if draft.external_id else None
        async with self.database.transaction() as tx:
            place = await self._place(tx, caller, draft.target)
            content = await file_content(tx, self.blobs, caller.own, draft, now=self.clock.now())
            wish = Wish(place, external_id, draft.origin, copy=draft.copy)
            item_id, outcome = await add(tx, self.clock, self.facts, caller.own, wish, content)
            return Added(await self._item(tx, caller.own, item_id), outcome)

    async def check_files(
        self, caller: Caller, target: Target, files: Sequence[FileCheck]
    ) -> tuple[FileState, ...]:
        """Whether each file would change anything, and whether its bytes are needed (K19)."""
        caller.need(Permission.KNOWLEDGE_WRITE)
        vault = caller.vault
        async with self.database.transaction() as tx:
            place = await self._place(tx, caller, target)
            rows = await postgres.check_files(
                tx,
                caller.own,
                level_id=place.level_id,
                namespace_id=place.namespace_id,
                content_keys=[content_key(caller.own, file.sha256) for file in files],
                external_id_keys=[
                    vault.key_for("external_id", file.external_id) if file.external_id else None
                    for file in files
                ],
            )
        return tuple(FileState(row.item_id, row.known) for row in rows)

    async def get(self, caller: Caller, item_id: ItemId) -> Item:
        """An item.

        Raises:
            ItemNotFound: it is not there, or may not be read.
        """
        caller.need(Permission.KNOWLEDGE_READ)
        async with self.database.transaction() as tx:
            reading, row = await self._find(tx, caller, item_id)
        (item,) = await self._with_reasons([sealed.open_item(reading, row)])
        return item

    async def list(self, caller: Caller, query: ItemQuery) -> Page:
        """Items, newest change first; those of the global level when it is named."""
        caller.need(Permission.KNOWLEDGE_READ)
        reading = caller.system if query.level == "global" else caller.own
        kind, name = read_level(query.level) if query.level else (None, None)
        before, before_id = read_cursor(query.cursor) if query.cursor else (None, None)
        key = reading.vault.key_for("external_id", query.external_id) if query.external_id else None
        filters: dict[str, object] = {
            "level_kind": kind,
            "level_name": name,
            "namespace": query.namespace,
            "kind": query.kind,
            "status": query.status,
            "external_id_key": key,
            "before": before,
            "before_id": before_id,
            "limit": query.limit + 1,
        }
        async with self.database.transaction() as tx:
            rows = await postgres.list_items(tx, reading, filters)
        opened = [sealed.open_item(reading, row) for row in rows[: query.limit]]
        shown = tuple(await self._with_reasons(opened))
        more = len(rows) > query.limit
        return Page(shown, write_cursor(shown[-1].updated_at, shown[-1].item_id) if more else None)

    async def text(self, caller: Caller, item_id: ItemId, version: int | None = None) -> ItemText:
        """The canonical text of a version, by default the serving one, else the newest.

        Raises:
            ItemNotFound, VersionNotFound: there is none that may be read.
            TextNotRead: its text was not read yet, or could not be.
        """
        caller.need(Permission.KNOWLEDGE_READ)
        async with self.database.transaction() as tx:
            reading, row = await self._find(tx, caller, item_id)
            wanted = version or row.serving_version or row.version
            found = await self._version(tx, reading, item_id, wanted)
        text = sealed.open_text(reading.vault, item_id, found)
        if text is None:
            raise TextNotRead
        return text

    async def versions(self, caller: Caller, item_id: ItemId) -> tuple[Version, ...]:
        """Every version of an item, newest first."""
        caller.need(Permission.KNOWLEDGE_READ)
        async with self.database.transaction() as tx:
            reading, _ = await self._find(tx, caller, item_id)
            rows = await postgres.list_versions(tx, reading.workspace_id, item_id)
        return tuple(sealed.open_version(reading.vault, item_id, row) for row in rows)

    async def source(self, caller: Caller, item_id: ItemId, version: int | None = None) -> Source:
        """What was given for a version, by default the newest: bytes, type and name."""
        caller.need(Permission.KNOWLEDGE_READ)
        async with self.database.transaction() as tx:
            reading, row = await self._find(tx, caller, item_id)
            found = await self._version(tx, reading, item_id, version or row.version)
        vault = reading.vault
        name = sealed.open_name(vault, item_id, found.sealed_name)
        if found.blob_key is not None:
            content = await self.blobs.get(vault, found.blob_key)
        elif found.sealed_source is not None:
            content = sealed.open_source(vault, item_id, found.sealed_source).encode()
        else:
            raise VersionNotFound(version=found.version)
        return Source(content, found.media_type, name or "note.md")

    async def change(
        self,
        caller: Caller,
        item_id: ItemId,
        change: ItemChange,
        *,
        expected_revision: int | None = None,
    ) -> Item:
        """Change an item; a new title or text makes a new version, which is read and indexed.

        Raises:
            ItemNotFound, LevelReadOnly: the caller may not see it, or not change it.
            ItemMoved: it is no longer at the expected revision.
            NotANote: a text was given for a file.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        async with self.database.transaction() as tx:
            row = await self._find_to_change(tx, caller, item_id, expected_revision)
            own, now = caller.own, self.clock.now()
            if change.pinned is not None and change.pinned != row.pinned:
                await postgres.pin_item(
                    tx, own.workspace_id, item_id, pinned=change.pinned, now=now
                )
            content = await changed_content(tx, own, row, change)
            if content is not None:
                await add_version(tx, self.clock, self.facts, own, item_id, content)
            elif change.split is not None:
                split = sealed.seal_split(own.vault, item_id, change.split)
                await postgres.set_split(tx, own.workspace_id, item_id, row.version, split)
                await self._requeue(tx, own, row)
            return await self._item(tx, own, item_id)

    async def refresh(self, caller: Caller, item_id: ItemId) -> Item:
        """Read an item again and clear its failure (K17)."""
        caller.need(Permission.KNOWLEDGE_WRITE)
        async with self.database.transaction() as tx:
            row = await self._find_to_change(tx, caller, item_id, None)
            await self._requeue(tx, caller.own, row)
            return await self._item(tx, caller.own, item_id)

    async def delete(self, caller: Caller, item_id: ItemId) -> None:
        """Remove an item, every version, and all that was made of it, in one transaction."""
        caller.need(Permission.KNOWLEDGE_WRITE)
        async with self.database.transaction() as tx:
            await self._find_to_change(tx, caller, item_id, None)
            workspace_id = caller.own.workspace_id
            blob_keys = await postgres.blobs_of_items(tx, workspace_id, [item_id])
            await postgres.lock_keys(tx, blob_keys)
            await self.facts.announce(tx, ItemsDeleted(workspace_id, (item_id,)))
            await postgres.delete_items(tx, workspace_id, [item_id])
            for blob_key in await postgres.delete_unused_blobs(tx, workspace_id, blob_keys):
                await self.jobs.queue(tx, unlink(workspace_id, blob_key))

    async def _with_reasons(self, items: Sequence[Item]) -> Sequence[Item]:
        """The items, each queued one with the reason why it still waits."""
        if all(item.status not in {Status.QUEUED, Status.PROCESSING} for item in items):
            return items
        reason = await self.jobs.waiting_reason()
        # One that was begun waits in its middle for nothing but room on the disk.
        waiting = {Status.QUEUED}
        if reason is WaitingReason.DISK_FULL:
            waiting.add(Status.PROCESSING)
        return [
            replace(item, waiting_reason=reason) if item.status in waiting else item
            for item in items
        ]

    async def _place(self, tx: Transaction, caller: Caller, target: Target) -> Place:
        if target.level == "global":
            # The operator writes there through the system workspace; others only read it.
            raise LevelReadOnly(level=target.level)
        return await place_to_write(
            tx, self.clock, caller.own, level=target.level, namespace=target.namespace
        )

    async def _requeue(self, tx: Transaction, reading: Reading, row: postgres.ItemRow) -> None:
        version = await postgres.requeue_item(
            tx, reading.workspace_id, row.item_id, now=self.clock.now()
        )
        fact = ItemChanged(reading.workspace_id, row.item_id, version, row.kind)
        await self.facts.announce(tx, fact)

    async def _item(self, tx: Transaction, reading: Reading, item_id: ItemId) -> Item:
        row = await postgres.find_item(tx, reading, item_id)
        if row is None:
            raise ItemNotFound
        return sealed.open_item(reading, row)

    async def _find(
        self, tx: Transaction, caller: Caller, item_id: ItemId
    ) -> tuple[Reading, postgres.ItemRow]:
        for reading in caller.readings:
            row = await postgres.find_item(tx, reading, item_id)
            if row is not None:
                return reading, row
        raise ItemNotFound

    async def _find_to_change(
        self, tx: Transaction, caller: Caller, item_id: ItemId, expected_revision: int | None
    ) -> postgres.ItemRow:
        # Locked first and read after, so that what is read is what will be changed.
        revision = await postgres.lock_item(tx, caller.own.workspace_id, item_id)
        reading, row = await self._find(tx, caller, item_id)
        if reading is not caller.own or not row.may_send:
            raise LevelReadOnly(level=write_level(row.level_kind, row.level_name))
        if expected_revision is not None and revision != expected_revision:
            raise ItemMoved(revision=revision)
        return row

    @staticmethod
    async def _version(
        tx: Transaction, reading: Reading, item_id: ItemId, version: int
    ) -> postgres.VersionRow:
        found = await postgres.find_version(tx, reading.workspace_id, item_id, version)
        if found is None:
            raise VersionNotFound(version=version)
        return found
