"""The client: one method an operation of the REST interface."""

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from email.message import Message
from pathlib import Path
from typing import Any, Literal, Self, TypeVar
from urllib.parse import quote, unquote

import httpx2

from svod.client.decoding import decode, encode
from svod.client.errors import NotAvailable
from svod.client.results import (
    Added,
    Answer,
    FileState,
    Found,
    Item,
    Items,
    Key,
    Level,
    NewKey,
    Ready,
    Source,
    Text,
    Version,
    Whoami,
)
from svod.client.saying import say
from svod.client.settings import find_door
from svod.client.transport import Call, Transport

Result = TypeVar("Result")
Until = Literal["words", "meaning"]
_SLOWEST_POLL_S = 1.0


class Client:
    """Speaks to one Svod server as one principal; any number of threads may share it.

        with svod.Client() as knowledge:
            knowledge.add_note("Returns are taken for 21 days.", title="Returns")
            print(knowledge.ask("How long can I return it?").answer)

    Every method raises a kind of `SvodFailed`: `NotFound`, `NotAllowed`, `Conflict`, `Invalid`,
    `LimitReached`, `NotAvailable` or `ServerFailed`.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        language: str = "en",
        timeout_s: float = 60.0,
        retries: int = 3,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        """Get ready to speak; nothing is sent yet.

        Args:
            url: the server; else `SVOD_URL`, else this machine at `SVOD_PORT`.
            key: an API key; else `SVOD_API_KEY`, else, for this machine only, the key file in
                `SVOD_DATA`.
            language: of messages: `en` or `ru`.
            timeout_s: longest silence of the server within one call.
            retries: how often a call that may be repeated is repeated.
            transport: carries requests in place of the network; for tests.
        """
        door = find_door(url, key)
        self._language = language
        self._transport = Transport(
            door, language=language, timeout_s=timeout_s, retries=retries, inner=transport
        )

    @property
    def url(self) -> str:
        """The server's address."""
        return self._transport.door.url

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the connections go."""
        self._transport.close()

    # Who and where

    def ready(self) -> Ready:
        """What the server still waits for."""
        return self._get(Ready, Call("GET", "/ready", takes=frozenset({503})))

    def whoami(self) -> Whoami:
        """Who the key belongs to, and what it may do where."""
        return self._get(Whoami, Call("GET", "/api/whoami"))

    def levels(self) -> tuple[Level, ...]:
        """The levels that the key reads."""
        found = self._json(Call("GET", "/api/knowledge/levels"))
        return tuple(decode(Level, level) for level in found["levels"])

    def keys(self) -> tuple[Key, ...]:
        """The keys of the workspace, oldest first."""
        found = self._json(Call("GET", "/api/keys"))
        return tuple(decode(Key, key) for key in found["keys"])

    def make_key(
        self, name: str, permissions: Sequence[str], *, expires_at: datetime | None = None
    ) -> NewKey:
        """A key no stronger than this one; its secret is given only here."""
        body = {
            "name": name,
            "permissions": list(permissions),
            "expires_at": encode(expires_at),
        }
        return self._get(NewKey, self._creation("/api/keys", body))

    def revoke_key(self, principal_id: str) -> None:
        """Make a key invalid at once."""
        self._transport.send(Call("DELETE", f"/api/keys/{_part(principal_id)}"))

    # Adding

    def add_note(
        self,
        text: str,
        *,
        title: str | None = None,
        level: str = "workspace",
        namespace: str = "",
        external_id: str | None = None,
        pinned: bool = False,
        split: Mapping[str, object] | None = None,
    ) -> Added:
        """Keep a note; the same `external_id` again updates it."""
        body = {
            "text": text,
            "title": title,
            "level": level,
            "namespace": namespace,
            "external_id": external_id,
            "pinned": pinned,
            "split": dict(split) if split is not None else None,
        }
        return self._get(Added, self._creation("/api/knowledge/notes", body))

    def add_file(
        self,
        content: Path | bytes | None = None,
        *,
        name: str | None = None,
        sha256: str | None = None,
        title: str | None = None,
        level: str = "workspace",
        namespace: str = "",
        external_id: str | None = None,
        copy: bool = False,
        split: str | None = None,
    ) -> Added:
        """Keep a file, given as a path or bytes, or as the hash of bytes the server knows.

        Args:
            content: the file; a path is read while it is sent.
            name: its name; that of the path by default.
            sha256: in place of `content`, in hexadecimal.
            title: its title; the name by default.
            level: where it goes.
            namespace: the namespace there, made when it is missing.
            external_id: the same again updates the item.
            copy: keep a second item where the same bytes or name would be recognised.
            split: the splitting settings as JSON.
        """
        if name is None:
            name = content.name if isinstance(content, Path) else ""
        form = {
            "name": name,
            "sha256": sha256,
            "title": title,
            "level": level,
            "namespace": namespace,
            "external_id": external_id,
            "copy": "true" if copy else None,
            "split": split,
        }
        call = Call(
            "POST",
            "/api/knowledge/files",
            form={field: value for field, value in form.items() if value is not None},
            file=content,
            headers={"Idempotency-Key": secrets.token_hex(16)},
        )
        return self._get(Added, call)

    def check_files(
        self,
        files: Sequence[tuple[str, str | None]],
        *,
        level: str = "workspace",
        namespace: str = "",
    ) -> tuple[FileState, ...]:
        """Which of up to 1,000 files the server lacks; each is its sha256 and external id."""
        body = {
            "level": level,
            "namespace": namespace,
            "files": [{"sha256": sha256, "external_id": known} for sha256, known in files],
        }
        found = self._json(Call("POST", "/api/knowledge/files/missing", body=body))
        return tuple(decode(FileState, state) for state in found["files"])

    # Items

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

    # Finding

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        mode: str = "both",
        levels: Sequence[str] | None = None,
        namespaces: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        min_score: float = 0.0,
    ) -> Found:
        """The chunks that fit a query best."""
        body = {
            "query": query,
            "limit": limit,
            "mode": mode,
            "min_score": min_score,
            **_where(levels, namespaces, kinds),
        }
        return self._get(Found, Call("POST", "/api/knowledge/search", body=body))

    def ask(
        self,
        question: str,
        *,
        language: str | None = None,
        levels: Sequence[str] | None = None,
        namespaces: Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        min_score: float = 0.0,
        sentences: int = 3,
    ) -> Answer:
        """A cited answer, in the question's language unless another is named."""
        body = {
            "question": question,
            "language": language,
            "min_score": min_score,
            "sentences": sentences,
            **_where(levels, namespaces, kinds),
        }
        return self._get(Answer, Call("POST", "/api/knowledge/ask", body=body))

    def _get(self, kind: type[Result], call: Call) -> Result:
        return decode(kind, self._json(call))

    def _json(self, call: Call) -> Any:
        return self._transport.send(call).json()

    @staticmethod
    def _creation(path: str, body: Mapping[str, object]) -> Call:
        given = {field: value for field, value in body.items() if value is not None}
        headers = {"Idempotency-Key": secrets.token_hex(16)}
        return Call("POST", path, body=given, headers=headers)


def _where(
    levels: Sequence[str] | None, namespaces: Sequence[str] | None, kinds: Sequence[str] | None
) -> dict[str, list[str]]:
    named = {"levels": levels, "namespaces": namespaces, "kinds": kinds}
    return {name: list(value) for name, value in named.items() if value is not None}


def _part(item_id: str) -> str:
    return quote(item_id, safe="") or "-"


def _item(item_id: str, rest: str = "") -> str:
    return f"/api/knowledge/items/{_part(item_id)}{rest}"


def _file_name(disposition: str) -> str:
    message = Message()
    message["content-disposition"] = disposition
    return unquote(message.get_filename() or "")
