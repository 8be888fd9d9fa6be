"""Quoted parts of a query: what must stand in a hit as it is written."""

from collections.abc import Sequence

from svod.foundation.storage import Vault
from svod.knowledge.indexing.body import ChunkAddress, open_chunk
from svod.knowledge.indexing.words import has_phrase
from svod.knowledge.items.sealed import open_title
from svod.knowledge.retrieval.postgres import CandidateRow

MOST_CANDIDATES = 2_000
"""Texts that are opened for one query; where more could hold the phrase, it is said."""


def with_phrases(
    vault: Vault, rows: Sequence[CandidateRow], phrases: Sequence[Sequence[str]]
) -> list[int]:
    """The keys of the chunks whose text, with title and headings, holds every phrase.

    Takes up to a second for the most candidates: run it in a thread.
    """
    return [row.k for row in rows if _holds(vault, row, phrases)]


def _holds(vault: Vault, row: CandidateRow, phrases: Sequence[Sequence[str]]) -> bool:
    chunk = open_chunk(vault, ChunkAddress(row.item_id, row.version, row.part), row.sealed_body)
    text = chunk.with_context(open_title(vault, row.item_id, row.sealed_title))
    return all(has_phrase(text, phrase) for phrase in phrases)
