"""Calls about items: listed, read, changed, waited for, deleted."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from svod.client.bulk_results import Bulk
from svod.client.calls import Calls, changing, item_path
from svod.client.errors import NotAvailable
from svod.client.results import Item, Items
from svod.client.saying import say
from svod.client.transport import Call

Until = Literal["words", "meaning"]
Action = Literal["tag", "untag", "pin", "unpin", "move", "refresh", "cancel", "delete"]
_SLOWEST_POLL_S = 1.0


class ItemCalls(Calls):
    """Items: listed, read, changed, waited for, deleted."""

    def items(
        self,
        *,
        level: str | None = None,
        namespace: str | None = None,
        kind: str | None = None,
        status: str | None = None,
        external_id: str | None = None,
        tag: str | None = None,
        pinned: bool | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Items:
        """One page of items, newest first."""
        query = {
            "level": level,
            "namespace": namespace,
            "kind": kind,
            "status": status,
            "external_id": external_id,
            "tag": tag,
            "pinned": None if pinned is None else str(pinned).lower(),
            "limit": limit,
            "cursor": cursor,
        }
        return self._get(Items, Call("GET", "/api/knowledge/items", query=query))

    def every_item(self, **filters: Any) -> Iterator[Item]:
        """Every item that passes the filters of `items`, page after page."""
        cursor = None
        while True:
            page = self.items(**filters, limit=200, cursor=cursor)
            yield from page.items
            cursor = page.next_cursor
            if cursor is None:
                return

    def item(self, item_id: str) -> Item:
        """An item with its status."""
        return self._get(Item, Call("GET", item_path(item_id)))

    def change(  # noqa: PLR0913 - what can be changed
        self,
        item_id: str,
        *,
        title: str | None = None,
        text: str | None = None,
        pinned: bool | None = None,
        split: Mapping[str, object] | None = None,
        external_id: str | None = None,
        tags: Sequence[str] | None = None,
        level: str | None = None,
        namespace: str | None = None,
        refresh_days: int | None = None,
        expected_revision: int | None = None,
    ) -> Item:
        """Change what is named, all of it or nothing.

        Args:
            item_id: which item.
            title: its title.
            text: the text of a note.
            pinned: whether it is pinned.
            split: other settings of splitting; it is split again.
            external_id: its external id; an empty one takes it away.
            tags: all the tags it will have.
            level: where it moves to; its namespace there has the same name, unless it is given.
            namespace: the namespace it moves to.
            refresh_days: how often a page is fetched again; 0 for only when asked.
            expected_revision: `Conflict` when the item is no longer at that revision.
        """
        named = {
            "title": title,
            "text": text,
            "pinned": pinned,
            "split": split,
            "external_id": external_id,
            "tags": None if tags is None else list(tags),
            "level": level,
            "namespace": namespace,
        }
        body: dict[str, object] = {
            field: value for field, value in named.items() if value is not None
        }
        if refresh_days is not None:
            body["refresh_days"] = refresh_days or None
        return self._get(Item, changing("PATCH", item_path(item_id), expected_revision, body))

    def refresh(self, item_id: str, *, expected_revision: int | None = None) -> Item:
        """Read an item again, and clear its failure."""
        call = changing("POST", item_path(item_id, "/refresh"), expected_revision)
        return self._get(Item, call)

    def cancel(self, item_id: str, *, expected_revision: int | None = None) -> Item:
        """Stop what waits or is being read; `Conflict` when there is nothing to stop."""
        call = changing("POST", item_path(item_id, "/cancel"), expected_revision)
        return self._get(Item, replace(call, repeatable=False))

    def delete(self, item_id: str, *, expected_revision: int | None = None) -> None:
        """Remove an item and all that was made of it."""
        call = changing("DELETE", item_path(item_id), expected_revision)
        # A repeat of one that was done would say that there is no such item.
        self._transport.send(replace(call, repeatable=False))

    def bulk(
        self,
        action: Action,
        item_ids: Sequence[str],
        *,
        tags: Sequence[str] | None = None,
        level: str | None = None,
        namespace: str | None = None,
    ) -> Bulk:
        """Do one thing to up to 1,000 items; what became of each.

        Args:
            action: what to do.
            item_ids: to which items.
            tags: for `tag` and `untag`.
            level: for `move`, where to.
            namespace: for `move`, the namespace there; the unnamed one by default.
        """
        named = {
            "tags": None if tags is None else list(tags),
            "level": level,
            "namespace": namespace,
        }
        given = {field: value for field, value in named.items() if value is not None}
        body = {"action": action, "item_ids": list(item_ids), **given}
        # Sent twice, it would tell the second time that nothing is there or to be done.
        call = Call("POST", "/api/knowledge/items/bulk", body=body, repeatable=False)
        return self._get(Bulk, call)

    def wait(self, item_id: str, until: Until = "words", *, timeout_s: float = 300.0) -> Item:
        """The item once it is found by its words, or by its meaning too, or has failed.

        Raises:
            NotAvailable: not within `timeout_s`; its processing goes on.
        """
        deadline = time.monotonic() + timeout_s
        pause = 0.05
        while True:
            item = self.item(item_id)
            if item.status == "failed" or (
                item.done and (until == "words" or item.meaning_ready >= 1)
            ):
                return item
            if time.monotonic() >= deadline:
                code = "client.waited_too_long"
                said = say(code, self._language, seconds=round(timeout_s))
                raise NotAvailable(said, code=code)
            time.sleep(pause)
            pause = min(pause * 1.5, _SLOWEST_POLL_S)
