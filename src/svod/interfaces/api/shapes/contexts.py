"""The knowledge context of a prompt: asked for, and told."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from svod.foundation.ids import write_id
from svod.interfaces.api.shapes.finding import HIT_EXAMPLE, Query, StaleReason, Where
from svod.interfaces.api.shapes.strict import Told
from svod.knowledge.retrieval import Context
from svod.knowledge.retrieval.context import CHUNK_CHARACTERS
from svod.knowledge.retrieval.passages import Cut, Passage


class ContextAsked(Where):
    """What a prompt is about, and how much its chunks may say."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"query": "срок возврата товара", "read_for": "address:support@example.com"}
            ]
        }
    )

    query: Query
    limit: Annotated[int, Field(ge=1, le=50)] = 20
    budget_characters: Annotated[int, Field(ge=200, le=100_000)] = CHUNK_CHARACTERS


class SourceTold(Told):
    """A passage of the context under its number: `text` is `[start:end]` of that version's text."""

    n: int
    item_id: str
    external_id: str | None
    title: str
    kind: str
    level: str
    namespace: str
    version: int
    start: int
    end: int
    text: str
    heading_path: list[str]
    header: str
    page: int | None
    sheet: str | None
    updated_at: str
    age_days: int
    stale: bool
    stale_reason: StaleReason | None
    score: float | None

    @classmethod
    def of(cls, passage: Passage) -> "SourceTold":
        """The passage as it is told."""
        return cls(
            n=passage.n,
            item_id=write_id(passage.item_id),
            external_id=passage.external_id,
            title=passage.title,
            kind=passage.kind,
            level=passage.level,
            namespace=passage.namespace,
            version=passage.version,
            start=passage.start,
            end=passage.end,
            text=passage.text,
            heading_path=list(passage.heading_path),
            header=passage.header,
            page=passage.page,
            sheet=passage.sheet,
            updated_at=passage.updated_at,
            age_days=passage.age_days,
            stale=passage.stale is not None,
            stale_reason=passage.stale.value if passage.stale is not None else None,
            score=round(passage.score, 4) if passage.score is not None else None,
        )


class ContextCutTold(Told):
    """An item that did not fit: left out, or shortened between sentences."""

    item_id: str
    title: str
    pinned: bool
    left_out: bool

    @classmethod
    def of(cls, cut: Cut) -> "ContextCutTold":
        """What was cut, as it is told."""
        return cls(
            item_id=write_id(cut.item_id), title=cut.title, pinned=cut.pinned, left_out=cut.left_out
        )


class ContextTold(Told):
    """What there is to know for a prompt: the text, its parts by number, and what did not fit."""

    context: str
    pinned: list[SourceTold]
    sources: list[SourceTold]
    cut: list[ContextCutTold]

    @classmethod
    def of(cls, context: Context) -> "ContextTold":
        """The context as it is told."""
        return cls(
            context=context.text,
            pinned=[SourceTold.of(passage) for passage in context.pinned],
            sources=[SourceTold.of(passage) for passage in context.passages],
            cut=[ContextCutTold.of(cut) for cut in context.cut],
        )


CONTEXT_EXAMPLE: dict[str, Any] = {
    "context": (
        "[1] Возврат и обмен › Сроки · workspace · 2026-11-30\n"
        "Вернуть товар можно в течение 21 дня."
    ),
    "pinned": [],
    "sources": [
        {"n": 1}
        | {name: HIT_EXAMPLE[name] for name in SourceTold.model_fields if name in HIT_EXAMPLE}
    ],
    "cut": [],
}
