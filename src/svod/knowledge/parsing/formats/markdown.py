"""Markdown: notes are written in it, and its own structure is kept."""

from svod.knowledge.parsing.blocks_of_markdown import write_markdown
from svod.knowledge.parsing.decoding import decoded_source
from svod.knowledge.parsing.format import Format
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.writing import Writing


def read_markdown(source: Source, writing: Writing) -> None:
    """The blocks that the author marked."""
    write_markdown(writing, decoded_source(source, writing))


MARKDOWN = Format(
    name="md",
    media_types=("text/markdown", "text/x-markdown"),
    extensions=("md", "markdown", "mdx", "mdown"),
    read=read_markdown,
    is_text=True,
)
