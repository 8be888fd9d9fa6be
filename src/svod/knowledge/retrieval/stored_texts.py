"""Whole texts of items, opened for those who may read them."""

import asyncio
from collections.abc import Collection, Sequence
from datetime import datetime

from svod.foundation.clock import Clock
from svod.foundation.ids import ItemId
from svod.foundation.storage import Database
from svod.knowledge.items.sealed import open_external_id, open_title
from svod.knowledge.retrieval import postgres
from svod.knowledge.retrieval.age import age_days, stale
from svod.knowledge.retrieval.passages import Canonical, Passage
from svod.knowledge.retrieval.plan import RetrievalPlan
from svod.knowledge.retrieval.postgres import PinnedRow
from svod.knowledge.workspaces import Caller, Reading, write_level


class StoredTexts:
    """Reads texts from the database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def pinned(
        self, caller: Caller, plan: RetrievalPlan, *, characters: int
    ) -> Sequence[Passage]:
        """Pinned notes where the plan looks, by level, the one changed last first."""
        found: list[tuple[Reading, PinnedRow]] = []
        now = self._clock.now()
        async with self._database.transaction() as tx:
            for reading in caller.readings:
                rows = await postgres.pinned_notes(tx, reading, plan, characters=characters)
                found.extend((reading, row) for row in rows)
        return await asyncio.to_thread(
            lambda: [_opened(reading, row, now) for reading, row in found]
        )

    async def canonical(self, caller: Caller, wanted: Collection[tuple[ItemId, int]]) -> Canonical:
        """The canonical texts of these items and versions; what may not be read is left out."""
        if not wanted:
            return {}
        found: list[tuple[Reading, postgres.TextRow]] = []
        async with self._database.transaction() as tx:
            for reading in caller.readings:
                found.extend((reading, row) for row in await postgres.texts(tx, reading, wanted))
        return await asyncio.to_thread(
            lambda: {
                (row.item_id, row.version): reading.vault.open_text(
                    row.sealed_text, "text", row.item_id, row.version
                )
                for reading, row in found
            }
        )


def _opened(reading: Reading, row: PinnedRow, now: datetime) -> Passage:
    vault, item_id = reading.vault, row.item_id
    text = vault.open_text(row.sealed_text, "text", item_id, row.version)
    start = len(text) - len(text.lstrip())
    text = text.strip()
    return Passage(
        workspace_id=reading.workspace_id,
        item_id=item_id,
        version=row.version,
        title=open_title(vault, item_id, row.sealed_title),
        external_id=open_external_id(vault, item_id, row.sealed_external_id),
        kind=row.kind,
        level=write_level(row.level_kind, row.level_name),
        namespace=row.clean_namespace,
        updated_at=row.updated_at.isoformat(),
        start=start,
        end=start + len(text),
        text=text,
        pinned=True,
        age_days=age_days(row, now),
        stale=stale(row),
    )
