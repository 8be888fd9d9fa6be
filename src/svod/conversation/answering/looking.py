"""Finding what an answer may rest on: one search, and a wider one where the gate is not satisfied."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from svod.conversation.answering.candidates import Candidate
from svod.conversation.answering.comparing import Comparing
from svod.conversation.answering.gate import Verdict, judge
from svod.conversation.answering.ports import Finds
from svod.conversation.answering.second_hop import hop_queries, joined
from svod.knowledge.indexing.words import other_layout, query_words
from svod.knowledge.retrieval import Found, Hit, Mode, RetrievalPlan
from svod.knowledge.workspaces.caller import Caller

EVIDENCE_HITS = 8
WIDER_HITS = 20
KEPT_HITS = 12
"""Of a wider pass, what an answer may rest on."""
PATIENCE = 4
"""How many times longer a wider pass waits for the question's meaning."""
OTHER_LAYOUT = "other_layout"
"""The retriever's note that it read the question as typed in the other keyboard layout."""
WIDER = "wider_pass"
SECOND_HOP = "second_hop"


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found for a question, what could be said of it, and whether that is enough.

    `asked` is the question as it was searched for. `search_ms` and `gate_ms` are what that took.
    """

    asked: str
    plan: RetrievalPlan
    found: Found
    fitting: list[Candidate]
    verdict: Verdict
    search_ms: int
    gate_ms: int


class Looking:
    """Searches, judges, and searches once more."""

    def __init__(self, retrieval: Finds, comparing: Comparing, *, second_hop: bool = True) -> None:
        self._retrieval = retrieval
        self._comparing = comparing
        self._second_hop = second_hop

    async def look(self, caller: Caller, plan: RetrievalPlan) -> Looked:
        """The evidence for a question, from one pass or, where that is too little, from two."""
        narrow = replace(plan, limit=min(plan.limit, EVIDENCE_HITS))
        first = await self._judged(narrow, *await self._search(caller, narrow))
        return first if first.verdict.enough else await self._wider(caller, plan, first)

    async def weigh(self, caller: Caller, plan: RetrievalPlan) -> tuple[Found, Verdict]:
        """What one search finds, and the verdict on as much of it as an answer rests on."""
        found, _ = await self._search(caller, plan)
        evidence = replace(found, hits=found.hits[:EVIDENCE_HITS])
        judged = await self._judged(plan, evidence, 0)
        return found, judged.verdict

    async def _search(self, caller: Caller, plan: RetrievalPlan) -> tuple[Found, int]:
        started = time.perf_counter()
        found = await self._retrieval.search(caller, plan)
        return found, _since(started)

    async def _search_all(self, caller: Caller, plans: Sequence[RetrievalPlan]) -> list[Found]:
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._retrieval.search(caller, plan)) for plan in plans]
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed
        return [task.result() for task in tasks]

    async def _judged(self, plan: RetrievalPlan, found: Found, search_ms: int) -> Looked:
        started = time.perf_counter()
        asked = _as_searched(plan.query, found)
        fitting = await self._comparing.fitting(asked, plan, found)
        verdict = await asyncio.to_thread(judge, asked, found, fitting)
        return Looked(asked, plan, found, fitting, verdict, search_ms, _since(started))

    async def _wider(self, caller: Caller, plan: RetrievalPlan, first: Looked) -> Looked:
        """More hits, longer waiting, a second hop; then the question in the other layout."""
        wide = _widened(plan)
        hops = hop_queries(first.asked, first.fitting) if self._second_hop else []
        started = time.perf_counter()
        plans = [wide, *(replace(first.plan, query=query) for query in hops)]
        found, *hopped = await self._search_all(caller, plans)
        hits = joined(found.hits, [hop.hits for hop in hopped])[:KEPT_HITS]
        notes = (*found.notes, WIDER, *([SECOND_HOP] if _hopped(hits, found) else []))
        searched_ms = first.search_ms + _since(started)
        union = await self._judged(wide, replace(found, hits=hits, notes=notes), searched_ms)
        union = replace(union, gate_ms=first.gate_ms + union.gate_ms)
        if union.verdict.enough:
            return union
        other = await self._in_other_layout(caller, wide, union)
        return other or union

    async def _in_other_layout(
        self, caller: Caller, plan: RetrievalPlan, before: Looked
    ) -> Looked | None:
        """What the question says in the other layout, where that is enough.

        The retriever reads it so where it knows none of the words; here it knows some.
        """
        typed = other_layout(plan.query)
        if typed is None or OTHER_LAYOUT in before.found.notes:
            return None
        found, search_ms = await self._search(caller, replace(plan, query=typed, mode=Mode.WORDS))
        known = {word for hit in found.hits for word in hit.matched.words}
        if len(known) * 2 <= len(query_words(typed).terms):
            return None
        found, again_ms = await self._search(caller, replace(plan, query=typed))
        notes = (*found.notes, WIDER, OTHER_LAYOUT)
        found = replace(found, hits=found.hits[:KEPT_HITS], notes=notes)
        looked = await self._judged(plan, found, before.search_ms + search_ms + again_ms)
        looked = replace(looked, gate_ms=before.gate_ms + looked.gate_ms)
        return looked if looked.verdict.enough else None


def _widened(plan: RetrievalPlan) -> RetrievalPlan:
    """The plan with more hits and more time; where to look stays as the caller said."""
    within = plan.meaning_within_ms
    return replace(
        plan,
        limit=max(plan.limit, WIDER_HITS),
        meaning_within_ms=None if within is None else within * PATIENCE,
    )


def _hopped(hits: tuple[Hit, ...], found: Found) -> bool:
    """Whether the second hop brought anything."""
    return any(hit not in found.hits for hit in hits)


def _as_searched(asked: str, found: Found) -> str:
    """The question as the retriever understood it: with other keys, with typos undone."""
    return found.query or asked


def _since(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)
