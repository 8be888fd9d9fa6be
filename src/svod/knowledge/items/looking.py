"""Looking at items: one, lists, texts, versions and what became of one from the other."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from svod.foundation.clock import Clock
from svod.foundation.facts import Facts
from svod.foundation.ids import ItemId
from svod.foundation.jobs import Jobs, WaitingReason
from svod.foundation.storage import Blobs, Database, Transaction
from svod.knowledge.items import comparing, names, postgres, rows, sealed
from svod.knowledge.items.bulk.tags import tag_key
from svod.knowledge.items.cursor import read_cursor, write_cursor
from svod.knowledge.items.errors import ItemNotFound, TextNotRead, VersionNotFound
from svod.knowledge.items.item import (
    Comparison,
    Item,
    ItemQuery,
    ItemText,
    Page,
    Source,
    Status,
    Version,
)
from svod.knowledge.workspaces import Caller, Permission, Reading, read_level


@dataclass(frozen=True, slots=True)
class Looking:
    """The items of every workspace, as each caller may see them."""

    database: Database
    blobs: Blobs
    jobs: Jobs
    facts: Facts
    clock: Clock

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
        """Items, newest change first; those of the global level when it is named.

        Raises:
            BadCursor: the cursor is not from here.
        """
        caller.need(Permission.KNOWLEDGE_READ)
        reading = caller.reading_of(query.level or "")
        kind, name = read_level(query.level) if query.level else (None, None)
        before, before_id = read_cursor(query.cursor) if query.cursor else (None, None)
        vault, external_id = reading.vault, query.external_id
        filters: dict[str, object] = {
            "level_kind": kind,
            "level_name": name,
            "namespace": query.namespace,
            "kind": query.kind,
            "status": query.status,
            "external_id_key": vault.key_for("external_id", external_id) if external_id else None,
            "tag_key": tag_key(vault, query.tag) if query.tag else None,
            "pinned": query.pinned,
            "before": before,
            "before_id": before_id,
            "limit": query.limit + 1,
        }
        async with self.database.transaction() as tx:
            found = await postgres.list_items(tx, reading, filters)
        opened = [sealed.open_item(reading, row) for row in found[: query.limit]]
        shown = tuple(await self._with_reasons(opened))
        more = len(found) > query.limit
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
            found = await version_of(tx, reading, item_id, wanted)
        text = sealed.open_text(reading.vault, item_id, found)
        if text is None:
            raise TextNotRead
        return text

    async def versions(self, caller: Caller, item_id: ItemId) -> tuple[Version, ...]:
        """Every version of an item, newest first."""
        caller.need(Permission.KNOWLEDGE_READ)
        async with self.database.transaction() as tx:
            reading, _ = await self._find(tx, caller, item_id)
            found = await postgres.list_versions(
                tx, reading.workspace_id, item_id, named=reading is caller.own
            )
        return tuple(sealed.open_version(reading.vault, item_id, row) for row in found)

    async def compare(
        self,
        caller: Caller,
        item_id: ItemId,
        earlier: int | None = None,
        later: int | None = None,
    ) -> Comparison:
        """How one version became another; by default the newest and the one before it.

        Notes of which a version was never read, since another came too soon, are compared as they
        were written.

        Raises:
            ItemNotFound, VersionNotFound: one of them is not there.
            TextNotRead: the text of a file's version was not read.
        """
        caller.need(Permission.KNOWLEDGE_READ)
        async with self.database.transaction() as tx:
            reading, row = await self._find(tx, caller, item_id)
            after = await version_of(tx, reading, item_id, later or row.version)
            before = await version_of(tx, reading, item_id, earlier or max(1, after.version - 1))
        old, new = _texts(reading, item_id, before, after)
        difference = await asyncio.to_thread(comparing.compare, old, new)
        return Comparison(
            item_id=item_id,
            earlier=before.version,
            later=after.version,
            earlier_title=sealed.open_title(reading.vault, item_id, before.sealed_title),
            later_title=sealed.open_title(reading.vault, item_id, after.sealed_title),
            difference=difference,
        )

    async def source(self, caller: Caller, item_id: ItemId, version: int | None = None) -> Source:
        """What was given for a version, by default the newest: bytes, type and name."""
        caller.need(Permission.KNOWLEDGE_READ)
        async with self.database.transaction() as tx:
            reading, row = await self._find(tx, caller, item_id)
            found = await version_of(tx, reading, item_id, version or row.version)
        vault = reading.vault
        name = sealed.open_name(vault, item_id, found.sealed_name)
        if found.blob_key is not None:
            content = await self.blobs.get(vault, found.blob_key)
        elif found.sealed_source is not None:
            content = sealed.open_source(vault, item_id, found.sealed_source).encode()
        else:
            raise VersionNotFound(version=found.version)
        return Source(content, found.media_type, name or names.of_source(found.media_type))

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

    async def _item(self, tx: Transaction, reading: Reading, item_id: ItemId) -> Item:
        row = await postgres.find_item(tx, reading, item_id)
        if row is None:
            raise ItemNotFound
        return sealed.open_item(reading, row)

    async def _find(
        self, tx: Transaction, caller: Caller, item_id: ItemId
    ) -> tuple[Reading, rows.ItemRow]:
        for reading in caller.readings:
            row = await postgres.find_item(tx, reading, item_id)
            if row is not None:
                return reading, row
        raise ItemNotFound


async def version_of(
    tx: Transaction, reading: Reading, item_id: ItemId, version: int
) -> rows.VersionRow:
    """A version of an item that was found.

    Raises:
        VersionNotFound: it has no such version.
    """
    found = await postgres.find_version(tx, reading.workspace_id, item_id, version)
    if found is None:
        raise VersionNotFound(version=version)
    return found


def _texts(
    reading: Reading, item_id: ItemId, before: rows.VersionRow, after: rows.VersionRow
) -> tuple[str, str]:
    vault = reading.vault
    read = [sealed.open_text(vault, item_id, row) for row in (before, after)]
    if read[0] is not None and read[1] is not None:
        return read[0].text, read[1].text
    if before.sealed_source is None or after.sealed_source is None:
        raise TextNotRead
    return (
        sealed.open_source(vault, item_id, before.sealed_source),
        sealed.open_source(vault, item_id, after.sealed_source),
    )
