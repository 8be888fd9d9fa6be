"""What a version holds: made of a note, of a file, or of an item and what is to change of it."""

import mimetypes
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from svod.foundation.storage import Blobs, Transaction, Vault
from svod.knowledge.items import names, postgres, rows, sealed
from svod.knowledge.items.errors import (
    BytesUnknown,
    FileTooLarge,
    NotANote,
    NoteEmpty,
    NoteTooLong,
    VersionNotFound,
)
from svod.knowledge.items.item import FileDraft, ItemChange
from svod.knowledge.items.kinds import FILE, NOTE
from svod.knowledge.workspaces import Reading

LONGEST_NOTE = 20_000
LARGEST_FILE = 20 * 1024 * 1024
_MARKDOWN = "text/markdown"


@dataclass(frozen=True, slots=True)
class Content:
    """What a version holds, and how it is recognised.

    One of `source` (a note's text) and `blob_key` (a stored file) is given. `content_key` is equal
    for equal content; `name` is a file's. `own_title` says that somebody gave the title; one that
    comes from the text or the name follows it.
    """

    kind: str
    title: str
    media_type: str
    size: int
    content_key: bytes
    name: str | None = None
    source: str | None = None
    blob_key: bytes | None = None
    split: str | None = None
    own_title: bool = True


def content_key(reading: Reading, digest: bytes) -> bytes:
    """How bytes with this sha256 are recognised within a workspace."""
    return reading.vault.key_for("content", digest)


def _note_key(reading: Reading, title: str, text: str) -> bytes:
    """How a note with this title and text is recognised."""
    digest = sha256(f"{title}\0{text}".encode("utf-8", "surrogatepass")).digest()
    return reading.vault.key_for("note", digest)


def _media_type(name: str) -> str:
    """What a file says it is by its name; reading it looks at its bytes."""
    return mimetypes.guess_type(name, strict=False)[0] or "application/octet-stream"


def note_content(reading: Reading, text: str, title: str | None, split: str | None) -> Content:
    """The content of a note; its first line is its title if none is given.

    Raises:
        NoteTooLong: over 20,000 characters.
        NoteEmpty: no letter or digit.
        BadName: a title that cannot be kept.
    """
    if len(text) > LONGEST_NOTE:
        raise NoteTooLong(characters=len(text), limit=LONGEST_NOTE)
    if not any(letter.isalnum() for letter in text):
        raise NoteEmpty
    shown = names.title(title) if title else names.title_of_note(text)
    return Content(
        kind=NOTE.name,
        title=shown,
        media_type=_MARKDOWN,
        size=len(text.encode("utf-8", "surrogatepass")),
        content_key=_note_key(reading, shown, text),
        source=text,
        split=split,
        own_title=bool(title),
    )


def settled(reading: Reading, content: Content, title: str | None, split: str | None) -> Content:
    """Content for an item that is there: what it does not say stays as the item has it.

    Args:
        reading: whose item it is.
        content: what was given.
        title: the item's title, if somebody gave it.
        split: the item's settings of splitting.
    """
    if content.split is None:
        content = replace(content, split=split)
    if content.own_title or title is None:
        return content
    content = replace(content, title=title, own_title=True)
    if content.source is None:
        return content
    return replace(content, content_key=_note_key(reading, title, content.source))


async def file_content(
    tx: Transaction, blobs: Blobs, reading: Reading, draft: FileDraft, *, now: datetime
) -> Content:
    """The content of a file, whose bytes are stored by this.

    Raises:
        FileTooLarge: over 20 MB.
        BytesUnknown: only a hash was given, and no file the caller can read has it.
        BadName: a name or title that cannot be kept.
    """
    name = names.file_name(draft.name)
    title = names.title(draft.title) if draft.title else name
    if draft.content is None:
        key = content_key(reading, draft.sha256 or b"")
        known = await postgres.find_known_bytes(tx, reading, key)
        if known is None:
            raise BytesUnknown
        blob_key, size = known.blob_key, known.size
    else:
        size = len(draft.content)
        if size > LARGEST_FILE:
            raise FileTooLarge(bytes=size, limit=LARGEST_FILE)
        key = content_key(reading, sha256(draft.content).digest())
        blob_key = await store_bytes(tx, blobs, reading.vault, draft.content, now)
    return Content(
        kind=FILE.name,
        title=title,
        media_type=_media_type(name),
        size=size,
        content_key=key,
        name=name,
        blob_key=blob_key,
        split=draft.split,
        own_title=bool(draft.title),
    )


async def changed_content(
    tx: Transaction, reading: Reading, row: rows.ItemRow, change: ItemChange
) -> Content | None:
    """What the next version of an item holds, or None when its title and text stay.

    Raises:
        NotANote: a text was given for a file.
    """
    vault, item_id = reading.vault, row.item_id
    if change.text is not None and row.kind != NOTE.name:
        raise NotANote
    if change.title is None and change.text is None:
        return None
    found = await postgres.find_version(tx, reading.workspace_id, item_id, row.version)
    if found is None:
        raise VersionNotFound(version=row.version)
    old_title = sealed.open_title(vault, item_id, row.sealed_title)
    title = names.title(change.title) if change.title is not None else None
    split = change.split or sealed.open_split(vault, item_id, found.sealed_split)
    if found.sealed_source is not None:
        old_text = sealed.open_source(vault, item_id, found.sealed_source)
        text = old_text if change.text is None else change.text
        if title is None and found.own_title:
            title = old_title
        new = note_content(reading, text, title, split)
        return None if (new.source, new.title) == (old_text, old_title) else new
    if title is None or title == old_title:
        return None
    return Content(
        kind=row.kind,
        title=title,
        media_type=found.media_type,
        size=found.size,
        content_key=found.content_key,
        name=sealed.open_name(vault, item_id, found.sealed_name),
        blob_key=found.blob_key,
        split=split,
    )


async def store_bytes(
    tx: Transaction, blobs: Blobs, vault: Vault, content: bytes, now: datetime
) -> bytes:
    """Store bytes that a row of this transaction will point at; their key."""
    blob_key = blobs.key(vault, content)
    # Whoever unlinks these bytes takes the same lock, so the file cannot vanish before the row that
    # needs it is committed.
    await postgres.lock_keys(tx, [blob_key])
    await blobs.put(vault, content)
    await postgres.insert_blob(tx, vault.workspace_id, blob_key, size=len(content), now=now)
    return blob_key
