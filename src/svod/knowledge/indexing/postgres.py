"""The SQL that writes the search tables; one thin function a statement."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from svod.foundation.ids import CardId, ItemId, NamespaceId, WorkspaceId
from svod.foundation.storage import Statements, Transaction

SQL = Statements("svod.knowledge.indexing")
Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk to insert."""

    workspace_id: WorkspaceId
    namespace_id: NamespaceId
    ordinal: int
    layer: int
    item_id: ItemId
    item_no: int
    version: int
    part: int
    text_key: bytes
    terms: list[int]
    sealed_body: bytes


@dataclass(frozen=True, slots=True)
class VectorRow:
    """A vector to insert; `embedding` has the card's dimensions and unit length."""

    workspace_id: WorkspaceId
    namespace_id: NamespaceId
    card_id: CardId
    ordinal: int
    layer: int
    item_no: int
    embedding: Vector


@dataclass(frozen=True, slots=True)
class Postings:
    """Parallel lists: a term, where it occurs, and its weight there."""

    terms: list[int]
    ordinals: list[int]
    weights: list[float]


@dataclass(frozen=True, slots=True)
class PlacedTerms:
    """Where a chunk lies, and its distinct terms."""

    namespace_id: NamespaceId
    ordinal: int
    layer: int
    terms: list[int]


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """Where a part of an item's version lies."""

    namespace_id: NamespaceId
    ordinal: int
    part: int
    layer: int


@dataclass(frozen=True, slots=True)
class VectorCount:
    """How many vectors the moments were taken from, and how many there are."""

    measured: int
    now: int


@dataclass(frozen=True, slots=True)
class CachedVector:
    """A vector by the key of its text."""

    text_key: bytes
    embedding: Any  # HalfVector, as the driver's adapter gives it


@dataclass(frozen=True, slots=True)
class KeptSplit:
    """What a version was split into, and whether just that is in the search tables already.

    `split_id` tells this splitting from one before or after it.
    """

    split_id: int
    sealed_chunks: bytes
    searchable: bool


def _place(workspace_id: WorkspaceId, namespace_id: NamespaceId) -> dict[str, object]:
    return {"workspace_id": workspace_id, "namespace_id": namespace_id}


async def lock_namespace(
    tx: Transaction, workspace_id: WorkspaceId, namespace_id: NamespaceId, *, count: int
) -> int:
    """Lock a collection for writing; the first of `count` new ordinals."""
    keys = _place(workspace_id, namespace_id) | {"count": count}
    return await tx.value(SQL.lock_namespace, keys)


async def insert_chunks(tx: Transaction, rows: Iterable[ChunkRow]) -> None:
    """New chunks."""
    await tx.run_many(SQL.insert_chunk, (asdict(row) for row in rows))


async def add_to_segments(
    tx: Transaction,
    workspace_id: WorkspaceId,
    namespace_id: NamespaceId,
    *,
    layer: int,
    postings: Postings,
) -> None:
    """Make words findable."""
    await tx.run(
        SQL.add_to_segments,
        _place(workspace_id, namespace_id) | {"layer": layer} | asdict(postings),
    )


async def chunks_of_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> list[PlacedTerms]:
    """Every chunk of some items."""
    keys = {"workspace_id": workspace_id, "item_ids": list(item_ids)}
    return await tx.rows(SQL.chunks_of_items, keys, row=PlacedTerms)


async def ordinals_of_item(
    tx: Transaction, workspace_id: WorkspaceId, item_id: ItemId, version: int
) -> list[PlacedPart]:
    """Where the parts of a version lie, in order."""
    keys = {"workspace_id": workspace_id, "item_id": item_id, "version": version}
    return await tx.rows(SQL.ordinals_of_item, keys, row=PlacedPart)


async def lock_namespace_rows(
    tx: Transaction, workspace_id: WorkspaceId, namespace_ids: Iterable[NamespaceId]
) -> None:
    """Lock collections for writing, in their order."""
    keys = {"workspace_id": workspace_id, "namespace_ids": sorted(namespace_ids)}
    await tx.values(SQL.lock_namespace_rows, keys)


async def remove_places(
    tx: Transaction,
    workspace_id: WorkspaceId,
    namespace_id: NamespaceId,
    *,
    ordinals: list[int],
    terms: list[int],
) -> None:
    """Remove chunks of a collection from every search table; its row must be locked."""
    place = _place(workspace_id, namespace_id)
    await take_terms(tx, workspace_id, namespace_id, ordinals=ordinals, terms=terms)
    await tx.run(SQL.delete_vectors, place | {"ordinals": ordinals})
    await tx.run(SQL.delete_chunks, place | {"ordinals": ordinals})
    await shrink_namespace(tx, workspace_id, namespace_id, count=len(ordinals))


async def insert_vectors(tx: Transaction, rows: Iterable[VectorRow]) -> None:
    """New vectors; one that is there already stays."""
    await tx.run_many(
        SQL.insert_vector,
        (
            {
                "workspace_id": row.workspace_id,
                "namespace_id": row.namespace_id,
                "card_id": row.card_id,
                "ordinal": row.ordinal,
                "layer": row.layer,
                "item_no": row.item_no,
                "embedding": HalfVector(row.embedding),
            }
            for row in rows
        ),
    )


async def raise_vectors_version(
    tx: Transaction, workspace_id: WorkspaceId, namespace_id: NamespaceId
) -> None:
    """Say that a collection's vectors changed."""
    await tx.run(SQL.raise_vectors_version, _place(workspace_id, namespace_id))


