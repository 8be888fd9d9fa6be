"""Chunks made ready to be written: the text that is embedded, its key, hashed words and weights."""

from collections.abc import Sequence
from dataclasses import dataclass

from svod.foundation.ids import ItemId, NamespaceId, WorkspaceId
from svod.foundation.storage import Vault
from svod.knowledge.chunking.chunk import Chunk
from svod.knowledge.indexing.words import weights, words


@dataclass(frozen=True, slots=True)
class IndexedItem:
    """What of an item its rows in the search tables say."""

    workspace_id: WorkspaceId
    namespace_id: NamespaceId
    item_id: ItemId
    item_no: int
    version: int
    layer: int
    title: str
    context_line: str = ""


@dataclass(frozen=True, slots=True)
class KeyedChunk:
    """A chunk, the text that is embedded for it, and the keyed hash of that text."""

    chunk: Chunk
    embedded: str
    text_key: bytes


@dataclass(frozen=True, slots=True)
class PreparedChunk:
    """A chunk with what its row needs. `terms` and `weights` are parallel, terms distinct."""

    chunk: Chunk
    text_key: bytes
    terms: list[int]
    weights: list[float]


def with_keys(vault: Vault, item: IndexedItem, chunks: Sequence[Chunk]) -> list[KeyedChunk]:
    """Chunks with the texts that are embedded; quick."""
    texts = [chunk.with_context(item.title, item.context_line) for chunk in chunks]
    return [
        KeyedChunk(chunk, text, vault.key_for("text", text))
        for chunk, text in zip(chunks, texts, strict=True)
    ]


def prepare(vault: Vault, item: IndexedItem, chunks: Sequence[Chunk]) -> list[PreparedChunk]:
    """Analyse and hash chunks; about a second a megabyte, so for a thread."""
    return [_prepared(vault, keyed) for keyed in with_keys(vault, item, chunks)]


def _prepared(vault: Vault, keyed: KeyedChunk) -> PreparedChunk:
    weighted = weights([word.term for word in words(keyed.embedded)])
    hashed: dict[int, float] = {}
    # Two words may share a 32-bit hash, about once in 400,000: they are then one word.
    for term, weight in zip(vault.terms(weighted), weighted.values(), strict=True):
        hashed[term] = max(weight, hashed.get(term, 0.0))
    return PreparedChunk(keyed.chunk, keyed.text_key, list(hashed), list(hashed.values()))
