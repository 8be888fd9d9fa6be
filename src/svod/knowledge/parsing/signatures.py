"""What kind of file some bytes are, where it is one that has no reader here."""

import re

from svod.knowledge.parsing.source import Source

_HEADS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "png", "image/png"),
    (b"\xff\xd8\xff", "jpeg", "image/jpeg"),
    (b"GIF8", "gif", "image/gif"),
    (b"BM", "bmp", "image/bmp"),
    (b"II*\x00", "tiff", "image/tiff"),
    (b"MM\x00*", "tiff", "image/tiff"),
    (b"\x1f\x8b", "gzip", "application/gzip"),
    (b"BZh", "bzip2", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "xz", "application/x-xz"),
    (b"7z\xbc\xaf\x27\x1c", "7z", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "rar", "application/vnd.rar"),
    (b"\x7fELF", "program", "application/x-executable"),
    (b"MZ", "program", "application/vnd.microsoft.portable-executable"),
    (b"SQLite format 3\x00", "sqlite", "application/vnd.sqlite3"),
    (b"ID3", "mp3", "audio/mpeg"),
    (b"OggS", "ogg", "audio/ogg"),
    (b"wOFF", "font", "font/woff"),
    (b"%!PS", "postscript", "application/postscript"),
    (b"{\\rtf", "rtf", "application/rtf"),
)
_SHORT_HEAD = 3
"""A head this short could begin a text by chance, so the rest must not be text."""
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS: tuple[tuple[str, str, str], ...] = (
    ("WordDocument", "doc", "application/msword"),
    ("Workbook", "xls", "application/vnd.ms-excel"),
    ("PowerPoint Document", "ppt", "application/vnd.ms-powerpoint"),
    ("Book", "xls", "application/vnd.ms-excel"),
)
_ZIPPED: tuple[tuple[bytes, str, str], ...] = (
    (
        b"ppt/presentation",
        "pptx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
    (b"xl/workbook.bin", "xlsb", "application/vnd.ms-excel.sheet.binary.macroEnabled.12"),
    (b"META-INF/container.xml", "epub", "application/epub+zip"),
    (b"Index/Document.iwa", "iwork", "application/vnd.apple.numbers"),
    (b"content.xml", "opendocument", "application/vnd.oasis.opendocument.text"),
)
_TEXT_LIKE = {
    **dict.fromkeys(("xml", "rss", "atom", "xsd", "xsl"), ("xml", "application/xml")),
    "svg": ("svg", "image/svg+xml"),
    "eml": ("eml", "message/rfc822"),
    "mht": ("mhtml", "multipart/related"),
    "mhtml": ("mhtml", "multipart/related"),
}
_MARKUP = re.compile(
    r"\s*(?:<!--.*?-->\s*)*<(?:\?xml|svg[\s>]|rss[\s>]|feed[\s>])", re.DOTALL | re.I
)
_HEAD = 4096


def is_zip(content: bytes) -> bool:
    """Whether it begins as a zip archive does."""
    return content.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"))


def zip_names(content: bytes) -> bytes:
    """The part of a zip archive that holds the names of its entries.

    The whole of it is not searched: a document can carry another one inside.
    """
    end = content.rfind(b"PK\x05\x06", max(0, len(content) - 65_557))
    if end >= 0 and len(content) >= end + 20:
        size = int.from_bytes(content[end + 12 : end + 16], "little")
        start = int.from_bytes(content[end + 16 : end + 20], "little")
        if content[start : start + 4] == b"PK\x01\x02":
            return content[start : start + size]
    return content[:65_536]


def holds_stream(content: bytes, name: str) -> bool:
    """Whether an OLE container has a stream of this name."""
    return name.encode("utf-16-le") in content


def unread_kind(source: Source) -> tuple[str, str] | None:
    """The name and media type of a known kind of file that no reader takes; None if it is not one."""
    content = source.content
    if content.startswith(OLE):
        return _ole_kind(content)
    if is_zip(content):
        return _zip_kind(content)
    if content[:4] == b"RIFF":
        return ("webp", "image/webp") if content[8:12] == b"WEBP" else ("media", "video/x-msvideo")
    if content[4:8] == b"ftyp":
        return "media", "video/mp4"
    for head, name, media_type in _HEADS:
        if content.startswith(head) and (len(head) > _SHORT_HEAD or b"\x00" in content[:512]):
            return name, media_type
    return None


def _ole_kind(content: bytes) -> tuple[str, str]:
    for stream, name, media_type in _OLE_STREAMS:
        if holds_stream(content, stream):
            return name, media_type
    return "ole", "application/x-ole-storage"


def _zip_kind(content: bytes) -> tuple[str, str]:
    names = zip_names(content)
    for part, name, media_type in _ZIPPED:
        if part in names:
            return name, media_type
    return "zip", "application/zip"


def unread_text(source: Source, head: str) -> tuple[str, str] | None:
    """The like for files that are text underneath, but markup that needs a reader of its own."""
    if source.extension in _TEXT_LIKE:
        return _TEXT_LIKE[source.extension]
    if source.extension in {"txt", "md", "markdown", "text", "log"} or source.essence.startswith(
        "text/"
    ):
        return None
    return ("xml", "application/xml") if _MARKUP.match(head[:_HEAD]) else None
