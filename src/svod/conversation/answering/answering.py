"""From a question to an answer that cites, or to an honest «not found»."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import structlog

from svod.conversation.answering.answer import Answer, AnswerMeta, Question
from svod.conversation.answering.candidates import (
    Candidate,
    candidates,
    compared_text,
    cosines,
    ranked,
    to_compare,
    with_meaning,
)
from svod.conversation.answering.gate import Verdict, judge
from svod.conversation.answering.headers import HeaderPlaces
from svod.conversation.answering.ports import Finds, ReadsText
from svod.conversation.answering.wording import clean_question, language_of, nothing_found
from svod.conversation.answering.writing import choose, write
from svod.foundation.errors import Unavailable
from svod.foundation.providers.embedding import Embedder, Purpose
from svod.knowledge.indexing.words import other_layout
from svod.knowledge.retrieval import Found, Mode, RetrievalPlan
from svod.knowledge.workspaces.caller import Caller

log = structlog.get_logger()

EVIDENCE_HITS = 8
OTHER_LAYOUT = "other_layout"
"""The retriever's note that it read the question as typed in the other keyboard layout."""


class Answering:
    """Answers questions from what the caller may read."""

    def __init__(
        self,
        retrieval: Finds,
        embedder: Embedder | None,
        *,
        meaning_within_ms: int,
        texts: ReadsText | None = None,
    ) -> None:
        """Wire the room.

        Args:
            retrieval: the one retriever.
            embedder: compares sentences by meaning; None leaves it at words.
            meaning_within_ms: how long to wait for a vector before going on with words (R6).
            texts: finds the place of a table's header that stands outside of the chunk; without it
                such rows are said without their header.
        """
        self._retrieval = retrieval
        self._embedder = embedder
        self._meaning_within_ms = meaning_within_ms
        self._headers = HeaderPlaces(texts)

    async def ask(self, caller: Caller, question: Question) -> Answer:
        """An answer of the best sentences of the evidence, each with its citations.

        Raises:
            QuestionEmpty: nothing is asked.
            QuestionTooLong: more is asked than one question holds.
        """
        asked = clean_question(question.plan.query)
        language = question.language or language_of(asked)
        within = question.plan.meaning_within_ms or self._meaning_within_ms
        plan = replace(
            question.plan,
            query=asked,
            limit=min(question.plan.limit, EVIDENCE_HITS),
            meaning_within_ms=within,
        )
        found = await self._retrieval.search(caller, plan)
        searched = _as_searched(asked, found)
        fitting = await self._fitting(searched, plan, found)
        verdict = await asyncio.to_thread(judge, searched, found, fitting)
        notes = list(found.notes)
        if verdict.enough:
            chosen = choose(ranked(fitting), most=question.sentences)
            headers = await self._headers.find(caller, chosen, found.hits)
            written = await asyncio.to_thread(write, chosen, headers)
            if written.text:
                return Answer(
                    text=written.text,
                    answered=True,
                    language=language,
                    citations=written.citations,
                    nearest=verdict.nearest,
                    meta=_meta(found, notes, removed=written.removed),
                )
        notes += [verdict.reason] if verdict.reason else []
        return Answer(
            text=nothing_found(
                asked, plan, found, language=language, meaning=self._embedder is not None
            ),
            answered=False,
            language=language,
            citations=(),
            nearest=verdict.nearest,
            meta=_meta(found, notes),
        )

    async def weigh(self, caller: Caller, plan: RetrievalPlan) -> tuple[Found, Verdict]:
        """What is found for a question, and the gate's verdict on it; no answer is written."""
        found = await self._retrieval.search(caller, plan)
        searched = _as_searched(plan.query, found)
        evidence = replace(found, hits=found.hits[:EVIDENCE_HITS])
        fitting = await self._fitting(searched, plan, evidence)
        return found, await asyncio.to_thread(judge, searched, evidence, fitting)

    async def _fitting(self, asked: str, plan: RetrievalPlan, found: Found) -> list[Candidate]:
        """What could be said of the hits, the most promising compared by meaning."""
        fitting = await asyncio.to_thread(candidates, asked, found.hits)
        # Where the question's own vector came too late, its sentences would only wait once more.
        if plan.mode is not Mode.WORDS and found.used_meaning:
            fitting = await self._compared(asked, fitting, plan.meaning_within_ms)
        return fitting

    async def _compared(
        self, asked: str, fitting: list[Candidate], within_ms: int | None
    ) -> list[Candidate]:
        """The candidates compared with the question by meaning, or as they were if that is late."""
        if self._embedder is None or not fitting:
            return fitting
        batches = await asyncio.to_thread(to_compare, fitting, self._embedder.count_tokens)
        known: dict[int, float] = {}
        try:
            async with asyncio.timeout(None if within_ms is None else within_ms / 1000):
                question = await self._embedder.embed([asked], purpose=Purpose.ASK)
                for few in batches:
                    stored = await self._embedder.embed(
                        [compared_text(fitting[at]) for at in few], purpose=Purpose.COMPARE
                    )
                    known |= zip(few, cosines(question, stored), strict=True)
        except (TimeoutError, Unavailable):
            # The most promising went first: what is known of them still helps.
            log.info("comparison cut short", candidates=len(fitting), compared=len(known))
        return with_meaning(fitting, known)


def _as_searched(asked: str, found: Found) -> str:
    """The question as the retriever understood it: typed in the other keyboard layout or not."""
    return (other_layout(asked) or asked) if OTHER_LAYOUT in found.notes else asked


def _meta(found: Found, notes: Sequence[str], *, removed: int = 0) -> AnswerMeta:
    return AnswerMeta(
        model=None,
        used_words=found.used_words,
        used_meaning=found.used_meaning,
        meaning_ready=found.meaning_ready,
        calibration=found.calibration,
        removed_sentences=removed,
        notes=tuple(notes),
    )
