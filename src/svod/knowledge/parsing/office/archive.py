"""Reading office files as the zip archives they are, without trusting what they say of themselves."""

import re
import zipfile
import zlib
from io import BytesIO

from svod.knowledge.parsing.errors import (
    CorruptFile,
    EncryptedFile,
    TooManyEntries,
    UnpackedTooLarge,
    XmlEntities,
)

MOST_ENTRIES = 10_000
MOST_UNPACKED = 300 * 1024 * 1024
"""All entries together; far above real documents, below what a child may hold."""
TIGHT_FROM = 10 * 1024 * 1024
TIGHT_RATIO = 100
"""An entry above 10 MB that is packed tighter than this is a bomb; XML packs about 10-20 times."""

_ENTITY = re.compile(rb"<!ENTITY|<\x00!\x00E\x00N\x00T|\x00<\x00!\x00E\x00N\x00T", re.IGNORECASE)


class Archive:
    """A zip file that was checked for its size and can be read part by part.

    Raises:
        TooManyEntries, UnpackedTooLarge: by what the directory declares, before anything is read.
        CorruptFile: it is no zip file, or a part of it is broken.
    """

    def __init__(self, content: bytes, *, format_name: str) -> None:
        self._format = format_name
        entries = (
            int.from_bytes(content[-12:-10], "little") if content[-22:-18] == b"PK\x05\x06" else 0
        )
        if entries > MOST_ENTRIES:
            raise TooManyEntries(limit=MOST_ENTRIES)
        try:
            self._zip = zipfile.ZipFile(BytesIO(content))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise CorruptFile(format=format_name) from error
        self._entries = {
            entry.filename.lstrip("/").lower(): entry for entry in self._zip.infolist()
        }
        if len(self._zip.infolist()) > MOST_ENTRIES:
            raise TooManyEntries(limit=MOST_ENTRIES)
        declared = 0
        for entry in self._zip.infolist():
            declared += entry.file_size
            tight = entry.file_size > TIGHT_RATIO * max(entry.compress_size, 1)
            if declared > MOST_UNPACKED or (entry.file_size > TIGHT_FROM and tight):
                raise UnpackedTooLarge(limit_mb=MOST_UNPACKED >> 20)
        self._unpacked: dict[str, int] = {}

    def names(self) -> list[str]:
        """The names of all parts, in lower case: they are compared without regard to case."""
        return list(self._entries)

    def __contains__(self, name: str) -> bool:
        return name.lstrip("/").lower() in self._entries

    def xml(self, name: str) -> bytes:
        """A part that is XML.

        Raises:
            XmlEntities: it defines entities.
            CorruptFile: it is missing or broken.
        """
        content = self.read(name)
        if _ENTITY.search(content):
            raise XmlEntities
        return content

    def read(self, name: str) -> bytes:
        """A part's bytes; what is really unpacked is counted, whatever was declared.

        Raises:
            UnpackedTooLarge: it holds more than it declares, or all parts together too much.
            EncryptedFile: it needs a password.
            CorruptFile: it is missing or broken.
        """
        entry = self._entries.get(name.lstrip("/").lower())
        if entry is None:
            raise CorruptFile(format=self._format)
        if entry.flag_bits & 1:
            raise EncryptedFile
        try:
            with self._zip.open(entry) as stream:
                content = stream.read(MOST_UNPACKED + 1)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            NotImplementedError,
            RuntimeError,
        ) as error:
            raise CorruptFile(format=self._format) from error
        self._unpacked[entry.filename] = len(content)
        if sum(self._unpacked.values()) > MOST_UNPACKED:
            raise UnpackedTooLarge(limit_mb=MOST_UNPACKED >> 20)
        return content
