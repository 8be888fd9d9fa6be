"""What is to be found, and what was found."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from svod.foundation.ids import ItemId, WorkspaceId
from svod.knowledge.retrieval.calibration import CollectionFit


class Layer(IntEnum):
    """The part of the index a chunk lies on; numbers are stored, so they never change."""

    K_DOCUMENT = 1
    K_WEB = 2
    K_QA = 3
    K_TABLE = 4


class Mode(StrEnum):
    """What ranks: words, meaning or both."""

    BOTH = "both"
    WORDS = "words"
    MEANING = "meaning"


class Stale(StrEnum):
    """Why what a hit says may be out of date (R19c)."""

    NEWER_WAITS = "newer_version_waits"
    NEWER_FAILED = "newer_version_failed"
    REFRESH_FAILED = "refresh_failed"
    REFRESH_OVERDUE = "refresh_overdue"


MOST_HITS = 50
CANDIDATES = 30
KINDS = frozenset({"note", "file", "link", "qa", "table"})
"""The kinds of items there are, also where none was added yet."""


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """A query and where to look for it. None means no restriction.

    Args of note: `levels` are names as in the API (`workspace`, `global`, `domain:example.com`);
    `namespaces` are clean names; `kinds` item kinds (`note`, `file`); `min_score` 0..1 on the
    calibrated score, inclusive; `meaning_within_ms` is how long to wait for the query's vector
    before going on with words alone (None: as long as it takes); `read_for` names a level whose
    read path is searched (K3), within `levels` where both are given.
    """

    query: str
    limit: int = 10
    mode: Mode = Mode.BOTH
    layers: tuple[Layer, ...] = (Layer.K_DOCUMENT, Layer.K_WEB, Layer.K_QA, Layer.K_TABLE)
    levels: tuple[str, ...] | None = None
    namespaces: tuple[str, ...] | None = None
    kinds: tuple[str, ...] | None = None
    min_score: float = 0.0
    meaning_within_ms: int | None = None
    read_for: str | None = None


@dataclass(frozen=True, slots=True)
class Matched:
    """What of a hit matched: offsets of the query's words in its text, and whether meaning did."""

    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    meaning: bool


@dataclass(frozen=True, slots=True)
class Overridden:
    """An item at a broader level that says nearly the same, left out for a more specific one."""

    item_id: ItemId
    title: str
    level: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found. `text` is `canonical[start:end]` of that version of the item.

    `score` is calibrated, 0..1; `rank_score` is the raw `4·words + z` that orders hits; `cosine`
    and `z`, the same in standard deviations, are None where the chunk has no vector yet. `updated_at` is when the item last changed in any way,
    `age_days` how old the version is that the text is of, and `stale` why it may be out of date.
    `overrides` are the broader items that were left out for this one.
    """

    workspace_id: WorkspaceId
    item_id: ItemId
    version: int
    title: str
    external_id: str | None
    kind: str
    layer: Layer
    level: str
    namespace: str
    updated_at: str
    start: int
    end: int
    text: str
    heading_path: tuple[str, ...]
    header: str
    page: int | None
    sheet: str | None
    score: float
    rank_score: float
    words: float
    cosine: float | None
    matched: Matched
    z: float | None = None
    age_days: int = 0
    stale: Stale | None = None
    overrides: tuple[Overridden, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrected:
    """A word that occurs nowhere, and the one beside it that was looked for instead, as found."""

    typed: str
    used: str


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of a plan, best first, and how they were found.

    `calibration` says whose curve the best hit's score comes from: `default`, or `judged` where the
    questions judged in its collection have one. `fits` are those of every collection searched,
    `basis` names the scales of what ranked. `query` is the query as it was understood: with other keys, typos undone; where no hit comes of
    a correction, none is told.
    """

    hits: tuple[Hit, ...]
    used_words: bool
    used_meaning: bool
    meaning_ready: float
    calibration: str
    notes: tuple[str, ...] = ()
    fits: tuple[CollectionFit, ...] = ()
    basis: str = ""
    corrected: tuple[Corrected, ...] = ()
    query: str = ""
