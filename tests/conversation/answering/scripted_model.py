"""Answers of a scripted model over evidence that a test wrote down."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from scripted_evidence import NOBODY, ScriptedRetriever, a_hit, found

from fakes.chat import ScriptedLLM, Turn
from svod.conversation.answering import (
    Answer,
    AnswerDelta,
    Answering,
    EvidenceFound,
    Modelled,
    Question,
    load_answer_prompt,
)
from svod.foundation.errors import Language
from svod.foundation.providers.embedding import Embedder
from svod.knowledge.retrieval import Found, Hit, RetrievalPlan


@dataclass
class Heard:
    """What was told while an answer came about, and the model that was asked."""

    answer: Answer
    deltas: list[str]
    evidence: EvidenceFound
    model: ScriptedLLM
    retriever: ScriptedRetriever

    @property
    def text(self) -> str:
        return self.answer.text

    @property
    def quotes(self) -> list[str]:
        return [citation.text for citation in self.answer.citations]


@dataclass
class Asked:
    """A question to a scripted model."""

    query: str
    evidence: Found
    turns: Sequence[Turn]
    language: Language | None = None
    embedder: Embedder | None = None
    timeout_s: float = 20
    rest: dict[str, object] = field(default_factory=dict)

    async def hear(self) -> Heard:
        model = ScriptedLLM(*self.turns, **self.rest)  # pyright: ignore[reportArgumentType]
        retriever = ScriptedRetriever(self.evidence)
        answering = Answering(
            retriever,
            self.embedder,
            meaning_within_ms=400,
            modelled=Modelled(model, load_answer_prompt(), timeout_s=self.timeout_s),
        )
        question = Question(RetrievalPlan(self.query), language=self.language)
        first, *parts, last = [event async for event in answering.stream(NOBODY, question)]
        assert isinstance(first, EvidenceFound)
        assert isinstance(last, Answer)
        deltas = [part.text for part in parts if isinstance(part, AnswerDelta)]
        assert len(deltas) == len(parts)
        assert "".join(deltas) == last.text
        return Heard(last, deltas, first, model, retriever)


async def hear(query: str, texts: Sequence[str | Hit], *turns: Turn, **given: object) -> Heard:
    """What is told of a question over these texts, when the model says these things."""
    hits = [
        text if isinstance(text, Hit) else a_hit(text, item=item, start=10 * item)
        for item, text in enumerate(texts, 1)
    ]
    asked = Asked(query, found(*hits), turns, **given)  # pyright: ignore[reportArgumentType]
    return await asked.hear()
