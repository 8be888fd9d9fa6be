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
from svod.conversation.answering.gate import judge
from svod.conversation.answering.headers import HeaderPlaces
from svod.conversation.answering.ports import Finds, ReadsText
from svod.conversation.answering.wording import clean_question, language_of, nothing_found
from svod.conversation.answering.writing import choose, write
from svod.foundation.errors import Unavailable
from svod.foundation.providers.embedding import Embedder, Purpose
from svod.knowledge.retrieval import Found, Mode
from svod.knowledge.workspaces.caller import Caller

log = structlog.get_logger()

EVIDENCE_HITS = 8


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
        verdict = judge(asked, found)
        notes = list(found.notes)
        if verdict.enough:
            fitting = await asyncio.to_thread(candidates, asked, found.hits)
            if plan.mode is not Mode.WORDS:
                compared = await self._compare(asked, fitting, within)
                fitting = fitting if compared is None else compared
            chosen = choose(ranked(fitting), most=question.sentences)
            places = await self._headers.find(caller, chosen, found.hits)
            written = write(chosen, places)
            if written.text:
                return Answer(
                    text=written.text,
                    answered=True,
                    language=language,
                    citations=written.citations,
                    nearest=verdict.nearest,
                    meta=_meta(found, notes, removed=written.removed),
                )
        return Answer(
            text=nothing_found(
                asked, plan, found, language=language, meaning=self._embedder is not None
            ),
            answered=False,
            language=language,
            citations=(),
            nearest=verdict.nearest,
            meta=_meta(found, [*notes, *([verdict.reason] if verdict.reason else [])]),
        )

    async def _compare(
        self, asked: str, found: Sequence[Candidate], within_ms: int
    ) -> list[Candidate] | None:
        """The candidates compared with the question by meaning; None when it cannot be had in time."""
        if self._embedder is None or len(found) < 2:  # noqa: PLR2004 - nothing to compare
            return None
        few = await asyncio.to_thread(to_compare, found, self._embedder.count_tokens)
        try:
            async with asyncio.timeout(within_ms / 1000):
                question = await self._embedder.embed([asked], purpose=Purpose.ASK)
                stored = await self._embedder.embed(
                    [compared_text(found[at]) for at in few], purpose=Purpose.STORE
                )
        except (TimeoutError, Unavailable):
            log.info("sentences were chosen by words alone", candidates=len(found))
            return None
        return with_meaning(found, dict(zip(few, cosines(question, stored), strict=True)))


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
