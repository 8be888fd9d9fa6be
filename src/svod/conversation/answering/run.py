"""One question on its way to an answer: what the steps know of it and leave behind."""

import time
from dataclasses import dataclass, field

from svod.conversation.answering.answer import (
    Answer,
    AnswerMeta,
    Citation,
    Timings,
    WrittenBy,
)
from svod.conversation.answering.looking import Looked
from svod.conversation.answering.modelled import Outcome
from svod.foundation.errors import Language
from svod.foundation.providers.chat import TokensUsed
from svod.knowledge.workspaces.caller import Caller


@dataclass(slots=True)
class Run:
    """A question with its evidence, and, once a step has given it, its answer.

    `model` and `prompt` are those of the server, whether they were asked or not; `outcome` is there
    once a model was.
    """

    caller: Caller
    question: str
    language: Language
    sentences: int
    looked: Looked
    started: float
    model: str | None
    prompt: str | None
    outcome: Outcome | None = None
    removed: int = 0
    answer: Answer | None = field(default=None)

    def answers(self, text: str, citations: tuple[Citation, ...], by: WrittenBy) -> None:
        """This is the answer."""
        self.answer = Answer(
            text=text,
            answered=True,
            language=self.language,
            citations=citations,
            nearest=self.looked.verdict.nearest,
            meta=self._meta(by),
        )

    def refuses(self, text: str) -> None:
        """There is none, and this says so."""
        self.answer = Answer(
            text=text,
            answered=False,
            language=self.language,
            citations=(),
            nearest=self.looked.verdict.nearest,
            meta=self._meta(None),
        )

    def _meta(self, by: WrittenBy | None) -> AnswerMeta:
        found, outcome = self.looked.found, self.outcome
        reason = self.looked.verdict.reason
        notes = [*found.notes, *(outcome.notes if outcome else []), *([reason] if reason else [])]
        return AnswerMeta(
            model=outcome.model if outcome else self.model,
            prompt=self.prompt if outcome else None,
            written_by=by,
            used_words=found.used_words,
            used_meaning=found.used_meaning,
            meaning_ready=found.meaning_ready,
            calibration=found.calibration,
            removed_sentences=self.removed,
            tokens=outcome.used if outcome else TokensUsed(),
            cut=outcome.cut if outcome else (),
            notes=tuple(dict.fromkeys(notes)),
            verdict=self.looked.verdict,
            timings=Timings(
                search=self.looked.search_ms,
                gate=self.looked.gate_ms,
                model=outcome.took_ms if outcome else 0,
                total=round((time.perf_counter() - self.started) * 1000),
            ),
        )
