"""Writing the search tables: words, vectors, and taking both away again.

Every function works within the caller's transaction and locks the collection's row first. Rows are
there only for what is searchable; an item's chunks come and go whole.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from svod.foundation.ids import CardId, ItemId, NamespaceId, WorkspaceId
from svod.foundation.storage import Transaction, Vault
from svod.knowledge.indexing import postgres
from svod.knowledge.indexing.body import ChunkAddress, seal_chunk
from svod.knowledge.indexing.postgres import Vector
from svod.knowledge.indexing.prepared import IndexedItem, PreparedChunk


async def write_words(
    tx: Transaction, vault: Vault, item: IndexedItem, prepared: Sequence[PreparedChunk]
) -> None:
    """Make the chunks of an item findable by words; it must have none yet in this version."""
    if not prepared:
        return
    first = await postgres.lock_namespace(
        tx, item.workspace_id, item.namespace_id, count=len(prepared)
    )
    await postgres.insert_chunks(
        tx,
        [_row(vault, item, first + part, part, chunk) for part, chunk in enumerate(prepared)],
    )
    postings = postgres.Postings([], [], [])
    for part, chunk in enumerate(prepared):
        postings.terms.extend(chunk.terms)
        postings.weights.extend(chunk.weights)
        postings.ordinals.extend([first + part] * len(chunk.terms))
    await postgres.add_to_segments(
        tx, item.workspace_id, item.namespace_id, layer=item.layer, postings=postings
    )


async def write_vectors(
    tx: Transaction,
    item: IndexedItem,
    card_id: CardId,
    vectors: Mapping[int, Vector],
) -> None:
    """Make parts of an item findable by meaning; their words must be there already.

    Args:
        tx: the open transaction.
        item: whose parts they are.
        card_id: the model that made the vectors.
        vectors: part -> unit vector of the card's dimensions.
    """
    places = await postgres.ordinals_of_item(tx, item.workspace_id, item.item_id, item.version)
    namespaces = {place.namespace_id for place in places}
    await postgres.lock_namespace_rows(tx, item.workspace_id, namespaces)
    rows = [
        postgres.VectorRow(
            item.workspace_id,
            place.namespace_id,
            card_id,
            place.ordinal,
            place.layer,
            item.item_no,
            vectors[place.part],
        )
        for place in places
        if place.part in vectors
    ]
    await postgres.insert_vectors(tx, rows)
    for namespace_id in sorted(namespaces):
        await postgres.raise_vectors_version(tx, item.workspace_id, namespace_id)


async def remove_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> None:
    """Take every chunk of these items out of every search table."""
    by_namespace = await places_by_namespace(tx, workspace_id, item_ids)
    await postgres.lock_namespace_rows(tx, workspace_id, by_namespace)
    for namespace_id in sorted(by_namespace):
        chunks = by_namespace[namespace_id]
        await postgres.remove_places(
            tx,
            workspace_id,
            namespace_id,
            ordinals=[chunk.ordinal for chunk in chunks],
            terms=terms_of(chunks),
        )


async def remove_workspace(tx: Transaction, workspace_id: WorkspaceId) -> None:
    """Empty the search tables of a workspace; quick however much is in them."""
    await postgres.delete_everything(tx, workspace_id)


async def places_by_namespace(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> dict[NamespaceId, list[postgres.PlacedTerms]]:
    """Where the chunks of these items lie, by collection."""
    places = await postgres.chunks_of_items(tx, workspace_id, item_ids)
    by_namespace: dict[NamespaceId, list[postgres.PlacedTerms]] = defaultdict(list)
    for place in places:
        by_namespace[place.namespace_id].append(place)
    return by_namespace


def terms_of(chunks: Sequence[postgres.PlacedTerms]) -> list[int]:
    """The distinct terms of some chunks."""
    return sorted({term for chunk in chunks for term in chunk.terms})


def _row(
    vault: Vault, item: IndexedItem, ordinal: int, part: int, prepared: PreparedChunk
) -> postgres.ChunkRow:
    address = ChunkAddress(item.item_id, item.version, part)
    return postgres.ChunkRow(
        workspace_id=item.workspace_id,
        namespace_id=item.namespace_id,
        ordinal=ordinal,
        layer=item.layer,
        item_id=item.item_id,
        item_no=item.item_no,
        version=item.version,
        part=part,
        text_key=prepared.text_key,
        terms=prepared.terms,
        sealed_body=seal_chunk(vault, address, prepared.chunk),
    )
