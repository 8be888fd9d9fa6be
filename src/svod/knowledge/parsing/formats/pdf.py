"""PDF documents with a text layer."""

from svod.knowledge.parsing.format import Format
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.writing import Writing

_HEAD = 1024
"""A PDF may begin with other bytes; readers have always looked this far."""


def looks_like_pdf(source: Source) -> bool:
    """Whether it has the mark of a PDF where one may be."""
    return b"%PDF-" in source.content[:_HEAD]


def read_pdf(source: Source, writing: Writing) -> None:
    """The text of every page, with its headings and tables; scripts are never run."""
    from svod.knowledge.parsing.pdf.pages import write_pdf  # noqa: PLC0415  heavy; see Format.loads

    write_pdf(writing, source.content)


PDF = Format(
    name="pdf",
    media_types=("application/pdf", "application/x-pdf"),
    extensions=("pdf",),
    read=read_pdf,
    looks=looks_like_pdf,
    loads=("svod.knowledge.parsing.pdf.pages",),
)
