"""Searching, and what was found."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from svod.foundation.ids import write_id
from svod.interfaces.api.shapes.strict import Asked, Told
from svod.knowledge.retrieval import Found, Hit, Layer, Mode, RetrievalPlan

LONGEST_QUERY = 4000
KindName = Literal["note", "file", "link", "qa", "table"]
StaleReason = Literal[
    "newer_version_waits", "newer_version_failed", "refresh_failed", "refresh_overdue"
]
LayerName = Literal["K_DOCUMENT", "K_WEB", "K_QA", "K_TABLE"]
Query = Annotated[str, Field(min_length=1, max_length=LONGEST_QUERY)]
Score = Annotated[float, Field(ge=0, le=1)]
Names = Annotated[list[str], Field(max_length=1000)]
ReadFor = Annotated[str, Field(min_length=1, max_length=400)]
EVERY_LAYER: tuple[LayerName, ...] = ("K_DOCUMENT", "K_WEB", "K_QA", "K_TABLE")


class Where(Asked):
    """Where to look; what is left out does not restrict.

    `read_for` names a level, such as `address:support@example.com`: it and the broader ones above
    it are read, within `levels` where both are given.
    """

    read_for: ReadFor | None = None
    levels: Names | None = None
    namespaces: Names | None = None
    kinds: list[KindName] | None = None
    layers: tuple[LayerName, ...] = EVERY_LAYER
    min_score: Score = 0.0

    def plan(
        self,
        query: str,
        *,
        limit: int,
        mode: Mode = Mode.BOTH,
        meaning_within_ms: int | None = None,
    ) -> RetrievalPlan:
        """The plan that the retrieval room takes."""
        return RetrievalPlan(
            query=query,
            limit=limit,
            mode=mode,
            layers=tuple(Layer[name] for name in self.layers),
            levels=_names(self.levels),
            namespaces=_names(self.namespaces),
            kinds=tuple(self.kinds) if self.kinds is not None else None,
            min_score=self.min_score,
            meaning_within_ms=meaning_within_ms,
            read_for=self.read_for,
        )


def _names(given: list[str] | None) -> tuple[str, ...] | None:
    return tuple(given) if given is not None else None


class SearchAsked(Where):
    """What to search for."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "срок возврата товара", "limit": 5}]}
    )

    query: Query
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    mode: Mode = Mode.BOTH
    meaning_within_ms: Annotated[int, Field(ge=1, le=60_000)] | None = None


class MatchedTold(Told):
    """What of a hit matched; `spans` are code points of its `text`, for highlighting."""

    words: list[str]
    spans: list[tuple[int, int]]
    meaning: bool


class OverriddenTold(Told):
    """An item at a broader level that says nearly the same, left out for a more specific hit."""

    item_id: str
    title: str
    level: str


class HitTold(Told):
    """A chunk found. `text` is `[start:end]` of that version's canonical text.

    `age_days` is how old that version is; `stale` with its reason, that a newer text is expected.
    """

    item_id: str
    external_id: str | None
    title: str
    path: str | None
    layer: LayerName
    score: float
    text: str
    matched: MatchedTold
    kind: str
    level: str
    namespace: str
    version: int
    start: int
    end: int
    heading_path: list[str]
    header: str
    page: int | None
    sheet: str | None
    updated_at: str
    rank_score: float
    words: float
    cosine: float | None
    age_days: int
    stale: bool
    stale_reason: StaleReason | None
    overrides: list[OverriddenTold]

    @classmethod
    def of(cls, hit: Hit) -> "HitTold":
        """The hit as it is told."""
        return cls(
            item_id=write_id(hit.item_id),
            external_id=hit.external_id,
            title=hit.title,
            path=hit.external_id if hit.kind == "file" else None,
            layer=hit.layer.name,
            score=round(hit.score, 4),
            text=hit.text,
            matched=MatchedTold(
                words=list(hit.matched.words),
                spans=list(hit.matched.spans),
                meaning=hit.matched.meaning,
            ),
            kind=hit.kind,
            level=hit.level,
            namespace=hit.namespace,
            version=hit.version,
            start=hit.start,
            end=hit.end,
            heading_path=list(hit.heading_path),
            header=hit.header,
            page=hit.page,
            sheet=hit.sheet,
            updated_at=hit.updated_at,
            rank_score=round(hit.rank_score, 4),
            words=round(hit.words, 4),
            cosine=round(hit.cosine, 4) if hit.cosine is not None else None,
            age_days=hit.age_days,
            stale=hit.stale is not None,
            stale_reason=hit.stale.value if hit.stale is not None else None,
            overrides=[
                OverriddenTold(item_id=write_id(one.item_id), title=one.title, level=one.level)
                for one in hit.overrides
            ],
        )


HIT_EXAMPLE: dict[str, Any] = {
    "item_id": "1j5f2k9c0r3ta",
    "external_id": "shop/returns.md",
    "title": "Возврат и обмен",
    "path": "shop/returns.md",
    "layer": "K_DOCUMENT",
    "score": 0.87,
    "text": "Вернуть товар можно в течение 21 дня.",
    "matched": {"words": ["вернуть", "товар"], "spans": [[0, 7], [8, 13]], "meaning": True},
    "kind": "file",
    "level": "workspace",
    "namespace": "",
    "version": 1,
    "start": 19,
    "end": 56,
    "heading_path": ["Сроки"],
    "header": "",
    "page": None,
    "sheet": None,
    "updated_at": "2026-11-30T12:00:01Z",
    "rank_score": 5.61,
    "words": 0.93,
    "cosine": 0.88,
    "age_days": 12,
    "stale": False,
    "stale_reason": None,
    "overrides": [],
}


class CorrectedTold(Told):
    """A word that occurs nowhere, and the one that was looked for instead, as it was found."""

    typed: str
    used: str


class SearchMetaTold(Told):
    """How the hits were found: by words, by meaning, how much of the meaning index is ready.

    `query` is the query as it was understood: with other keys, or with typos undone.
    """

    used_words: bool
    used_meaning: bool
    meaning_ready: float
    calibration: str
    query: str
    corrected: list[CorrectedTold]
    notes: list[str]
    took_ms: int


class FoundTold(Told):
    """The hits, best first."""

    hits: list[HitTold]
    meta: SearchMetaTold

    @classmethod
    def of(cls, found: Found, *, took_ms: int) -> "FoundTold":
        """What was found, as it is told."""
        return cls(
            hits=[HitTold.of(hit) for hit in found.hits],
            meta=SearchMetaTold(
                used_words=found.used_words,
                used_meaning=found.used_meaning,
                meaning_ready=round(found.meaning_ready, 4),
                calibration=found.calibration,
                query=found.query,
                corrected=[
                    CorrectedTold(typed=one.typed, used=one.used) for one in found.corrected
                ],
                notes=list(found.notes),
                took_ms=took_ms,
            ),
        )


FOUND_EXAMPLE: dict[str, Any] = {
    "hits": [HIT_EXAMPLE],
    "meta": {
        "used_words": True,
        "used_meaning": True,
        "meaning_ready": 1.0,
        "calibration": "default",
        "query": "срок возврата товара",
        "corrected": [{"typed": "возвраат", "used": "возврата"}],
        "notes": ["typo"],
        "took_ms": 12,
    },
}
