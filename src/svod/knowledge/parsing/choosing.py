"""Which reader a source gets: its content decides, its name is only a hint."""

from svod.knowledge.parsing.encoding import decoded, is_binary
from svod.knowledge.parsing.errors import (
    BinaryFile,
    CorruptFile,
    EmptyFile,
    EncryptedFile,
    ReadingFailed,
    UnsupportedFormat,
    WrongType,
)
from svod.knowledge.parsing.format import Format
from svod.knowledge.parsing.formats import FORMATS, PLAIN_TEXT
from svod.knowledge.parsing.signatures import OLE, holds_stream, unread_kind, unread_text
from svod.knowledge.parsing.source import Source

_DOCUMENTS = frozenset(
    {"doc", "xls", "ppt", "ole", "pptx", "xlsb", "epub", "iwork", "opendocument", "rtf"}
)
"""Kinds that people mistake for one another; they hear what is read, not that the name is wrong."""
_DOCUMENT_NAMES = frozenset({"doc", "xls", "ppt", "pptx", "xlsb", "ods", "odt", "rtf", "numbers"})
_HEAD = 16_384
UNKNOWN = "application/octet-stream"


def chosen(source: Source) -> Format:
    """The format that reads a source.

    Raises:
        EmptyFile, EncryptedFile, UnsupportedFormat, WrongType, BinaryFile, CorruptFile: none does.
    """
    if not source.content or (not source.content[:_HEAD].strip() and not source.content.strip()):
        raise EmptyFile
    for format_ in FORMATS:
        if not format_.is_text and format_.looks and format_.looks(source):
            return format_
    if source.content.startswith(OLE) and holds_stream(source.content, "EncryptedPackage"):
        raise EncryptedFile
    promised = next((format_ for format_ in FORMATS if format_.is_named(source)), None)
    if kind := unread_kind(source):
        raise _unread(kind[0], promised)
    if is_binary(source.content):
        raise WrongType(named=promised.name) if promised and not promised.is_text else BinaryFile()
    return _text(source, promised)


def media_type_of(source: bytes, name: str) -> str:
    """The media type by a cheap look at the content and name; never fails."""
    given = Source(source, name)
    try:
        return chosen(given).media_type
    except EmptyFile:
        named = next((format_ for format_ in FORMATS if format_.is_named(given)), PLAIN_TEXT)
        return named.media_type
    except ReadingFailed:
        kind = unread_kind(given)
        if kind is None and not is_binary(source):
            kind = unread_text(given, _head(given))
        return kind[1] if kind else UNKNOWN


def _unread(kind: str, promised: Format | None) -> ReadingFailed:
    if kind == "zip" and promised and not promised.is_text:
        # The end of a zip archive says what is in it: a file cut short looks like any archive.
        return CorruptFile(format=promised.name)
    if promised and kind not in _DOCUMENTS:
        return WrongType(named=promised.name, seen=kind)
    return unsupported(kind)


def unsupported(kind: str) -> UnsupportedFormat:
    """The failure that says which formats are read."""
    return UnsupportedFormat(seen=kind, formats=", ".join(format_.name for format_ in FORMATS))


def _head(source: Source) -> str:
    head = source.content[:_HEAD]
    return decoded(head[: len(head) // 4 * 4]).text


def _text(source: Source, promised: Format | None) -> Format:
    head = _head(source)
    if promised and source.essence in promised.media_types and promised.is_text:
        return promised
    if kind := unread_text(source, head):
        raise unsupported(kind[0])
    found = next((f for f in FORMATS if f.is_text and f.looks and f.looks(source)), None)
    if promised and promised.is_text:
        # Markdown and plain text may begin with anything, except with what is a whole page.
        return found or promised
    if found:
        return found
    # A page or a table named .xls is ordinary in business software; a .log is what it says.
    return _guessed(head) if promised or source.extension in _DOCUMENT_NAMES else PLAIN_TEXT


def _guessed(head: str) -> Format:
    return next((f for f in FORMATS if f.is_text and f.resembles and f.resembles(head)), PLAIN_TEXT)
