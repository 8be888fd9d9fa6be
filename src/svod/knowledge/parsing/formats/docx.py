"""Word documents, with or without macros (docx, docm, dotx)."""

from svod.knowledge.parsing.format import Format
from svod.knowledge.parsing.signatures import is_zip, zip_names
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.writing import Writing


def looks_like_word(source: Source) -> bool:
    """Whether this is a package with a Word document in it."""
    return is_zip(source.content) and b"word/document" in zip_names(source.content)


def read_docx(source: Source, writing: Writing) -> None:
    """The document's body; headers and footers of pages are left out, macros are never run."""
    from svod.knowledge.parsing.office.word import write_word  # noqa: PLC0415  heavy; see Format.loads

    write_word(writing, source.content)


DOCX = Format(
    name="docx",
    media_types=(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.ms-word.document.macroenabled.12",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    ),
    extensions=("docx", "docm", "dotx", "dotm"),
    read=read_docx,
    looks=looks_like_word,
    loads=("svod.knowledge.parsing.office.word",),
)
