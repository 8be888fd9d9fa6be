"""Changing items: one at a time against its revision, many at once, and away with them."""

from dataclasses import dataclass

from svod.foundation.ids import ItemId
from svod.foundation.storage import Transaction
from svod.knowledge.items import names, postgres, sealed
from svod.knowledge.items.adding import add_version
from svod.knowledge.items.bulk import clearing, moving, tags
from svod.knowledge.items.bulk import postgres as bulk
from svod.knowledge.items.bulk.holding import Held, failure_of, hold_items, hold_one
from svod.knowledge.items.bulk.order import (
    Became,
    BulkAction,
    BulkOrder,
    ItemResult,
    Results,
    each,
    failed,
)
from svod.knowledge.items.bulk.reading_again import cancel_items, refresh_items
from svod.knowledge.items.contents import changed_content
from svod.knowledge.items.errors import ExternalIdTaken, ItemNotFound, OtherWorkspace
from svod.knowledge.items.facts import ItemChanged
from svod.knowledge.items.item import Item, ItemChange, Target
from svod.knowledge.items.links import postgres as links
from svod.knowledge.items.looking import Looking, version_of
from svod.knowledge.items.refreshing import set_refresh
from svod.knowledge.workspaces import Caller, Permission, Reading, place_to_write
from svod.knowledge.workspaces.facts import LevelsDeleted, WorkspaceDeleted
from svod.knowledge.workspaces.views import Place


