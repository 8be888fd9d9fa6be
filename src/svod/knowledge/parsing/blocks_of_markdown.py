"""Markdown text to blocks; the text of each block is kept as its author wrote it."""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from svod.knowledge.parsing.document import BlockKind
from svod.knowledge.parsing.tables import looks_like_header
from svod.knowledge.parsing.writing import LONG_LIST, Writing, cleaned, plain

_KINDS = {
    "heading_open": BlockKind.HEADING,
    "paragraph_open": BlockKind.PARAGRAPH,
    "html_block": BlockKind.PARAGRAPH,
    "table_open": BlockKind.TABLE,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "blockquote_open": BlockKind.QUOTE,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
}
_FRONT_MATTER = re.compile(r"\A\s*---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_SETEXT = re.compile(r"\n[=-]+\s*\Z")


def write_markdown(writing: Writing, text: str) -> None:
    """Write a Markdown text as blocks; front matter gives the title and is kept as code."""
    text = cleaned(text)
    if front := _FRONT_MATTER.match(text):
        if title := _TITLE.search(front[1]):
            writing.title = title[1].strip("'\"")
        writing.raw(BlockKind.CODE, front[0].strip())
        text = text[front.end() :]
    # Blocks are all that is asked for: parsing what is inside a line would cost most of the time.
    parser = MarkdownIt("commonmark").enable("table").disable("inline")
    lines = text.split("\n")
    tokens = parser.parse(text)
    written = 0
    for position, token in enumerate(tokens):
        if token.level == 0 and token.map and token.type in _KINDS:
            _write_rest(writing, lines[written : token.map[0]])
            _write(writing, lines, tokens, position)
            written = token.map[1]
    _write_rest(writing, lines[written:])


def _write_rest(writing: Writing, lines: list[str]) -> None:
    """What stands between blocks and is none: rules, and the addresses that links refer to."""
    text = "\n".join(lines).strip("\n")
    if text.strip():
        writing.raw(BlockKind.PARAGRAPH, text)


def _write(writing: Writing, lines: list[str], tokens: list[Token], position: int) -> None:
    token = tokens[position]
    first, last = token.map or (0, 0)
    text = "\n".join(lines[first:last])
    match _KINDS[token.type]:
        case BlockKind.HEADING:
            words = plain(tokens[position + 1].content)
            if words:
                writing.raw(BlockKind.HEADING, text, level=int(token.tag[1]), words=words)
        case BlockKind.TABLE:
            header = "\n".join(lines[first : first + 2]).strip("\n")
            named = looks_like_header(
                [[cell for cell in header.split("\n")[0].split("|") if cell.strip()], []]
            )
            writing.table(text, len(header) if named else 0)
        case BlockKind.LIST if len(text) > LONG_LIST:
            _write_items(writing, lines, tokens, position)
        case kind:
            writing.raw(kind, text)


def _write_items(writing: Writing, lines: list[str], tokens: list[Token], position: int) -> None:
    gap = "\n\n"
    for token in tokens[position + 1 :]:
        if token.level == 0:
            return
        if token.type == "list_item_open" and token.level == 1 and token.map:
            text = "\n".join(lines[token.map[0] : token.map[1]])
            writing.raw(BlockKind.LIST, text, gap=gap)
            gap = "\n\n" if text.endswith("\n") else "\n"
