"""Chunking: a parsed document to the pieces that are searched and cited.

Takes a `ParsedDocument` and `SplitSettings`, gives chunks in order. Each is a slice of the
canonical text within the limits of size and of the embedding model; together they hold every
letter and digit of it. Headings stay with their text, tables are split between rows, code between
functions; nothing waits, nothing leaves the process, and the time grows with the text alone.
"""

from svod.knowledge.chunking.chunk import Chunk
from svod.knowledge.chunking.sentences import sentences
from svod.knowledge.chunking.settings import SplitMode, SplitSettings
from svod.knowledge.chunking.splitting import TokenCounter, split

__all__ = ["Chunk", "SplitMode", "SplitSettings", "TokenCounter", "sentences", "split"]
