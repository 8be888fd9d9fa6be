"""From ranked rows to hits: opened, located, and marked with what matched."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from svod.foundation.storage import Vault
from svod.knowledge.indexing.body import ChunkAddress, open_chunk
from svod.knowledge.indexing.spelling import as_compared, is_like
from svod.knowledge.indexing.words import Word, words
from svod.knowledge.items.sealed import open_external_id, open_title
from svod.knowledge.retrieval.age import age_days, stale
from svod.knowledge.retrieval.plan import Corrected, Hit, Layer, Matched
from svod.knowledge.retrieval.postgres import HitRow
from svod.knowledge.retrieval.query import Query
from svod.knowledge.workspaces import Reading, write_level

Read = Callable[[str], Sequence[Word]]
"""Gives the words of a text."""
MEANING_MATCHES_FROM = 2.0
"""The z from which meaning is said to match: two deviations above what any text has."""


@dataclass(frozen=True, slots=True)
class Corrections:
    """What was corrected, and the terms that turned out to stand for words of another kind."""

    told: tuple[Corrected, ...]
    strange: frozenset[str]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row with the workspace it was read from, its standardised cosine and its score."""

    reading: Reading
    row: HitRow
    z: float | None
    score: float

    @property
    def level(self) -> str:
        """The level it lies on, as it is named outside."""
        return write_level(self.row.level_kind, self.row.level_name)


def open_hit(found: Ranked, query: Query, *, now: datetime, read: Read = words) -> Hit:
    """The hit of a row, with what of the query matched in it; `read` gives the words of a text."""
    reading, row = found.reading, found.row
    vault, item_id = reading.vault, row.item_id
    chunk = open_chunk(vault, ChunkAddress(item_id, row.version, row.part), row.sealed_body)
    places, used = _marked(read(chunk.text), chunk.text, query)
    return Hit(
        workspace_id=reading.workspace_id,
        item_id=item_id,
        version=row.version,
        title=open_title(vault, item_id, row.sealed_title),
        external_id=open_external_id(vault, item_id, row.sealed_external_id),
        kind=row.kind,
        layer=Layer(row.layer),
        level=found.level,
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
            words=_matched(row, vault, query, used),
            spans=tuple(places),
            meaning=found.z is not None and found.z >= MEANING_MATCHES_FROM,
        ),
        z=found.z,
        age_days=age_days(row, now),
        stale=stale(row),
    )


def _matched(row: HitRow, vault: Vault, query: Query, used: Mapping[str, str]) -> tuple[str, ...]:
    """The words that matched: as they were typed, a corrected one as the text has it."""
    matched = frozenset(row.matched_terms)
    typed = query.typed_by_hash(vault).items()
    exact = [word for term, word in typed if term in matched]
    return tuple(dict.fromkeys([*exact, *used.values()]))


def spans(text: str, query: Query) -> tuple[tuple[int, int], ...]:
    """Where the query's words stand in a text, in order; those that overlap are one."""
    return tuple(_marked(words(text), text, query)[0])


def corrections(hits: Iterable[Hit], query: Query, *, read: Read = words) -> Corrections:
    """What typed words were corrected to, as the texts, titles and headings that were found say it.

    A word that nothing found holds is not told: it would be said from elsewhere.
    """
    typed = query.corrected
    told: dict[str, Corrected] = {}
    strange: set[str] = set()
    if not typed:
        return Corrections((), frozenset())
    for hit in hits:
        for text in (hit.text, hit.title, *hit.heading_path):
            for word in read(text):
                if word.term not in typed or word.term in told:
                    continue
                used = text[word.start : word.end]
                if is_like(as_compared(typed[word.term]), as_compared(used)):
                    told[word.term] = Corrected(typed[word.term], used)
                else:
                    strange.add(word.term)
    return Corrections(tuple(told.values()), frozenset(strange - told.keys()))


def as_corrected(text: str, corrected: Sequence[Corrected]) -> str:
    """A query with the words that were corrected put right; of several the first."""
    for one in corrected:
        text = re.sub(rf"\b{re.escape(one.typed)}\b", lambda _, used=one.used: used, text)
    return text


def _marked(
    found: Sequence[Word], text: str, query: Query
) -> tuple[list[tuple[int, int]], dict[str, str]]:
    """The places of the query's words, and how the text spells those that were corrected."""
    corrected = query.corrected
    joined: list[tuple[int, int]] = []
    used: dict[str, str] = {}
    for word in sorted(found, key=lambda word: (word.start, word.end)):
        if word.term in corrected:
            used.setdefault(word.term, text[word.start : word.end])
        elif word.term not in query.typed:
            continue
        if joined and word.start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(word.end, joined[-1][1]))
        else:
            joined.append((word.start, word.end))
    return joined, used
