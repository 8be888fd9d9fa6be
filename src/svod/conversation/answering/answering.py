"""From a question to an answer that cites, or to an honest «not found»."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

import structlog

from svod.conversation.answering.answer import Answer, Question, WrittenBy
from svod.conversation.answering.candidates import ranked
from svod.conversation.answering.comparing import Comparing
from svod.conversation.answering.events import AnswerDelta, AnswerEvent, EvidenceFound
from svod.conversation.answering.evidence import Evidence, evidence_of
from svod.conversation.answering.gate import Verdict
from svod.conversation.answering.headers import HeaderPlaces
from svod.conversation.answering.looking import Looking
from svod.conversation.answering.modelled import Modelled, Outcome
from svod.conversation.answering.ports import BuildsContexts, Finds, ReadsText, SeesLevels
from svod.conversation.answering.prompt import Asking
from svod.conversation.answering.run import Run
from svod.conversation.answering.wording import clean_question, language_of, nothing_found
from svod.conversation.answering.writing import choose, write
from svod.foundation.errors import SvodError
from svod.foundation.providers.embedding import Embedder
from svod.knowledge.retrieval import Found, RetrievalPlan
from svod.knowledge.workspaces.caller import Caller

log = structlog.get_logger()


class Answering:
    """Answers questions from what the caller may read."""

    def __init__(
        self,
        retrieval: Finds,
        embedder: Embedder | None,
        *,
        meaning_within_ms: int,
        texts: ReadsText | None = None,
        contexts: BuildsContexts | None = None,
        levels: SeesLevels | None = None,
        modelled: Modelled | None = None,
        second_hop: bool = True,
    ) -> None:
        """Wire the room.

        Args:
            retrieval: the one retriever.
            embedder: compares sentences by meaning; None leaves it at words.
            meaning_within_ms: how long to wait for a vector before going on with words (R6).
            texts: finds the place of a table's header that stands outside of the chunk; without it
                such rows are said without their header.
            contexts: makes of hits what a model is given to know; without it the hits themselves.
            levels: names where was looked when nothing is found.
            modelled: a language model that writes; without one, answers quote (R15).
            second_hop: whether a wider pass follows what the first hits name (R1a).
        """
        self._comparing = Comparing(embedder)
        self._looking = Looking(retrieval, self._comparing, second_hop=second_hop)
        self._meaning_within_ms = meaning_within_ms
        self._headers = HeaderPlaces(texts)
        self._contexts = contexts
        self._levels = levels
        self._modelled = modelled

    async def ask(self, caller: Caller, question: Question) -> Answer:
        """An answer whose every sentence names the places it rests on; see `stream`."""
        async with aclosing(self.stream(caller, question)) as events:
            async for event in events:
                if isinstance(event, Answer):
                    return event
        raise AssertionError("the last event is the answer")

    async def stream(self, caller: Caller, question: Question) -> AsyncGenerator[AnswerEvent]:
        """The evidence, the parts of the text as they come, and last the answer.

        What a model says is told only after it was checked; where it says nothing that stands, the
        best sentences of the evidence answer. Whoever stops listening ends a model's call.

        Raises:
            QuestionEmpty: nothing is asked.
            QuestionTooLong: more is asked than one question holds.
            And what the retriever raises, before the first event.
        """
        run = await self._look(caller, question)
        evidence = await self._evidence(run)
        yield EvidenceFound(evidence.pieces)
        for step in (
            self._refuse_without_evidence,
            self._tell_by_model,
            self._refuse_as_the_model,
            self._tell_by_extracts,
            self._refuse,
        ):
            async with aclosing(step(run, evidence)) as told:
                async for part in told:
                    yield AnswerDelta(part)
            if run.answer is not None:
                break
        yield _told(run)

    async def weigh(self, caller: Caller, plan: RetrievalPlan) -> tuple[Found, Verdict]:
        """What is found for a question, and the gate's verdict on it; no answer is written."""
        return await self._looking.weigh(caller, plan)

    async def _look(self, caller: Caller, question: Question) -> Run:
        """Read the question and look for what it may rest on, more widely where that is little."""
        started = time.perf_counter()
        text = clean_question(question.plan.query)
        within = question.plan.meaning_within_ms or self._meaning_within_ms
        plan = replace(question.plan, query=text, meaning_within_ms=within)
        looked = await self._looking.look(caller, plan)
        return Run(
            caller=caller,
            question=text,
            language=question.language or language_of(text),
            sentences=question.sentences,
            looked=looked,
            started=started,
            model=self._modelled.name if self._modelled else None,
            prompt=self._modelled.prompt if self._modelled else None,
        )

    async def _evidence(self, run: Run) -> Evidence:
        """What there is to rest on: nothing where the gate is not satisfied."""
        looked = run.looked
        if not looked.verdict.enough:
            return Evidence((), ())
        if self._modelled is None or self._contexts is None:
            return evidence_of(looked.found)
        context = await self._contexts.context_of(run.caller, looked.plan, looked.found)
        return Evidence(context.pinned, context.passages)

    async def _refuse_without_evidence(self, run: Run, evidence: Evidence) -> AsyncGenerator[str]:
        """No model is asked where it could only invent (R16)."""
        if not run.looked.verdict.enough:
            async for part in self._refuse(run, evidence):
                yield part

    async def _tell_by_model(self, run: Run, evidence: Evidence) -> AsyncGenerator[str]:
        """The answer in a model's words, where one is set and says something that stands."""
        if self._modelled is None:
            return
        outcome = run.outcome = Outcome(self._modelled.name)
        asking = Asking(run.question, run.language, run.sentences)
        said: list[str] = []
        async with aclosing(
            self._modelled.tell(asking, evidence, outcome, self._comparing)
        ) as parts:
            async for part in parts:
                said.append(part)
                yield part
        run.removed += outcome.removed
        if said:
            run.answers("".join(said), outcome.numbering.citations, WrittenBy.MODEL)

    async def _refuse_as_the_model(self, run: Run, evidence: Evidence) -> AsyncGenerator[str]:
        """Who read the evidence and says that it holds no answer is believed."""
        if run.outcome is not None and run.outcome.found_nothing:
            async for part in self._refuse(run, evidence):
                yield part

    async def _tell_by_extracts(self, run: Run, _: Evidence) -> AsyncGenerator[str]:
        """The answer in the best sentences of the hits (R15)."""
        looked = run.looked
        chosen = choose(ranked(looked.fitting), most=run.sentences)
        headers = await self._headers.find(run.caller, chosen, looked.found.hits)
        written = await asyncio.to_thread(write, chosen, headers)
        run.removed += written.removed
        for piece in written.pieces:
            yield piece
        if written.pieces:
            run.answers(written.text, written.citations, WrittenBy.EXTRACTS)

    async def _refuse(self, run: Run, _: Evidence) -> AsyncGenerator[str]:
        """Say honestly what was looked for, where, and what is nearest."""
        text = nothing_found(
            run.question,
            run.looked.plan,
            run.looked.found,
            language=run.language,
            meaning=self._comparing.by_meaning,
            levels=await self._levels_read(run),
        )
        run.refuses(text)
        yield text

    async def _levels_read(self, run: Run) -> list[str] | None:
        """The levels that were read, of those that the caller sees."""
        plan = run.looked.plan
        if self._levels is None:
            return None
        try:
            if plan.read_for is not None:
                return list(await self._levels.read_path(run.caller, plan.read_for))
            return [level.name for level in await self._levels.levels(run.caller)]
        except SvodError:
            # That nothing was found can be said without them.
            return None


def _told(run: Run) -> Answer:
    assert run.answer is not None  # noqa: S101 - the last step always gives one
    meta = run.answer.meta
    log.info(
        "asked",
        answered=run.answer.answered,
        by=meta.written_by,
        hits=len(run.looked.found.hits),
        citations=len(run.answer.citations),
        removed=meta.removed_sentences,
        prompt=meta.tokens.prompt,
        completion=meta.tokens.completion,
        ms=meta.timings.total,
    )
    return run.answer
