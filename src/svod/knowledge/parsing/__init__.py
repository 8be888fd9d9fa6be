"""Files to documents: bytes and a media type in, canonical text with its blocks out.

Takes the bytes of a file, its name and perhaps a media type. Gives a `ParsedDocument`, or raises
one of the `ReadingFailed` family, which say in both languages why and what to do. Promises that
nothing in a file can hurt the server: documents are read in limited children of a separate process.
"""

from svod.knowledge.parsing.choosing import media_type_of
from svod.knowledge.parsing.document import Block, BlockKind, ParsedDocument, Warned
from svod.knowledge.parsing.errors import ReadingFailed, reading_failure
from svod.knowledge.parsing.parsers import Parsers
from svod.knowledge.parsing.warned import warning_text

__all__ = [
    "Block",
    "BlockKind",
    "ParsedDocument",
    "Parsers",
    "ReadingFailed",
    "Warned",
    "media_type_of",
    "reading_failure",
    "warning_text",
]
