"""From ranked rows to hits: opened, located, and marked with what matched."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from svod.knowledge.indexing.body import ChunkAddress, open_chunk
from svod.knowledge.indexing.words import words
from svod.knowledge.items.sealed import open_external_id, open_title
from svod.knowledge.retrieval.plan import Hit, Layer, Matched
from svod.knowledge.retrieval.postgres import HitRow
from svod.knowledge.retrieval.query import Query
from svod.knowledge.workspaces import Reading, write_level

MEANING_MATCHES_FROM = 2.0
"""The z from which meaning is said to match: two deviations above what any text has."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row with the workspace it was read from, its standardised cosine and its score."""

    reading: Reading
    row: HitRow
    z: float | None
    score: float


def open_hits(ranked: Iterable[Ranked], query: Query) -> tuple[Hit, ...]:
    """Hits in the order given. Opening and marking ten takes some milliseconds: use a thread."""
    return tuple(_open(found, query) for found in ranked)


def _open(found: Ranked, query: Query) -> Hit:
    reading, row = found.reading, found.row
    vault, item_id = reading.vault, row.item_id
    chunk = open_chunk(vault, ChunkAddress(item_id, row.version, row.part), row.sealed_body)
    return Hit(
        workspace_id=reading.workspace_id,
        item_id=item_id,
        version=row.version,
        title=open_title(vault, item_id, row.sealed_title),
        external_id=open_external_id(vault, item_id, row.sealed_external_id),
        kind=row.kind,
        layer=Layer(row.layer),
        level=write_level(row.level_kind, row.level_name),
        namespace=row.clean_namespace,
        updated_at=row.updated_at.isoformat(),
        start=chunk.start,
        end=chunk.end,
        text=chunk.text,
        heading_path=chunk.heading_path,
        header=chunk.header,
        page=chunk.page,
        sheet=chunk.sheet,
        score=found.score,
        rank_score=row.rank_score,
        words=row.words,
        cosine=row.cosine,
        matched=Matched(
            words=_typed(row, query.typed_by_hash(vault)),
            spans=spans(chunk.text, query),
            meaning=found.z is not None and found.z >= MEANING_MATCHES_FROM,
        ),
        z=found.z,
    )


def _typed(row: HitRow, typed: Mapping[int, str]) -> tuple[str, ...]:
    matched = frozenset(row.matched_terms)
    return tuple(dict.fromkeys(word for term, word in typed.items() if term in matched))


def spans(text: str, query: Query) -> tuple[tuple[int, int], ...]:
    """Where the query's words stand in a text, in order; those that overlap are one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted((w.start, w.end) for w in words(text) if w.term in query.typed):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
