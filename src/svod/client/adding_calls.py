"""Calls that add notes, files and pages."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from svod.client.bulk_results import BulkNotes
from svod.client.calls import Calls, creation, once
from svod.client.decoding import decode
from svod.client.results import Added, FileState
from svod.client.transport import Call


class AddingCalls(Calls):
    """Adding notes, files and pages."""

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
        tags: Sequence[str] | None = None,
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
            "tags": list(tags) if tags is not None else None,
        }
        return self._get(Added, creation("/api/knowledge/notes", body))

    def add_notes(
        self,
        notes: Sequence[Mapping[str, object]],
        *,
        level: str = "workspace",
        namespace: str = "",
    ) -> BulkNotes:
        """Keep up to 1,000 notes in one place; what became of each.

        Args:
            notes: each with `text`, and as wished `title`, `external_id`, `pinned`, `split`, `tags`.
            level: where they go.
            namespace: the namespace there, made when it is missing.
        """
        given = [dict(note) for note in notes]
        body = {"level": level, "namespace": namespace, "notes": given}
        return self._get(BulkNotes, creation("/api/knowledge/notes/bulk", body))

    def add_file(  # noqa: PLR0913 - the fields of a form
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
        tags: Sequence[str] | None = None,
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
            tags: all the tags it will have.
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
            "tags": None if tags is None else json.dumps(list(tags), ensure_ascii=False),
        }
        call = Call(
            "POST",
            "/api/knowledge/files",
            form={field: value for field, value in form.items() if value is not None},
            file=content,
            headers=once(),
        )
        return self._get(Added, call)

    def add_link(
        self,
        url: str,
        *,
        title: str | None = None,
        level: str = "workspace",
        namespace: str = "",
        external_id: str | None = None,
        refresh_days: int | None = None,
        split: Mapping[str, object] | None = None,
    ) -> Added:
        """Keep a public page; a level holds it once, so adding it again gives the item there.

        Args:
            url: its http or https address.
            title: its title; the page's own by default.
            level: where it goes.
            namespace: the namespace there, made when it is missing.
            external_id: the same again with another address makes the item that page.
            refresh_days: 1, 7 or 30 days after which it is fetched again; else only when asked.
            split: the splitting settings.
        """
        body = {
            "url": url,
            "title": title,
            "level": level,
            "namespace": namespace,
            "external_id": external_id,
            "refresh_days": refresh_days,
            "split": dict(split) if split is not None else None,
        }
        return self._get(Added, creation("/api/knowledge/links", body))

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
