"""The SQL of searching; one thin function a statement."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from svod.foundation.ids import CardId, ItemId
from svod.foundation.storage import Statements, Transaction
from svod.knowledge.retrieval.plan import RetrievalPlan
from svod.knowledge.retrieval.query import AskedTerms
from svod.knowledge.retrieval.ranking import BEST_WEIGHT, WORDS_WEIGHT, Standard
from svod.knowledge.workspaces import Reading

SQL = Statements(__package__ or "")


@dataclass(frozen=True, slots=True)
class ServingCard:
    """The model whose vectors serve in a workspace (None: none does).

    `measured` is how many vectors its moments come from, `live` how many chunks may be seen,
    `changed` a number that moves when they or their vectors do.
    """

    card_id: CardId | None
    name: str | None
    measured: int
    live: int
    changed: int


@dataclass(frozen=True, slots=True)
class MomentsRow:
    """The moments of a card's vectors: float32 in little-endian order, None until computed."""

    vectors: int
    mean: bytes | None
    covariance: bytes | None


@dataclass(frozen=True, slots=True)
class Meaning:
    """A query's vector, the card it belongs to in a workspace, and the standard of its cosines."""

    vector: NDArray[np.float32]
    card_id: CardId
    standard: Standard


@dataclass(frozen=True, slots=True)
class FitRow:
    """What the judged questions of a collection were fitted to, for a pair of languages."""

    level_kind: str
    level_name: str
    clean_namespace: str
    languages: str
    threshold: float | None
    intercept: float
    slope: float


@dataclass(frozen=True, slots=True)
class HitRow:
    """A ranked chunk with what its hit is made of."""

    words: float
    cosine: float | None
    rank_score: float
    known_terms: list[int]
    matched_terms: list[int]
    layer: int
    item_id: ItemId
    version: int
    part: int
    sealed_body: bytes
    kind: str
    sealed_title: bytes
    sealed_external_id: bytes | None
    updated_at: datetime
    newest: int
    status: str
    version_at: datetime
    level_kind: str
    level_name: str
    clean_namespace: str


@dataclass(frozen=True, slots=True)
class KnownTerm:
    """A term that occurs where was looked, and in how many chunks."""

    term: int
    chunks: int


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A chunk that may hold a phrase; `k` is its key, namespace << 32 | ordinal."""

    k: int
    item_id: ItemId
    version: int
    part: int
    sealed_body: bytes
    sealed_title: bytes


@dataclass(frozen=True, slots=True)
class PinnedRow:
    """A pinned note in the version that serves."""

    item_id: ItemId
    kind: str
    sealed_external_id: bytes | None
    updated_at: datetime
    version: int
    newest: int
    status: str
    version_at: datetime
    sealed_title: bytes
    sealed_text: bytes
    clean_namespace: str
    level_kind: str
    level_name: str


@dataclass(frozen=True, slots=True)
class TextRow:
    """The canonical text of a version."""

    item_id: ItemId
    version: int
    sealed_text: bytes


async def serving_card(tx: Transaction, reading: Reading) -> ServingCard:
    """The card that serves, and how much may be seen."""
    (row,) = await tx.rows(SQL.serving_card, reading.sql, row=ServingCard)
    return row


async def visible_levels(tx: Transaction, reading: Reading, levels: Sequence[str]) -> list[str]:
    """Those of the named levels that may be read."""
    return await tx.values(SQL.visible_levels, reading.sql | {"levels": _known(levels)})


async def count_vectors(tx: Transaction, reading: Reading, card_id: CardId) -> int:
    """How many visible chunks have a vector of a card."""
    return await tx.value(SQL.count_vectors, reading.sql | {"card_id": card_id})


async def moments(tx: Transaction, reading: Reading, card_id: CardId) -> MomentsRow | None:
    """The moments of the vectors of a card."""
    return await tx.first(SQL.moments, reading.sql | {"card_id": card_id}, row=MomentsRow)


async def judged_fits(
    tx: Transaction, reading: Reading, plan: RetrievalPlan, *, basis: str
) -> list[FitRow]:
    """What was fitted, on these scales, in the collections that the plan searches."""
    where = {"levels": _known(plan.levels), "namespaces": _known(plan.namespaces)}
    return await tx.rows(SQL.judged_fits, reading.sql | where | {"basis": basis}, row=FitRow)


async def phrase_candidates(
    tx: Transaction, reading: Reading, plan: RetrievalPlan, terms: Sequence[int], *, limit: int
) -> list[CandidateRow]:
    """Chunks that hold all the terms; any chunk where there are none."""
    asked = {"terms": list(terms), "candidates": limit}
    return await tx.rows(
        SQL.phrase_candidates, reading.sql | _where(plan) | asked, row=CandidateRow
    )


async def known_terms(
    tx: Transaction, reading: Reading, plan: RetrievalPlan, terms: Sequence[int]
) -> list[KnownTerm]:
    """Those of the terms that occur where the plan looks."""
    asked = {"terms": list(terms)}
    return await tx.rows(SQL.known_terms, reading.sql | _where(plan) | asked, row=KnownTerm)


async def ranked(
    tx: Transaction,
    reading: Reading,
    plan: RetrievalPlan,
    *,
    asked: AskedTerms,
    meaning: Meaning | None,
    only: Sequence[int] | None,
    candidates: int,
) -> list[HitRow]:
    """The best chunks of a workspace, best first.

    Args:
        tx: a transaction.
        reading: as whom it is read.
        plan: where to look.
        asked: hashes of the query's words; none where only meaning ranks.
        meaning: the query's vector; None where only words rank.
        only: keys of the chunks that may be found; None for all.
        candidates: how many to return.
    """
    values = asdict(asked) | {
        "vector": HalfVector(meaning.vector) if meaning else None,
        "card_id": meaning.card_id if meaning else None,
        "expected": meaning.standard.expected if meaning else 0.0,
        "precision": meaning.standard.precision if meaning else 0.0,
        "only": None if only is None else list(only),
        "kinds": _known(plan.kinds),
        "words_weight": WORDS_WEIGHT,
        "best_weight": BEST_WEIGHT,
        "candidates": candidates,
    }
    return await tx.rows(SQL.search, reading.sql | _where(plan) | values, row=HitRow)


async def pinned_notes(
    tx: Transaction, reading: Reading, plan: RetrievalPlan, *, characters: int
) -> list[PinnedRow]:
    """Pinned notes by level, as many of each as fill so many characters, and one more."""
    asked = {
        "levels": _known(plan.levels),
        "namespaces": _known(plan.namespaces),
        "characters": characters,
    }
    return await tx.rows(SQL.pinned_notes, reading.sql | asked, row=PinnedRow)


async def texts(
    tx: Transaction, reading: Reading, wanted: Collection[tuple[ItemId, int]]
) -> list[TextRow]:
    """The canonical texts of versions that may be read."""
    asked = {
        "item_ids": [item_id for item_id, _ in wanted],
        "versions": [version for _, version in wanted],
    }
    return await tx.rows(SQL.texts, reading.sql | asked, row=TextRow)


def _where(plan: RetrievalPlan) -> dict[str, object]:
    return {
        "levels": _known(plan.levels),
        "namespaces": _known(plan.namespaces),
        "layers": [int(layer) for layer in plan.layers],
    }


def _known(names: Sequence[str] | None) -> list[str] | None:
    # PostgreSQL's text holds no NUL and no lone surrogate, so such a name is nobody's.
    return None if names is None else [name for name in names if name.isprintable()]
