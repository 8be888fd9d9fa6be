"""A workspace filled chunk by chunk, through the room that writes the search tables."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from svod.foundation.ids import (
    CardId,
    ItemId,
    LevelId,
    NamespaceId,
    PrincipalId,
    WorkspaceId,
    new_random_id,
)
from svod.foundation.providers.embedding import Embedder, Purpose
from svod.foundation.storage import Database, Transaction, Vault
from svod.knowledge.chunking.chunk import Chunk
from svod.knowledge.indexing import IndexedItem, prepare, remove_items, write_vectors, write_words
from svod.knowledge.indexing.prepared import with_keys
from svod.knowledge.retrieval import Layer
from svod.knowledge.workspaces import Caller, Permission, Reading, read_level

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
READER = PrincipalId(1)


def a_vault(workspace_id: WorkspaceId) -> Vault:
    """Fresh keys."""
    keys = {1: secrets.token_bytes(32)}
    return Vault(workspace_id, seal_keys=keys, words_key=secrets.token_bytes(32))


@dataclass
class Shelf:
    """One workspace with one principal, who reads what the test grants."""

    database: Database
    embedder: Embedder | None = None
    vault: Vault = field(default_factory=lambda: a_vault(WorkspaceId(new_random_id())))
    levels: dict[str, LevelId] = field(default_factory=dict)
    namespaces: dict[tuple[str, str], NamespaceId] = field(default_factory=dict)
    items: dict[ItemId, IndexedItem] = field(default_factory=dict)
    is_made: bool = False

    @property
    def workspace_id(self) -> WorkspaceId:
        return self.vault.workspace_id

    @property
    def reading(self) -> Reading:
        return Reading(self.workspace_id, READER, self.vault)

    def caller(self, system: "Shelf | None" = None) -> Caller:
        """The principal, and the workspace that holds his global level: an empty one if not given."""
        other = system or Shelf(self.database)
        permissions = frozenset({Permission.KNOWLEDGE_READ})
        return Caller(self.reading, other.reading, permissions, name="reader", kind="key")

    async def add(
        self,
        *texts: str,
        title: str = "",
        level: str = "workspace",
        namespace: str = "",
        kind: str = "note",
        layer: Layer = Layer.K_DOCUMENT,
        heading_path: tuple[str, ...] = (),
        external_id: str | None = None,
        pinned: bool = False,
        with_vectors: bool = True,
    ) -> ItemId:
        """An item whose chunks are these texts, a line end between them."""
        item_id = ItemId(new_random_id())
        chunks = _chunks(texts, heading_path)
        async with self.database.transaction() as tx:
            namespace_id = await self._namespace(tx, level, namespace)
            item = IndexedItem(
                self.workspace_id, namespace_id, item_id, len(self.items) + 1, 1, layer, title
            )
            self.items[item_id] = item
            sealed = external_id and self.vault.seal_text(external_id, "external_id", item_id)
            await tx.connection.execute(
                "insert into item (workspace_id, item_id, item_no, level_id, namespace_id, kind,"
                " status, sealed_title, sealed_external_id, content_key, version, serving_version,"
                " origin, ingest, pinned, created_by, created_at, updated_at)"
                " values (%s, %s, %s, %s, %s, %s, 'ready', %s, %s, 'k', 1, 1, 'api', 'full', %s, 1,"
                " %s, %s)",
                (
                    self.workspace_id,
                    item_id,
                    item.item_no,
                    self.levels[level],
                    namespace_id,
                    kind,
                    self.vault.seal_text(title, "title", item_id),
                    sealed,
                    pinned,
                    NOW,
                    NOW,
                ),
            )
            await self._keep_text(tx, item, texts)
            await self._write(tx, item, chunks, with_vectors=with_vectors)
        return item_id

    async def change(self, item_id: ItemId, *texts: str) -> None:
        """Put a new version in the place of an item's chunks, in one transaction."""
        old = self.items[item_id]
        item = IndexedItem(
            old.workspace_id,
            old.namespace_id,
            item_id,
            old.item_no,
            old.version + 1,
            old.layer,
            old.title,
        )
        self.items[item_id] = item
        async with self.database.transaction() as tx:
            await self._keep_text(tx, item, texts)
            await tx.connection.execute(
                "update item set version = %s, serving_version = %s"
                " where workspace_id = %s and item_id = %s",
                (item.version, item.version, self.workspace_id, item_id),
            )
            await remove_items(tx, self.workspace_id, [item_id])
            await self._write(tx, item, _chunks(texts, ()), with_vectors=True)

    async def remove(self, item_ids: Iterable[ItemId]) -> None:
        """Delete items."""
        gone = list(item_ids)
        async with self.database.transaction() as tx:
            await remove_items(tx, self.workspace_id, gone)
            await tx.connection.execute(
                "delete from item where workspace_id = %s and item_id = any(%s)",
                (self.workspace_id, gone),
            )

    async def run(self, sql: str, **values: object) -> None:
        """A statement of a test's own; `workspace_id` is given to it."""
        async with self.database.transaction() as tx:
            await tx.connection.execute(sql.encode(), {"workspace_id": self.workspace_id, **values})

    async def grant(self, level: str, *, may_read: bool) -> None:
        """Give or take the reading of a level."""
        await self.run(
            "update level_grant set may_read = %(may_read)s"
            " where workspace_id = %(workspace_id)s and level_id = %(level_id)s",
            may_read=may_read,
            level_id=self.levels[level],
        )

    async def _keep_text(self, tx: Transaction, item: IndexedItem, texts: Iterable[str]) -> None:
        text = "\n".join(texts)
        await tx.connection.execute(
            "insert into item_version (workspace_id, item_id, version, media_type, sealed_title,"
            " bytes, content_key, sealed_text, characters, created_by, created_at)"
            " values (%s, %s, %s, 'text/markdown', %s, 1, 'k', %s, %s, 1, %s)",
            (
                self.workspace_id,
                item.item_id,
                item.version,
                self.vault.seal_text(item.title, "title", item.item_id),
                self.vault.seal_text(text, "text", item.item_id, item.version),
                len(text),
                NOW,
            ),
        )

    async def _write(
        self, tx: Transaction, item: IndexedItem, chunks: list[Chunk], *, with_vectors: bool
    ) -> None:
        await write_words(tx, self.vault, item, prepare(self.vault, item, chunks))
        if self.embedder is None or not with_vectors:
            return
        card_id = await self._card(tx, self.embedder)
        texts = [keyed.embedded for keyed in with_keys(self.vault, item, chunks)]
        vectors = await self.embedder.embed(texts, purpose=Purpose.STORE)
        await write_vectors(tx, item, card_id, dict(enumerate(vectors)))

    async def _card(self, tx: Transaction, embedder: Embedder) -> CardId:
        await tx.connection.execute(
            "insert into model_card (workspace_id, card_id, name, dimensions, serving, created_at)"
            " values (%s, 1, %s, %s, true, %s) on conflict do nothing",
            (self.workspace_id, embedder.card.name, embedder.card.dimensions, NOW),
        )
        return CardId(1)

    async def _namespace(self, tx: Transaction, level: str, namespace: str) -> NamespaceId:
        await self._make(tx)
        if level not in self.levels:
            level_id = self.levels[level] = LevelId(len(self.levels) + 1)
            kind, name = read_level(level)
            await tx.connection.execute(
                "insert into level (workspace_id, level_id, kind, name, created_at)"
                " values (%s, %s, %s, %s, %s)",
                (self.workspace_id, level_id, kind, name, NOW),
            )
            await tx.connection.execute(
                "insert into level_grant (workspace_id, principal_id, level_id, may_read, may_send)"
                " values (%s, %s, %s, true, true)",
                (self.workspace_id, READER, level_id),
            )
        if (level, namespace) not in self.namespaces:
            namespace_id = NamespaceId(len(self.namespaces) + 1)
            self.namespaces[level, namespace] = namespace_id
            await tx.connection.execute(
                "insert into namespace (workspace_id, namespace_id, level_id, clean_namespace,"
                " created_at) values (%s, %s, %s, %s, %s)",
                (self.workspace_id, namespace_id, self.levels[level], namespace, NOW),
            )
        return self.namespaces[level, namespace]

    async def _make(self, tx: Transaction) -> None:
        if self.is_made:
            return
        self.is_made = True
        await tx.connection.execute(
            "insert into workspace (workspace_id, kind, sealed_name, created_at)"
            " values (%s, 'tenant', 'x', %s)",
            (self.workspace_id, NOW),
        )
        await tx.connection.execute(
            "insert into principal (workspace_id, principal_id, kind, permissions, role, limited,"
            " sealed_name, created_at) values (%s, %s, 'member', '{}', 'viewer', true, 'x', %s)",
            (self.workspace_id, READER, NOW),
        )


def _chunks(texts: Iterable[str], heading_path: tuple[str, ...]) -> list[Chunk]:
    chunks: list[Chunk] = []
    start = 0
    for text in texts:
        chunks.append(Chunk(start, start + len(text), text, heading_path))
        start += len(text) + 1
    return chunks
