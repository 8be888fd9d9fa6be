"""Sending files: hashed first, asked about, and only those sent that the server lacks."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from svod.cli.catalogue import t
from svod.cli.walking import LocalFile
from svod.client import NotAllowed, NotAvailable, NotFound, SvodFailed
from svod.client.results import Added, Failure, FileState, Item

if TYPE_CHECKING:
    from svod.client import Client

BATCH = 1000
HASHING = 2
SENDING = 4
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of one file or note; without an item it never reached the server."""

    external_id: str | None
    title: str
    outcome: str | None
    item: Item | None
    failure: Failure | None

    @property
    def failed(self) -> bool:
        """Whether it was not taken, or could not be read."""
        return self.failure is not None

    @classmethod
    def of(cls, added: Added) -> "Sent":
        """What adding gave."""
        item = added.item
        return cls(item.external_id, item.title, added.outcome, item, item.failure)

    def now(self, item: Item) -> "Sent":
        """The same, with the item as it stands now."""
        return replace(self, item=item, failure=item.failure)


@dataclass(frozen=True, slots=True)
class Where:
    """Where files go, and how."""

    level: str
    namespace: str
    copy: bool = False
    title: str | None = None
    external_id: str | None = None
    tags: tuple[str, ...] | None = None


def send(
    client: "Client",
    files: Sequence[LocalFile],
    where: Where,
    *,
    done: Callable[[Sent], None],
) -> None:
    """Bring the server's copy up to date with the files; `done` hears of each, as it ends.

    Raises:
        NotAvailable, NotAllowed: nothing more can be sent.
    """
    waiting = iter(files)
    while batch := list(islice(waiting, BATCH)):
        with ThreadPoolExecutor(SENDING) as pool:
            try:
                for sent in _send_batch(client, pool, batch, where):
                    done(sent)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _send_batch(
    client: "Client", pool: ThreadPoolExecutor, batch: Sequence[LocalFile], where: Where
) -> Iterator[Sent]:
    hashes: dict[LocalFile, str] = {}
    for file, found in zip(batch, pool.map(_hash, batch), strict=True):
        if isinstance(found, Failure):
            yield unreadable(file, found)
        else:
            hashes[file] = found
    if not hashes:
        return
    asked = [(digest, _external_id(file, where)) for file, digest in hashes.items()]
    states = client.check_files(asked, level=where.level, namespace=where.namespace)
    work = [
        pool.submit(_settle, client, file, digest, state, where)
        for (file, digest), state in zip(hashes.items(), states, strict=True)
    ]
    for future in as_completed(work):
        yield future.result()


def _settle(client: "Client", file: LocalFile, digest: str, state: FileState, where: Where) -> Sent:
    try:
        if state.item is not None and not where.copy and where.tags is None:
            added = Added("unchanged", state.item)
        else:
            added = _add(client, file, digest, where, known=state.known)
        # The server may recognise the bytes as an item of another name: still this file's line.
        return replace(Sent.of(added), external_id=_external_id(file, where))
    except OSError as error:
        return unreadable(file, failure_of(error))
    except (NotAvailable, NotAllowed):
        raise
    except SvodFailed as error:
        return refused(file.external_id, error, title=file.path.name)


def _add(client: "Client", file: LocalFile, digest: str, where: Where, *, known: bool) -> Added:
    def add(content: Path | None, sha256: str | None) -> Added:
        return client.add_file(
            content,
            sha256=sha256,
            name=file.path.name,
            title=where.title,
            level=where.level,
            namespace=where.namespace,
            external_id=_external_id(file, where),
            copy=where.copy,
            tags=where.tags,
        )

    if known:
        try:
            return add(None, digest)
        except NotFound as error:
            # Deleted since we asked: then the bytes are needed after all.
            if error.code != "items.bytes_unknown":
                raise
    return add(file.path, None)


def refused(name: str, error: SvodFailed, *, title: str | None = None) -> Sent:
    """A file or page that the server did not take."""
    failure = Failure(error.code, _whole(error), error.hint)
    return Sent(name, title or name, None, None, failure)


def unreadable(file: LocalFile, failure: Failure) -> Sent:
    """A file that could not be opened here."""
    external_id = file.external_id.encode(errors="replace").decode()
    title = file.path.name.encode(errors="replace").decode()
    return Sent(external_id, title, None, None, failure)


def failure_of(error: OSError) -> Failure:
    """Why a file could not be opened."""
    reason = error.strerror or type(error).__name__
    message = t("add.unreadable", reason=reason)
    return Failure("cli.unreadable", message, t("add.unreadable.hint"))


def _external_id(file: LocalFile, where: Where) -> str:
    return where.external_id or file.external_id


def _hash(file: LocalFile) -> str | Failure:
    try:
        file.external_id.encode()
    except UnicodeEncodeError:
        return Failure("cli.bad_name", t("add.bad_name"), t("add.bad_name.hint"))
    digest = hashlib.sha256()
    try:
        with file.path.open("rb") as opened:
            while chunk := opened.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        return failure_of(error)
    return digest.hexdigest()


def _whole(error: SvodFailed) -> str:
    return " ".join([error.message, *(f"{one.field}: {one.message}" for one in error.errors)])
