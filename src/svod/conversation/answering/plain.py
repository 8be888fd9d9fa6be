"""Canonical Markdown as a reader sees it: the words without the marks."""

import html
import re

_LEADING = re.compile(r"^\s*(?:>\s?)*\s*(?:#{1,6}\s+|(?:[-*+•–]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)?")
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_LINK = re.compile(r"\[([^\]]+)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+\"[^\"]*\")?\)")
_REFERENCE_LINK = re.compile(r"\[([^\]]+)\]\[[^\]]*\]")
_ADDRESS = re.compile(r"<((?:https?://|mailto:)?[^<>\s@]+[.@][^<>\s]+)>")
_TAG = re.compile(
    r"</?(?:br|b|i|em|strong|sup|sub|u|s|p|span|div|code|kbd)\b[^<>]*>", re.IGNORECASE
)
_FOOTNOTE = re.compile(r"\s?\[\^?\d{1,3}\]")
_EMPHASIS = re.compile(r"(\*\*\*|\*\*|__|~~|\*|(?<![\w\\])_)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_CODE = re.compile(r"(`+)\s?(.+?)\s?\1(?!`)")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|>~$&<])")
_SPACES = re.compile(r"\s+")


def plain(text: str) -> str:
    """A sentence, list line or cell without Markdown's marks, in one line.

    Footnote marks such as `[12]` go too: in an answer they would look like citations.
    """
    lines = (_LEADING.sub("", line) for line in text.splitlines())
    text = " ".join(lines)
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    text = _REFERENCE_LINK.sub(r"\1", text)
    text = _FOOTNOTE.sub("", text)
    text = _ADDRESS.sub(r"\1", text)
    text = _TAG.sub(" ", text)
    text = _CODE.sub(r"\2", text)
    # Emphasis nests: what was inside bold may itself be slanted.
    for _ in range(3):
        text, replaced = _EMPHASIS.subn(r"\2", text)
        if not replaced:
            break
    text = _ESCAPE.sub(r"\1", text)
    return _SPACES.sub(" ", html.unescape(text)).strip()


def cells(row: str) -> list[str]:
    """The cells of a table row as they are read."""
    inner = row.strip().removeprefix("|").removesuffix("|")
    return [plain(cell) for cell in re.split(r"(?<!\\)\|", inner)]


def is_rule(row: str) -> bool:
    """Whether a table's line only parts its header from its rows."""
    return bool(re.fullmatch(r"\s*\|?(?:\s*:?-+:?\s*\|?)+\s*", row)) and "|" in row
