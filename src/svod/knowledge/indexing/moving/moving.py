"""Carrying what is searchable of items from one collection into another."""

from collections.abc import Sequence

from svod.foundation.ids import ItemId, NamespaceId, WorkspaceId
from svod.foundation.storage import Transaction
from svod.knowledge.indexing import postgres
from svod.knowledge.indexing.moving import postgres as moving
from svod.knowledge.indexing.writing import places_by_namespace, terms_of


async def move_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId], to: NamespaceId
) -> None:
    """Carry every chunk of these items into another collection of the workspace.

    Nothing is embedded, analysed or sealed anew: chunks, vectors and the weights of words get new
    places, under the same keys and addresses. The items must be held.
    """
    sources = await moving.chunks_to_move(tx, workspace_id, item_ids, to)
    count = sum(source.chunks for source in sources)
    if not count:
        return
    namespaces = [source.namespace_id for source in sources]
    await postgres.lock_namespace_rows(tx, workspace_id, [*namespaces, to])
    first = await postgres.lock_namespace(tx, workspace_id, to, count=count)
    await moving.copy_places(tx, workspace_id, item_ids, to=to, first=first)
    by_namespace = await places_by_namespace(tx, workspace_id, item_ids)
    for namespace_id in namespaces:
        chunks = by_namespace[namespace_id]
        await postgres.take_terms(
            tx,
            workspace_id,
            namespace_id,
            ordinals=[chunk.ordinal for chunk in chunks],
            terms=terms_of(chunks),
        )
        await postgres.shrink_namespace(tx, workspace_id, namespace_id, count=len(chunks))
    await moving.move_places(tx, workspace_id, item_ids, to=to, first=first)
    await postgres.raise_vectors_version(tx, workspace_id, to)