@dataclass(frozen=True, slots=True)
class Editing(Looking):
    """The items of every workspace, as each caller may change them."""

    async def change(
        self,
        caller: Caller,
        item_id: ItemId,
        change: ItemChange,
        *,
        expected_revision: int | None = None,
    ) -> Item:
        """Change an item, all of it or nothing.

        A new title or text makes a new version, which is read and indexed; other settings of
        splitting have it read again. What else is named is done at once: a move carries what is
        searchable along as it is.

        Raises:
            ItemNotFound, LevelReadOnly: the caller may not see it, or not change it.
            ItemChangedMeanwhile: it is no longer at the expected revision.
            ExternalIdTaken: another item of the level it is or comes to be on has its external id.
            LevelNotFound, OtherWorkspace: it cannot be moved there.
            NotANote: a text was given for a file.
            NotALink, BadRefreshDays: it cannot be fetched again so.
            BadName, TooManyTags: a title, tag or external id cannot be kept.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        async with self.database.transaction() as tx:
            if change.level is not None or change.namespace is not None or change.external_id:
                await moving.lock_external_ids(tx, caller, [item_id], change.external_id)
            held = await hold_one(tx, caller, item_id, expected_revision)
            reading, now = held.reading, self.clock.now()
            if change.pinned is not None:
                await bulk.pin_items(
                    tx, reading.workspace_id, [item_id], pinned=change.pinned, now=now
                )
            if change.tags is not None:
                checked = tags.checked(reading.vault, change.tags)
                if await tags.set_tags(tx, reading, item_id, checked):
                    await bulk.touch_items(tx, reading.workspace_id, [item_id], now=now)
            if change.level is not None or change.namespace is not None:
                held = await self._move(tx, caller, held, change)
            if change.external_id is not None:
                await self._rename(tx, held, item_id, change.external_id)
            if change.refresh is not None:
                await set_refresh(tx, self.clock, reading, item_id, change.refresh.days)
            await self._change_content(tx, reading, item_id, change)
            return await self._item(tx, reading, item_id)

    async def restore(
        self,
        caller: Caller,
        item_id: ItemId,
        version: int,
        *,
        expected_revision: int | None = None,
    ) -> Item:
        """Bring an earlier version back, as a new one with its content (K18).

        Raises:
            ItemNotFound, LevelReadOnly, ItemChangedMeanwhile: as for `change`.
            VersionNotFound: it has no such version.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        async with self.database.transaction() as tx:
            held = await hold_one(tx, caller, item_id, expected_revision)
            reading, row = held.reading, held.rows[item_id]
            found = await version_of(tx, reading, item_id, version)
            if version != row.version:
                now, vault = self.clock.now(), reading.vault
                name = sealed.open_name(vault, item_id, found.sealed_name)
                new = await postgres.next_version(
                    tx,
                    reading.workspace_id,
                    item_id,
                    sealed_title=found.sealed_title,
                    name_key=vault.key_for("name", names.folded(name)) if name else None,
                    content_key=found.content_key,
                    now=now,
                )
                await postgres.restore_version(
                    tx, reading, item_id, version=new, restored=version, now=now
                )
                fact = ItemChanged(reading.workspace_id, item_id, new, row.kind)
                await self.facts.announce(tx, fact)
            return await self._item(tx, reading, item_id)

    async def refresh(
        self, caller: Caller, item_id: ItemId, *, expected_revision: int | None = None
    ) -> Item:
        """Read an item again and clear its failure (K17)."""
        caller.need(Permission.KNOWLEDGE_WRITE)
        async with self.database.transaction() as tx:
            held = await hold_one(tx, caller, item_id, expected_revision)
            await links.want_pages(tx, held.reading.workspace_id, [item_id])
            await refresh_items(tx, self.clock, self.facts, held.reading, [item_id])
            return await self._item(tx, held.reading, item_id)

    async def cancel(
        self, caller: Caller, item_id: ItemId, *, expected_revision: int | None = None
    ) -> Item:
        """Break off what waits or is being read; the serving version goes on serving (K15).

        Raises:
            ItemNotFound, LevelReadOnly, ItemChangedMeanwhile: as for `change`.
            NothingToCancel: it neither waits nor is being read.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        async with self.database.transaction() as tx:
            held = await hold_one(tx, caller, item_id, expected_revision)
            results = await cancel_items(tx, self.clock, self.facts, held.reading, [item_id])
            _raise(results[item_id])
            return await self._item(tx, held.reading, item_id)

    async def delete(
        self, caller: Caller, item_id: ItemId, *, expected_revision: int | None = None
    ) -> None:
        """Remove an item, every version, and all that was made of it, in one transaction."""
        caller.need(Permission.KNOWLEDGE_WRITE)
        async with self.database.transaction() as tx:
            await clearing.lock_blobs(tx, caller, [item_id])
            held = await hold_one(tx, caller, item_id, expected_revision)
            await self._delete(tx, caller, held)

    async def bulk(self, caller: Caller, order: BulkOrder) -> tuple[ItemResult, ...]:
        """Do one thing to many items; what became of each, in the order they were named.

        What cannot be done to one does not hinder the others: items that are not there, may not be
        changed, or stand in each other's way are told as failed.

        Raises:
            LevelNotFound, LevelReadOnly, BadName, TooManyTags: nothing of it could be done.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        async with self.database.transaction() as tx:
            if order.action is BulkAction.MOVE:
                await moving.lock_external_ids(tx, caller, order.item_ids)
            if order.action is BulkAction.DELETE:
                await clearing.lock_blobs(tx, caller, order.item_ids)
            groups, results = await hold_items(tx, caller, order.item_ids)
            for held in groups:
                results |= await self._carry_out(tx, caller, order, held)
        return tuple(results[item_id] for item_id in dict.fromkeys(order.item_ids))

    async def on_levels_deleted(self, tx: Transaction, fact: LevelsDeleted) -> None:
        """Remove everything that lies on levels that go, and their namespaces."""
        await clearing.clear_levels(tx, self.facts, self.jobs, fact.workspace_id, fact.level_ids)

    async def on_workspace_deleted(self, tx: Transaction, fact: WorkspaceDeleted) -> None:
        """Remove every item, file and namespace of a workspace that goes; quick at any size."""
        await clearing.clear_workspace(tx, self.facts, fact.workspace_id)

    async def _carry_out(
        self, tx: Transaction, caller: Caller, order: BulkOrder, held: Held
    ) -> Results:
        reading, item_ids = held.reading, held.item_ids
        match order.action:
            case BulkAction.TAG:
                checked = tags.checked(reading.vault, order.tags)
                return await tags.add_tags(tx, self.clock, reading, item_ids, checked)
            case BulkAction.UNTAG:
                checked = tags.checked(reading.vault, order.tags)
                return await tags.remove_tags(tx, self.clock, reading, item_ids, checked)
            case BulkAction.PIN | BulkAction.UNPIN:
                pinned = order.action is BulkAction.PIN
                done = await bulk.pin_items(
                    tx, reading.workspace_id, item_ids, pinned=pinned, now=self.clock.now()
                )
                return each(item_ids, Became.UNCHANGED) | each(done, Became.DONE)
            case BulkAction.MOVE:
                if reading is not caller.reading_of(order.target.level):
                    return {one: failed(one, OtherWorkspace()) for one in item_ids}
                place = await self._place(tx, reading, order.target)
                return await moving.move_items(tx, self.clock, self.facts, held, place)
            case BulkAction.REFRESH:
                await links.want_pages(tx, reading.workspace_id, item_ids)
                return await refresh_items(tx, self.clock, self.facts, reading, item_ids)
            case BulkAction.CANCEL:
                return await cancel_items(tx, self.clock, self.facts, reading, item_ids)
            case BulkAction.DELETE:
                await self._delete(tx, caller, held)
                return each(item_ids, Became.DONE)

    async def _delete(self, tx: Transaction, caller: Caller, held: Held) -> None:
        await clearing.delete_items(
            tx,
            self.facts,
            self.jobs,
            held.reading.workspace_id,
            held.item_ids,
            asked_in=caller.own.workspace_id,
        )

    async def _place(self, tx: Transaction, reading: Reading, target: Target) -> Place:
        return await place_to_write(
            tx, self.clock, reading, level=target.level, namespace=target.namespace
        )

    async def _move(self, tx: Transaction, caller: Caller, held: Held, change: ItemChange) -> Held:
        (item_id,) = held.item_ids
        item = await self._item(tx, held.reading, item_id)
        target = Target(
            item.level if change.level is None else change.level,
            item.namespace if change.namespace is None else change.namespace,
        )
        if held.reading is not caller.reading_of(target.level):
            raise OtherWorkspace
        place = await self._place(tx, held.reading, target)
        results = await moving.move_items(tx, self.clock, self.facts, held, place)
        _raise(results[item_id])
        return await hold_one(tx, caller, item_id)

    async def _rename(self, tx: Transaction, held: Held, item_id: ItemId, external_id: str) -> None:
        reading, row = held.reading, held.rows[item_id]
        key = sealed_id = None
        if external_id:
            external_id = names.external_id(external_id)
            key = reading.vault.key_for("external_id", external_id)
            sealed_id = sealed.seal_external_id(reading.vault, item_id, external_id)
        if key == row.external_id_key:
            return
        if key is not None and await bulk.taken_external_ids(
            tx, reading.workspace_id, row.level_id, [key]
        ):
            raise ExternalIdTaken
        await postgres.set_external_id(
            tx,
            reading.workspace_id,
            item_id,
            sealed_external_id=sealed_id,
            external_id_key=key,
            now=self.clock.now(),
        )

    async def _change_content(
        self, tx: Transaction, reading: Reading, item_id: ItemId, change: ItemChange
    ) -> None:
        row = await postgres.find_item(tx, reading, item_id)
        if row is None:
            raise ItemNotFound
        content = await changed_content(tx, reading, row, change)
        if content is not None:
            await add_version(tx, self.clock, self.facts, reading, item_id, content)
        elif change.split is not None:
            split = sealed.seal_split(reading.vault, item_id, change.split)
            await postgres.set_split(tx, reading.workspace_id, item_id, row.version, split)
            await refresh_items(tx, self.clock, self.facts, reading, [item_id])


def _raise(result: ItemResult) -> None:
    if result.failure is not None:
        raise failure_of({result.item_id: result}, result.item_id)
