"""What a site says its page is, made safe to keep: a known media type, a known charset, no more."""

import codecs
import mimetypes
import re

from svod.foundation.fetching.errors import NotText

UNKNOWN = "application/octet-stream"
_ESSENCE = re.compile(r"[a-z0-9][a-z0-9.+-]{0,50}/[a-z0-9][a-z0-9.+-]{0,100}")
_CHARSET = re.compile(r";\s*charset\s*=\s*[\"']?([\w.:+-]{1,40})", re.IGNORECASE)
_OFFICE = "application/vnd.openxmlformats-officedocument"
_MORE_TYPES = frozenset(
    (
        *("application/xhtml+xml", "application/ld+json", "text/xml"),
        *("text/markdown", "text/x-markdown"),
        *("application/rss+xml", "application/atom+xml", "application/epub+zip"),
        *(f"{_OFFICE}.wordprocessingml.document", f"{_OFFICE}.spreadsheetml.sheet"),
        f"{_OFFICE}.presentationml.presentation",
        *(f"application/vnd.oasis.opendocument.{kind}" for kind in ("text", "spreadsheet")),
    )
)
"""Beside those that Python knows."""
_KNOWN = frozenset(mimetypes.MimeTypes().types_map[True].values()) | _MORE_TYPES
_NOT_TEXT = ("image/", "audio/", "video/", "font/")


def media_type(header: str) -> str:
    """The media type in a Content-Type, with its charset where it names one.

    It is kept in the clear, and a site could write anything into it: what is not known is
    `application/octet-stream`.

    Raises:
        NotText: a picture, a sound, a film or a font.
    """
    essence = header.partition(";")[0].strip().lower()
    if not _ESSENCE.fullmatch(essence):
        return UNKNOWN
    if essence.startswith(_NOT_TEXT):
        raise NotText(seen=essence)
    if essence not in _KNOWN:
        return UNKNOWN
    charset = _CHARSET.search(header)
    name = _known_charset(charset[1]) if charset else None
    return f"{essence}; charset={name}" if name else essence


def _known_charset(name: str) -> str | None:
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