async def ensure_card(
    tx: Transaction, workspace_id: WorkspaceId, *, name: str, dimensions: int, now: datetime
) -> CardId:
    """The number of a model card in a workspace; the first one serves."""
    keys = {"workspace_id": workspace_id, "name": name}
    card_id = await tx.value(SQL.find_card, keys)
    while card_id is None:  # another transaction may have taken the number that this one chose
        await tx.run(SQL.insert_card, keys | {"dimensions": dimensions, "now": now})
        card_id = await tx.value(SQL.find_card, keys)
    return card_id


async def cached_vectors(
    tx: Transaction, workspace_id: WorkspaceId, card_id: CardId, text_keys: Sequence[bytes]
) -> dict[bytes, Vector]:
    """Vectors of these texts that were computed before."""
    keys = {"workspace_id": workspace_id, "card_id": card_id, "text_keys": list(text_keys)}
    rows = await tx.rows(SQL.cached_vectors, keys, row=CachedVector)
    return {bytes(row.text_key): row.embedding.to_numpy().astype(np.float32) for row in rows}


async def cache_vectors(
    tx: Transaction,
    workspace_id: WorkspaceId,
    card_id: CardId,
    item_id: ItemId,
    vectors: Iterable[tuple[bytes, Vector]],
) -> None:
    """Keep vectors until they become searchable."""
    keys = {"workspace_id": workspace_id, "card_id": card_id, "item_id": item_id}
    await tx.run_many(
        SQL.cache_vector,
        (keys | {"text_key": key, "embedding": HalfVector(vector)} for key, vector in vectors),
    )


async def forget_cached(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> None:
    """Drop what items had waiting."""
    await tx.run(SQL.forget_cached, {"workspace_id": workspace_id, "item_ids": list(item_ids)})


async def count_vectors(
    tx: Transaction, workspace_id: WorkspaceId, card_id: CardId
) -> VectorCount | None:
    """How far the moments lag behind."""
    keys = {"workspace_id": workspace_id, "card_id": card_id}
    return await tx.first(SQL.count_vectors, keys, row=VectorCount)


async def sample_vectors(
    tx: Transaction, workspace_id: WorkspaceId, card_id: CardId, *, step: int
) -> list[Any]:
    """Every `step`-th vector, as the driver gives it."""
    keys = {"workspace_id": workspace_id, "card_id": card_id, "step": step}
    return await tx.values(SQL.sample_vectors, keys)


async def set_moments(
    tx: Transaction,
    workspace_id: WorkspaceId,
    card_id: CardId,
    *,
    vectors: int,
    mean: bytes,
    covariance: bytes,
) -> None:
    """Keep the moments of a card's vectors, as little-endian float32."""
    keys = {"workspace_id": workspace_id, "card_id": card_id}
    await tx.run(
        SQL.set_moments, keys | {"vectors": vectors, "mean": mean, "covariance": covariance}
    )


async def keep_split(
    tx: Transaction, workspace_id: WorkspaceId, item_id: ItemId, version: int, split: KeptSplit
) -> None:
    """Keep what an item was split into until its vectors are there."""
    keys = {"workspace_id": workspace_id, "item_id": item_id, "version": version}
    await tx.run(SQL.keep_split, keys | asdict(split))


async def kept_split(
    tx: Transaction, workspace_id: WorkspaceId, item_id: ItemId, version: int
) -> KeptSplit | None:
    """What a version was split into, while it is kept."""
    keys = {"workspace_id": workspace_id, "item_id": item_id, "version": version}
    return await tx.first(SQL.kept_split, keys, row=KeptSplit)


async def split_is_kept(
    tx: Transaction, workspace_id: WorkspaceId, item_id: ItemId, version: int, split_id: int
) -> bool:
    """Whether a version still waits for the vectors of just this splitting."""
    keys = {"workspace_id": workspace_id, "item_id": item_id, "version": version}
    return await tx.value(SQL.split_is_kept, keys | {"split_id": split_id})


async def drop_splits(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> None:
    """Forget what items were split into."""
    await tx.run(SQL.drop_splits, {"workspace_id": workspace_id, "item_ids": list(item_ids)})


async def take_terms(
    tx: Transaction,
    workspace_id: WorkspaceId,
    namespace_id: NamespaceId,
    *,
    ordinals: list[int],
    terms: list[int],
) -> None:
    """Take places out of the words of a collection; its row must be locked."""
    segments = sorted({ordinal // 4096 for ordinal in ordinals})
    await tx.run(
        SQL.take_from_segments,
        _place(workspace_id, namespace_id)
        | {"ordinals": ordinals, "terms": terms, "segments": segments},
    )


async def shrink_namespace(
    tx: Transaction, workspace_id: WorkspaceId, namespace_id: NamespaceId, *, count: int
) -> None:
    """Count off chunks that left a collection, and say that its vectors changed."""
    await tx.run(SQL.shrink_namespace, _place(workspace_id, namespace_id) | {"count": count})


async def delete_everything(tx: Transaction, workspace_id: WorkspaceId) -> None:
    """Empty every search table of a workspace, whole tables at a time."""
    keys = {"workspace_id": workspace_id}
    for statement in (
        SQL.delete_every_term,
        SQL.delete_every_vector,
        SQL.delete_every_chunk,
        SQL.delete_every_waiting_vector,
        SQL.delete_every_split,
        SQL.delete_every_card,
    ):
        await tx.run(statement, keys)
