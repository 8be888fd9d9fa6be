"""What callers ask of the room: judge questions, see what was judged, take it back."""

from collections.abc import Sequence
from dataclasses import dataclass

from svod.conversation.answering.wording import clean_question
from svod.conversation.judging import postgres
from svod.conversation.judging.errors import (
    BadJudgementCursor,
    JudgementNotFound,
    TooManyJudgements,
)
from svod.conversation.judging.jobs import refit
from svod.conversation.judging.judgement import (
    Fitted,
    Judgement,
    JudgementDraft,
    JudgementId,
    JudgementPage,
    JudgementQuery,
)
from svod.foundation.clock import Clock
from svod.foundation.ids import ItemId, NamespaceId, WorkspaceId, new_ordered_id, read_id, write_id
from svod.foundation.jobs import Jobs
from svod.foundation.storage import Database, Of, SealedColumn, Transaction, Vault
from svod.knowledge.items import ItemsDeleted
from svod.knowledge.items.errors import ItemNotFound
from svod.knowledge.items.item import Target
from svod.knowledge.workspaces import (
    Caller,
    Permission,
    Reading,
    place_to_write,
    read_level,
    write_level,
)
from svod.knowledge.workspaces.errors import LevelReadOnly

MOST_AT_ONCE = 1_000
_SEALED_AS = "judged_question"
SEALED = (SealedColumn("judgement", "sealed_question", (_SEALED_AS, Of("judgement_id"))),)
"""What each sealed column of this room is about, for the rotation of keys."""


