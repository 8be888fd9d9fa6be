"""How what is searchable is written: analysed, hashed, sealed, placed, and taken away again.

Takes chunks of an item; gives rows in the search tables, within the caller's transaction. It alone
writes them. Promises that an item's chunks come and go whole, and that deleting needs neither the
text nor the analyser of its day. `words` is the one analyser, for chunks and queries alike.
"""

from svod.knowledge.indexing.body import ChunkAddress, open_chunk
from svod.knowledge.indexing.prepared import IndexedItem, prepare
from svod.knowledge.indexing.writing import (
    remove_items,
    remove_workspace,
    write_vectors,
    write_words,
)

__all__ = [
    "ChunkAddress",
    "IndexedItem",
    "open_chunk",
    "prepare",
    "remove_items",
    "remove_workspace",
    "write_vectors",
    "write_words",
]
