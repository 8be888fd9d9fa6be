"""Calls about items: listed, read, changed, waited for, deleted."""

import re
import time
from collections.abc import Iterator, Mapping
from typing import Any, Literal
from urllib.parse import unquote

from svod.client.calls import Calls, part
from svod.client.decoding import decode
from svod.client.errors import NotAvailable
from svod.client.results import Item, Items, Source, Text, Version
from svod.client.saying import say
from svod.client.transport import Call

Until = Literal["words", "meaning"]
_NAME = re.compile(r"filename\*=UTF-8''([^;\s]*)")
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
        return self._get(Item, Call("GET", _item(item_id)))

    def text(self, item_id: str, version: int | None = None) -> Text:
        """The canonical text, into which spans point."""
        return self._get(Text, Call("GET", _item(item_id, "/text"), query={"version": version}))

    def versions(self, item_id: str) -> tuple[Version, ...]:
        """The versions of an item."""
        found = self._json(Call("GET", _item(item_id, "/versions")))
        return tuple(decode(Version, version) for version in found["versions"])

    def source(self, item_id: str, version: int | None = None) -> Source:
        """What was given: the bytes of a file, the Markdown of a note."""
        call = Call("GET", _item(item_id, "/source"), query={"version": version})
        response = self._transport.send(call)
        return Source(
            content=response.content,
            media_type=response.headers.get("content-type", "application/octet-stream"),
            name=_file_name(response.headers.get("content-disposition", "")),
        )

    def change(
        self,
        item_id: str,
        *,
        title: str | None = None,
        text: str | None = None,
        pinned: bool | None = None,
        split: Mapping[str, object] | None = None,
        expected_revision: int | None = None,
    ) -> Item:
        """Change what is named; `Conflict` when the item is no longer at that revision."""
        named = {"title": title, "text": text, "pinned": pinned, "split": split}
        headers = {} if expected_revision is None else {"If-Match": f'"{expected_revision}"'}
        call = Call(
            "PATCH",
            _item(item_id),
            body={field: value for field, value in named.items() if value is not None},
            headers=headers,
            # Sent twice it would fail against the revision that it made itself.
            repeatable=expected_revision is None,
        )
        return self._get(Item, call)

    def refresh(self, item_id: str) -> Item:
        """Read an item again, and clear its failure."""
        return self._get(Item, Call("POST", _item(item_id, "/refresh")))

    def delete(self, item_id: str) -> None:
        """Remove an item and all that was made of it."""
        # A repeat of one that was done would say that there is no such item.
        self._transport.send(Call("DELETE", _item(item_id), repeatable=False))

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


def _item(item_id: str, rest: str = "") -> str:
    return f"/api/knowledge/items/{part(item_id)}{rest}"


def _file_name(disposition: str) -> str:
    # The server always gives the true name in this form (RFC 8187).
    found = _NAME.search(disposition)
    return unquote(found[1]) if found else ""