@dataclass(frozen=True, slots=True)
class Judging:
    """The judged questions of every workspace, as each caller may see and change them."""

    database: Database
    jobs: Jobs
    clock: Clock

    async def judge(
        self, caller: Caller, drafts: Sequence[JudgementDraft], *, target: Target
    ) -> tuple[Judgement, ...]:
        """Keep judged questions; one that was judged before in its collection is judged anew.

        Returns them in the order given, one for each question.

        A question with an item counts for the item's collection; one without, which nothing
        answers, for the collection of `target`, whose level holds the items too.

        Raises:
            TooManyJudgements: more than `MOST_AT_ONCE`.
            QuestionEmpty, QuestionTooLong: a question is none.
            ItemNotFound: an item is not there, or may not be read.
            LevelNotFound, LevelReadOnly: the collection may not be read, or not changed.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        if len(drafts) > MOST_AT_ONCE:
            raise TooManyJudgements(count=len(drafts), limit=MOST_AT_ONCE)
        reading = caller.reading_of(target.level)
        asked = [clean_question(draft.question) for draft in drafts]
        async with self.database.transaction() as tx:
            places = await self._places(tx, reading, drafts, target)
            # In order, so that the newest of them is listed first.
            numbers = sorted(new_ordered_id(self.clock) for _ in drafts)
            rows = [
                _row(reading, JudgementId(number), question, draft.item_id, place)
                for number, question, draft, place in zip(
                    numbers, asked, drafts, places, strict=True
                )
            ]
            # The same question twice: the later judgement counts.
            apart = list({(row.namespace_id, row.question_key): row for row in rows}.values())
            ids = await postgres.put_judgements(tx, reading, apart, now=self.clock.now())
            await self._refit(tx, reading.workspace_id, {row.namespace_id for row in apart})
            kept = await postgres.list_judgements(tx, reading, _filters(ids=ids, limit=len(ids)))
        opened = {row.judgement_id: _opened(reading, row) for row in kept}
        return tuple(opened[number] for number in ids)

    async def list(self, caller: Caller, query: JudgementQuery) -> JudgementPage:
        """Judged questions of the levels that the caller may read, newest first.

        Raises:
            BadJudgementCursor: the cursor was not given by this list.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        reading = caller.reading_of(query.level or "")
        before = read_id(query.cursor) if query.cursor else None
        if query.cursor and before is None:
            raise BadJudgementCursor
        kind, name = read_level(query.level) if query.level else (None, None)
        filters = _filters(limit=query.limit + 1) | {
            "level_kind": kind,
            "level_name": name,
            "namespace": query.namespace,
            "item_id": query.item_id,
            "before": before,
        }
        async with self.database.transaction() as tx:
            rows = await postgres.list_judgements(tx, reading, filters)
        shown = tuple(_opened(reading, row) for row in rows[: query.limit])
        more = len(rows) > query.limit
        return JudgementPage(shown, write_id(shown[-1].judgement_id) if more else None)

    async def delete(self, caller: Caller, judgement_id: JudgementId) -> None:
        """Take a judgement back.

        Raises:
            JudgementNotFound: it is not there, or may not be seen.
            LevelReadOnly: it may be seen, not changed.
        """
        caller.need(Permission.KNOWLEDGE_WRITE)
        async with self.database.transaction() as tx:
            for reading in caller.readings:
                rows = await postgres.list_judgements(
                    tx, reading, _filters(ids=[judgement_id], limit=1)
                )
                for row in rows:
                    if not row.may_send:
                        raise LevelReadOnly(level=write_level(row.level_kind, row.level_name))
                    await postgres.delete_judgement(tx, reading.workspace_id, judgement_id)
                    await self._refit(tx, reading.workspace_id, {row.namespace_id})
                    return
        raise JudgementNotFound

    async def fitted(self, caller: Caller) -> tuple[Fitted, ...]:
        """What the judged questions were fitted to, for each collection that may be read."""
        caller.need(Permission.KNOWLEDGE_WRITE)
        async with self.database.transaction() as tx:
            rows = [row for one in caller.readings for row in await postgres.list_fits(tx, one)]
        return tuple(
            Fitted(
                level=write_level(row.level_kind, row.level_name),
                namespace=row.clean_namespace,
                languages=row.languages,
                answerable=row.answerable,
                unanswerable=row.unanswerable,
                threshold=row.threshold,
                fitted_at=row.fitted_at,
            )
            for row in rows
        )

    async def on_items_deleted(self, tx: Transaction, fact: ItemsDeleted) -> None:
        """Fit anew without the questions that go with these items."""
        touched = await postgres.collections_of_items(tx, fact.workspace_id, fact.item_ids)
        await self._refit(tx, fact.workspace_id, set(touched))

    async def _refit(
        self, tx: Transaction, workspace_id: WorkspaceId, collections: set[NamespaceId]
    ) -> None:
        for namespace_id in sorted(collections):
            await self.jobs.queue(tx, refit(workspace_id, namespace_id))

    async def _places(
        self,
        tx: Transaction,
        reading: Reading,
        drafts: Sequence[JudgementDraft],
        target: Target,
    ) -> Sequence[NamespaceId]:
        """The collection that each draft counts for."""
        named = {draft.item_id for draft in drafts if draft.item_id is not None}
        known: dict[ItemId, NamespaceId] = {}
        for row in await postgres.items_to_judge(tx, reading, sorted(named)):
            if not row.may_send:
                raise LevelReadOnly(level=write_level(row.level_kind, row.level_name))
            known[row.item_id] = row.namespace_id
        if len(known) < len(named):
            raise ItemNotFound
        nowhere = None
        if any(draft.item_id is None for draft in drafts):
            nowhere = await place_to_write(
                tx, self.clock, reading, level=target.level, namespace=target.namespace
            )
        return [
            known[draft.item_id] if draft.item_id is not None else nowhere.namespace_id  # pyright: ignore[reportOptionalMemberAccess]
            for draft in drafts
        ]


def _row(
    reading: Reading,
    number: JudgementId,
    question: str,
    item_id: ItemId | None,
    place: NamespaceId,
) -> postgres.NewRow:
    return postgres.NewRow(
        judgement_id=number,
        namespace_id=place,
        item_id=item_id,
        sealed_question=reading.vault.seal_text(question, _SEALED_AS, number),
        question_key=reading.vault.key_for(_SEALED_AS, question.casefold()),
    )


def open_question(vault: Vault, judgement_id: JudgementId, sealed: bytes) -> str:
    """A judged question as it was asked."""
    return vault.open_text(sealed, _SEALED_AS, judgement_id)


def _opened(reading: Reading, row: postgres.JudgementRow) -> Judgement:
    return Judgement(
        judgement_id=row.judgement_id,
        question=open_question(reading.vault, row.judgement_id, row.sealed_question),
        item_id=row.item_id,
        level=write_level(row.level_kind, row.level_name),
        namespace=row.clean_namespace,
        created_by=row.created_by,
        created_at=row.created_at,
    )


def _filters(*, ids: Sequence[JudgementId] | None = None, limit: int) -> dict[str, object]:
    return {
        "judgement_ids": None if ids is None else list(ids),
        "level_kind": None,
        "level_name": None,
        "namespace": None,
        "item_id": None,
        "before": None,
        "limit": limit,
    }
