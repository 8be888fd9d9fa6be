"""A source to a document, in this process: what the reading child runs."""

from svod.knowledge.parsing.choosing import chosen
from svod.knowledge.parsing.document import ParsedDocument
from svod.knowledge.parsing.errors import (
    CorruptFile,
    NoText,
    ReadingFailed,
    ReadingOutOfMemory,
    TooDeep,
)
from svod.knowledge.parsing.formats import FORMATS
from svod.knowledge.parsing.source import Source
from svod.knowledge.parsing.writing import Full, Writing


def read_document(source: Source) -> ParsedDocument:
    """Read a source.

    Raises:
        ReadingFailed: one of its kinds; nothing else gets out.
    """
    format_ = chosen(source)
    writing = Writing()
    promised = next((other for other in FORMATS if other.is_named(source)), None)
    if promised and promised is not format_:
        writing.warn("named_otherwise", named=promised.name, read_as=format_.name)
    try:
        format_.read(source, writing)
    except Full:
        pass
    except ReadingFailed:
        raise
    except MemoryError as error:
        raise ReadingOutOfMemory from error
    except RecursionError as error:
        raise TooDeep from error
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        # A reader met bytes that nobody foresaw; Rust's panics are no `Exception`.
        raise CorruptFile(format=format_.name) from error
    document = writing.finished()
    if document.language is None and not any(letter.isalnum() for letter in document.text):
        raise NoText
    return document
