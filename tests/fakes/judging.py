"""Judged questions kept in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from svod.conversation.judging import (
    Fitted,
    Judgement,
    JudgementDraft,
    JudgementId,
    JudgementNotFound,
    JudgementPage,
    JudgementQuery,
)
from svod.foundation.ids import ItemId
from svod.knowledge.items.errors import ItemNotFound
from svod.knowledge.items.item import Target
from svod.knowledge.workspaces import Caller, Permission

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
UNKNOWN = ItemId(-1)


@dataclass
class ScriptedJudging:
    """Keeps what it is given; the item -1 is unknown."""

    kept: list[Judgement] = field(default_factory=list)

    async def judge(
        self, caller: Caller, drafts: Sequence[JudgementDraft], *, target: Target
    ) -> tuple[Judgement, ...]:
        caller.need(Permission.KNOWLEDGE_WRITE)
        if any(draft.item_id == UNKNOWN for draft in drafts):
            raise ItemNotFound
        first = len(self.kept) + 1
        new = [
            Judgement(
                JudgementId(first + at),
                draft.question,
                draft.item_id,
                target.level,
                target.namespace,
                caller.own.principal_id,
                NOW,
            )
            for at, draft in enumerate(drafts)
        ]
        self.kept += new
        return tuple(new)

    async def list(self, caller: Caller, query: JudgementQuery) -> JudgementPage:
        caller.need(Permission.KNOWLEDGE_WRITE)
        start = int(query.cursor or 0)
        found = [one for one in reversed(self.kept) if query.item_id in {None, one.item_id}]
        more = start + query.limit < len(found)
        shown = tuple(found[start : start + query.limit])
        return JudgementPage(shown, str(start + query.limit) if more else None)

    async def delete(self, caller: Caller, judgement_id: JudgementId) -> None:
        caller.need(Permission.KNOWLEDGE_WRITE)
        left = [one for one in self.kept if one.judgement_id != judgement_id]
        if len(left) == len(self.kept):
            raise JudgementNotFound
        self.kept = left

    async def fitted(self, caller: Caller) -> tuple[Fitted, ...]:
        caller.need(Permission.KNOWLEDGE_WRITE)
        return (Fitted("workspace", "", "ru-ru", 50, 4, 0.41, NOW),)
