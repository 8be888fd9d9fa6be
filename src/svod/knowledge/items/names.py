"""Titles, file names and external ids: what they may be, and what they are by default."""

import mimetypes
import re
import unicodedata
from pathlib import PurePosixPath

from svod.knowledge.items.errors import BadName

LONGEST_TITLE = 300
LONGEST_NAME = 255
LONGEST_EXTERNAL_ID = 1000
LONGEST_TAG = 50
_DEFAULT_TITLE = 120
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_MARKS = re.compile(r"^[#>*\-\s]+|[*_`#]+$")


def title(text: str) -> str:
    """A title as given, without white space around it.

    Raises:
        BadName: empty, over 300 characters, or with control characters.
    """
    return _checked(text, "title", LONGEST_TITLE)


def external_id(text: str) -> str:
    """An external id as given; white space around it counts.

    Raises:
        BadName: empty, over 1,000 characters, or with control characters.
    """
    return _checked(text, "external_id", LONGEST_EXTERNAL_ID, strip=False)


def file_name(text: str) -> str:
    """The last part of a path, whichever slashes it has.

    Raises:
        BadName: empty, over 255 characters, or with control characters.
    """
    name = PurePosixPath(text.replace("\\", "/")).name
    return _checked("" if name == ".." else name, "name", LONGEST_NAME)


def tag(text: str) -> str:
    """A tag as it is shown: composed, with single spaces.

    Raises:
        BadName: empty, over 50 characters, or with control characters.
    """
    return _checked(" ".join(unicodedata.normalize("NFC", text).split()), "tags", LONGEST_TAG)


def shortened(text: str) -> str:
    """A text as a title: on one line, and no longer than one that nobody gave."""
    bare = _CONTROL.sub(" ", text).strip() or "…"
    return bare if len(bare) <= _DEFAULT_TITLE else bare[: _DEFAULT_TITLE - 1].rstrip() + "…"


def title_of_note(text: str) -> str:
    """The first line of a note that says something, without its Markdown marks."""
    for line in text.splitlines():
        bare = _CONTROL.sub(" ", _MARKS.sub("", line.strip())).strip()
        if bare:
            return shortened(bare)
    return "…"


def _checked(text: str, field: str, limit: int, *, strip: bool = True) -> str:
    text = text.strip() if strip else text
    if not 0 < len(text) <= limit or _CONTROL.search(text) or not text.strip():
        raise BadName(field=field, limit=limit)
    return text


def folded(name: str) -> str:
    """A file name as two of them are compared: composed and without case."""
    return unicodedata.normalize("NFC", name).casefold()


def of_source(media_type: str) -> str:
    """A file name for what was given without one: a note, or a page."""
    if media_type == "text/markdown":
        return "note.md"
    return f"page{mimetypes.guess_extension(media_type.partition(';')[0]) or ''}"
