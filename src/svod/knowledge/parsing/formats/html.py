"""Web pages and other HTML."""

import re

from svod.knowledge.parsing.encoding import decoded
from svod.knowledge.parsing.format import Format
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.writing import Writing

_PAGE = re.compile(
    r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_PIECE = re.compile(
    r"\s*<(?:head|body|table|meta|title|div|style|p|h[1-6]|center|font)[\s>]", re.IGNORECASE
)
_HEAD = 4096


def looks_like_page(source: Source) -> bool:
    """Whether the beginning says that this is an HTML page."""
    return _PAGE.match(_head(source.content)) is not None


def _head(content: bytes) -> str:
    head = content[:_HEAD]
    wide = head[:2] in {b"\xff\xfe", b"\xfe\xff"} or b"\x00" in head[:8]
    return decoded(head).text if wide else head.removeprefix(b"\xef\xbb\xbf").decode("latin-1")


def read_html(source: Source, writing: Writing) -> None:
    """What the page says, without its navigation, headers, footers and scripts."""
    from svod.knowledge.parsing.web_page import write_page  # noqa: PLC0415  heavy; see Format.loads

    write_page(writing, source)


HTML = Format(
    name="html",
    media_types=("text/html", "application/xhtml+xml"),
    extensions=("html", "htm", "xhtml"),
    read=read_html,
    looks=looks_like_page,
    resembles=lambda head: _PIECE.match(head) is not None,
    is_text=True,
    loads=("svod.knowledge.parsing.web_page",),
)
