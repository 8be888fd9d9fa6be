"""The file of a backup: a plain tar whose last member holds the checksum of every other.

Written and read as a stream, one piece at a time, so that memory does not grow with the number of
members; Python's `tarfile` would keep each one's header. `tar -xf` and `sha256sum -c` read it too.
Source: POSIX.1-1988 (ustar).
"""

import errno
import hashlib
import os
import secrets
import shutil
import tarfile
import tempfile
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from svod.foundation.storage.backup.errors import (
    BackupDamaged,
    BackupExists,
    BackupNoRoom,
    BackupNotWritten,
)

SUMS = "SHA256SUMS"
PART_BYTES = 4 << 20
"""Streams of unknown length are written in members of this size."""
_PIECE = 1 << 18
_BLOCK = tarfile.BLOCKSIZE
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class ArchiveWriter:
    """An archive that is being written; `bytes` counts what its members hold so far."""

    def __init__(self, out: IO[bytes], lines: IO[bytes]) -> None:
        self._out = out
        # On the disk: with a million files the list of checksums is too long for memory.
        self._lines = lines
        self.bytes = 0

    def add(self, name: str, content: bytes) -> None:
        """A member, whole."""
        self._begin(name, len(content))
        self._out.write(content)
        self._end(name, len(content), hashlib.sha256(content).hexdigest())

    def add_parts(self, folder: str, pieces: Iterable[bytes]) -> None:
        """A stream, as members `folder/000000` and so on; at least one."""
        part, number = bytearray(), 0
        for piece in pieces:
            part += piece
            while len(part) >= PART_BYTES:
                self.add(f"{folder}/{number:06}", bytes(part[:PART_BYTES]))
                del part[:PART_BYTES]
                number += 1
        if part or not number:
            self.add(f"{folder}/{number:06}", bytes(part))

    def add_file(self, name: str, file: Path) -> None:
        """A file, which is not changed meanwhile, only replaced.

        Raises:
            FileNotFoundError: there is none; nothing was written then.
        """
        digest = hashlib.sha256()
        with file.open("rb") as source:
            size = os.fstat(source.fileno()).st_size
            self._begin(name, size)
            while piece := source.read(_PIECE):
                self._out.write(piece)
                digest.update(piece)
        self._end(name, size, digest.hexdigest())

    def finish(self) -> None:
        """Write the checksums and the end."""
        size = self._lines.tell()
        self._lines.seek(0)
        self._begin(SUMS, size)
        shutil.copyfileobj(self._lines, self._out)
        self._out.write(bytes(-size % _BLOCK + 2 * _BLOCK))

    def _begin(self, name: str, size: int) -> None:
        info = tarfile.TarInfo(name)
        info.size, info.mode = size, 0o600
        self._out.write(info.tobuf(tarfile.USTAR_FORMAT))

    def _end(self, name: str, size: int, digest: str) -> None:
        self._out.write(bytes(-size % _BLOCK))
        self._lines.write(f"{digest}  {name}\n".encode())
        self.bytes += size


@contextmanager
def writing(file: Path) -> Generator[ArchiveWriter]:
    """An archive that appears under its name when it is whole, and not at all on an error.

    Raises:
        BackupExists: something has that name.
        BackupNoRoom: the disk became full.
        BackupNotWritten: the folder is not there, or may not be written to.
    """
    unfinished = file.with_name(f".{file.name}.{secrets.token_hex(4)}.new")
    try:
        with _told(file):
            if file.exists():
                raise BackupExists(file=file)
            descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with (
                os.fdopen(descriptor, "wb", buffering=_PIECE) as out,
                tempfile.TemporaryFile(dir=file.parent) as lines,
            ):
                writer = ArchiveWriter(out, lines)
                yield writer
                writer.finish()
                out.flush()
                os.fsync(out.fileno())
            # Unlike a rename this refuses a name that was taken meanwhile.
            file.hardlink_to(unfinished)
            _sync(file.parent)
    finally:
        unfinished.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Member:
    """One member; its content is read once, before the next is asked for."""

    name: str
    size: int
    pieces: Iterator[bytes]

    def content(self) -> bytes:
        """The whole content, for a small one."""
        return b"".join(self.pieces)


class Archive:
    """An archive to read, any number of times."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def members(self) -> Iterator[Member]:
        """Every member but the checksums, in order.

        Raises:
            BackupDamaged: it breaks off, or is no archive.
        """
        for member in self._all():
            if member.name != SUMS:
                yield member

    def verify(self) -> int:
        """Read it whole and compare every checksum; how many members it holds.

        Raises:
            BackupDamaged: something differs, or the end is missing.
        """
        seen = hashlib.sha256()
        for count, member in enumerate(self._all()):
            digest = hashlib.sha256()
            for piece in member.pieces:
                digest.update(piece)
            if member.name == SUMS:
                # Its lines are those of the members before it, if each of them is as it was.
                if digest.digest() != seen.digest():
                    raise self._damaged("a checksum differs", "контрольная сумма не сошлась")
                return count
            seen.update(f"{digest.hexdigest()}  {member.name}\n".encode())
        raise self._damaged("its end is missing", "у неё нет конца")

    def _all(self) -> Iterator[Member]:
        try:
            with self.file.open("rb") as source:
                while (header := source.read(_BLOCK)) and header.strip(b"\0"):
                    info = tarfile.TarInfo.frombuf(header, "utf-8", "strict")
                    pieces = self._pieces(source, info.size)
                    yield Member(info.name, info.size, pieces)
                    for _ in pieces:
                        pass
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise self._damaged(why, why) from None
        except (tarfile.TarError, UnicodeDecodeError):
            raise self._damaged("it is no archive", "это не архив") from None

    def _pieces(self, source: IO[bytes], size: int) -> Iterator[bytes]:
        left = size
        while left:
            piece = source.read(min(_PIECE, left))
            if not piece:
                raise self._damaged("it breaks off", "она обрывается")
            left -= len(piece)
            yield piece
        source.read(-size % _BLOCK)

    def _damaged(self, problem_en: str, problem_ru: str) -> BackupDamaged:
        return BackupDamaged(file=self.file, problem_en=problem_en, problem_ru=problem_ru)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _told(file: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise BackupNoRoom(file=file) from error
        if isinstance(error, FileExistsError):
            raise BackupExists(file=file) from None
        raise BackupNotWritten(why=error.strerror or type(error).__name__) from error
