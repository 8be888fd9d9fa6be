"""The SQL that carries chunks from one collection into another; one thin function a statement."""

from collections.abc import Sequence
from dataclasses import dataclass

from svod.foundation.ids import ItemId, NamespaceId, WorkspaceId
from svod.foundation.storage import Statements, Transaction

SQL = Statements(__package__ or "")


@dataclass(frozen=True, slots=True)
class ChunkCount:
    """How many chunks there are in a collection."""

    namespace_id: NamespaceId
    chunks: int


async def chunks_to_move(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId], to: NamespaceId
) -> list[ChunkCount]:
    """How many chunks of these items lie in each collection but the one named."""
    keys = {"workspace_id": workspace_id, "item_ids": list(item_ids), "to": to}
    return await tx.rows(SQL.chunks_to_move, keys, row=ChunkCount)


async def copy_places(
    tx: Transaction,
    workspace_id: WorkspaceId,
    item_ids: Sequence[ItemId],
    *,
    to: NamespaceId,
    first: int,
) -> None:
    """Write the words of every chunk of these items under their new places, from `first` on."""
    keys = {"workspace_id": workspace_id, "item_ids": list(item_ids), "to": to, "first": first}
    await tx.run(SQL.copy_postings, keys)


async def move_places(
    tx: Transaction,
    workspace_id: WorkspaceId,
    item_ids: Sequence[ItemId],
    *,
    to: NamespaceId,
    first: int,
) -> None:
    """Put vectors and chunks of these items at their new places, as `copy_places` counted them."""
    keys = {"workspace_id": workspace_id, "item_ids": list(item_ids), "to": to, "first": first}
    await tx.run(SQL.move_vectors, keys)
    await tx.run(SQL.move_chunks, keys)
