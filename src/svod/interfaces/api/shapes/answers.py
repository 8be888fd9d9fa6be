"""Questions, and answers with what they rest on."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from svod.conversation.answering.answer import Answer, Citation, Question
from svod.conversation.answering.gate import Verdict
from svod.foundation.errors import Language
from svod.foundation.ids import write_id
from svod.interfaces.api.shapes.finding import HIT_EXAMPLE, HitTold, Query, StaleReason, Where
from svod.interfaces.api.shapes.strict import Told


class QuestionAsked(Where):
    """What is asked; `language` is that of the answer, by default the question's own."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"question": "За сколько дней можно вернуть товар?"}]}
    )

    question: Query
    language: Language | None = None
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    sentences: Annotated[int, Field(ge=1, le=10)] = 3

    def asked(self) -> Question:
        """The question as the answering room takes it."""
        plan = self.plan(self.question, limit=self.limit)
        return Question(plan=plan, language=self.language, sentences=self.sentences)


class CitationTold(Told):
    """The exact place a sentence rests on: `text` is `[start:end]` of that version's text.

    `age_days` is how old that version is; `stale` with its reason, that a newer text is expected.
    """

    n: int
    item_id: str
    external_id: str | None
    title: str
    version: int
    start: int
    end: int
    text: str
    heading_path: list[str]
    page: int | None
    sheet: str | None
    level: str
    updated_at: str
    age_days: int
    stale: bool
    stale_reason: StaleReason | None

    @classmethod
    def of(cls, citation: Citation) -> "CitationTold":
        """The citation as it is told."""
        return cls(
            n=citation.n,
            item_id=write_id(citation.item_id),
            external_id=citation.external_id,
            title=citation.title,
            version=citation.version,
            start=citation.start,
            end=citation.end,
            text=citation.text,
            heading_path=list(citation.heading_path),
            page=citation.page,
            sheet=citation.sheet,
            level=citation.level,
            updated_at=citation.updated_at,
            age_days=citation.age_days,
            stale=citation.stale is not None,
            stale_reason=citation.stale.value if citation.stale is not None else None,
        )


class TokensTold(Told):
    """What a language model cost: tokens read and written, and calls."""

    prompt: int
    completion: int
    calls: int


class CutTold(Told):
    """What of a part did not fit into the prompt: pieces left out, and pieces shortened."""

    part: Literal["pinned", "evidence", "history"]
    left_out: int
    shortened: int


class TimingsTold(Told):
    """What the steps took, in milliseconds."""

    search: int
    gate: int
    model: int
    total: int


class GateTold(Told):
    """The gate's verdict: evidence is enough from `threshold` of `strength` on, both 0..1.

    `reason` says why it is not: `nothing_found`, `weak` or `words_missing`. `missing` are the
    question's words that none of the first hits holds, names and numbers first.
    """

    strength: float
    threshold: float
    reason: Literal["nothing_found", "weak", "words_missing"] | None
    missing: list[str]

    @classmethod
    def of(cls, verdict: Verdict) -> "GateTold":
        """The verdict as it is told."""
        return cls(
            strength=round(verdict.strength, 4),
            threshold=round(verdict.threshold, 4),
            reason=verdict.reason,
            missing=list(verdict.missing),
        )


class AnswerMetaTold(Told):
    """How the answer came about.

    `model` is the language model that is set, null where there is none; `written_by` whose words
    the answer is in, null where there is no answer.
    """

    model: str | None
    prompt: str | None
    written_by: Literal["model", "extracts"] | None
    tokens: TokensTold
    cut: list[CutTold]
    timings_ms: TimingsTold
    used_words: bool
    used_meaning: bool
    meaning_ready: float
    calibration: str
    removed_sentences: int
    gate: GateTold | None
    notes: list[str]
    took_ms: int


class AnswerTold(Told):
    """The answer with markers like `[1]`; not `answered` when nothing was found that answers."""

    answer: str
    answered: bool
    language: Language
    citations: list[CitationTold]
    nearest: HitTold | None
    meta: AnswerMetaTold

    @classmethod
    def of(cls, answer: Answer, *, took_ms: int) -> "AnswerTold":
        """The answer as it is told."""
        meta = answer.meta
        return cls(
            answer=answer.text,
            answered=answer.answered,
            language=answer.language,
            citations=[CitationTold.of(citation) for citation in answer.citations],
            nearest=HitTold.of(answer.nearest) if answer.nearest else None,
            meta=AnswerMetaTold(
                model=meta.model,
                prompt=meta.prompt,
                written_by=meta.written_by.value if meta.written_by else None,
                tokens=TokensTold(
                    prompt=meta.tokens.prompt,
                    completion=meta.tokens.completion,
                    calls=meta.tokens.calls,
                ),
                cut=[
                    CutTold(part=cut.part.value, left_out=cut.left_out, shortened=cut.shortened)
                    for cut in meta.cut
                ],
                timings_ms=TimingsTold(
                    search=meta.timings.search,
                    gate=meta.timings.gate,
                    model=meta.timings.model,
                    total=meta.timings.total,
                ),
                used_words=meta.used_words,
                used_meaning=meta.used_meaning,
                meaning_ready=round(meta.meaning_ready, 4),
                calibration=meta.calibration,
                removed_sentences=meta.removed_sentences,
                gate=GateTold.of(meta.verdict) if meta.verdict else None,
                notes=list(meta.notes),
                took_ms=took_ms,
            ),
        )


ANSWER_EXAMPLE: dict[str, Any] = {
    "answer": "Вернуть товар можно в течение 21 дня. [1]",
    "answered": True,
    "language": "ru",
    "citations": [
        {"n": 1}
        | {
            name: HIT_EXAMPLE[name]
            for name in ("item_id", "external_id", "title", "version", "start", "end", "text")
        }
        | {
            name: HIT_EXAMPLE[name]
            for name in ("heading_path", "page", "sheet", "level", "updated_at", "age_days")
        }
        | {"stale": False, "stale_reason": None}
    ],
    "nearest": None,
    "meta": {
        "model": None,
        "prompt": None,
        "written_by": "extracts",
        "tokens": {"prompt": 0, "completion": 0, "calls": 0},
        "cut": [],
        "timings_ms": {"search": 12, "gate": 4, "model": 0, "total": 18},
        "used_words": True,
        "used_meaning": True,
        "meaning_ready": 1.0,
        "calibration": "default",
        "removed_sentences": 0,
        "gate": {"strength": 0.9312, "threshold": 0.25, "reason": None, "missing": []},
        "notes": [],
        "took_ms": 18,
    },
}
