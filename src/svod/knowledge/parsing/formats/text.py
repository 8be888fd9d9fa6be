"""Plain text in any encoding."""

import re

from svod.knowledge.parsing.blocks_of_markdown import write_markdown
from svod.knowledge.parsing.decoding import decoded_source
from svod.knowledge.parsing.document import BlockKind
from svod.knowledge.parsing.format import Format
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.writing import Writing, cleaned

_HEADING = re.compile(
    r"(?P<hashes>#{2,6})[ \t]+(?P<a>\S.*?)[ \t#]*|(?P<marks>={2,6})[ \t]*(?P<b>[^=\s].*?)[ \t]*=*"
)
_MARKDOWN = re.compile(r"(?:\A|\n[ \t]*\n)#{1,6} \S[^\n]*\n[ \t]*\n")
MARKDOWN_HEADINGS = 2
_ITEM = re.compile(r"[ \t]*(?:[-*•–—+]|\d{1,3}[.)])[ \t]+\S")
_BREAK = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def read_text(source: Source, writing: Writing) -> None:
    """Paragraphs are parted by blank lines; lines like `## …` and `=== …` are headings.

    A text that is plainly Markdown under another name is read as that.
    """
    text = cleaned(decoded_source(source, writing))
    if (
        source.extension in {"txt", "text", ""}
        and len(_MARKDOWN.findall(text)) >= MARKDOWN_HEADINGS
    ):
        write_markdown(writing, text)
        return
    for passage in _BREAK.split(text):
        lines: list[str] = []
        for line in passage.split("\n"):
            if found := _HEADING.fullmatch(line):
                _write(writing, lines)
                lines = []
                mark, words = found["hashes"] or found["marks"], found["a"] or found["b"]
                writing.raw(BlockKind.HEADING, line, level=len(mark), words=words)
            else:
                lines.append(line.rstrip())
        _write(writing, lines)


def _write(writing: Writing, lines: list[str]) -> None:
    first = next((line for line in lines if line), "")
    is_list = (
        len(lines) > 1
        and _ITEM.match(first)
        and sum(map(bool, map(_ITEM.match, lines))) * 2 >= len(lines)
    )
    writing.raw(BlockKind.LIST if is_list else BlockKind.PARAGRAPH, "\n".join(lines))


TEXT = Format(
    name="txt",
    media_types=("text/plain",),
    extensions=("txt", "text", "log"),
    read=read_text,
    is_text=True,
)
