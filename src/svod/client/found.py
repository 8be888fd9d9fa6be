"""What a search gives back, and the knowledge context of a prompt."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Matched:
    """What of a hit matched; `spans` are code points of its text."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    meaning: bool


@dataclass(frozen=True, slots=True)
class Overridden:
    """An item at a broader level that says nearly the same, left out for a more specific hit."""

    item_id: str
    title: str
    level: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found. `text` is `[start:end]` of that version's canonical text."""

    item_id: str
    external_id: str | None
    title: str
    path: str | None
    layer: str
    score: float
    text: str
    matched: Matched
    kind: str
    level: str
    namespace: str
    version: int
    start: int
    end: int
    heading_path: tuple[str, ...]
    header: str
    page: int | None
    sheet: str | None
    updated_at: str
    rank_score: float
    words: float
    cosine: float | None
    age_days: int
    stale: bool
    stale_reason: str | None
    overrides: tuple[Overridden, ...]


@dataclass(frozen=True, slots=True)
class Corrected:
    """A word that occurs nowhere, and the one that was looked for instead."""

    typed: str
    used: str


@dataclass(frozen=True, slots=True)
class SearchMeta:
    """How hits were found; `query` is the query as it was understood."""

    used_words: bool
    used_meaning: bool
    meaning_ready: float
    calibration: str
    query: str
    corrected: tuple[Corrected, ...]
    notes: tuple[str, ...]
    took_ms: int


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, best first."""

    hits: tuple[Hit, ...]
    meta: SearchMeta


@dataclass(frozen=True, slots=True)
class Passage:
    """A continuous piece of an item under its number in a context."""

    n: int
    item_id: str
    external_id: str | None
    title: str
    kind: str
    level: str
    namespace: str
    version: int
    start: int
    end: int
    text: str
    heading_path: tuple[str, ...]
    header: str
    page: int | None
    sheet: str | None
    updated_at: str
    age_days: int
    stale: bool
    stale_reason: str | None
    score: float | None


@dataclass(frozen=True, slots=True)
class ContextCut:
    """An item that did not fit into a context: left out, or shortened."""

    item_id: str
    title: str
    pinned: bool
    left_out: bool


@dataclass(frozen=True, slots=True)
class Context:
    """What there is to know for a prompt: the text, its parts by number, and what did not fit."""

    context: str
    pinned: tuple[Passage, ...]
    sources: tuple[Passage, ...]
    cut: tuple[ContextCut, ...]
