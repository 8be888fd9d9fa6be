"""Judged questions, and what they were fitted to."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from svod.conversation.judging import (
    MOST_AT_ONCE,
    Fitted,
    Judgement,
    JudgementDraft,
    JudgementPage,
)
from svod.foundation.ids import ItemId, read_id, write_id
from svod.interfaces.api.shapes.finding import Query
from svod.interfaces.api.shapes.strict import Asked, Moment, Told

NO_ITEM = ItemId(-1)


class JudgementAsked(Asked):
    """A question, and the item that answers it; null where nothing of the collection does."""

    question: Query
    item_id: Annotated[str, Field(max_length=64)] | None

    def draft(self) -> JudgementDraft:
        """The judgement as its room takes it."""
        item_id = None
        if self.item_id is not None:
            number = read_id(self.item_id)
            item_id = ItemId(number) if number else NO_ITEM
        return JudgementDraft(self.question, item_id)


class JudgementsAsked(Asked):
    """Judged questions; those without an item count for the collection of `level` and `namespace`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "judgements": [
                        {
                            "question": "За сколько дней можно вернуть товар?",
                            "item_id": "1j5f2k9c0r3ta",
                        }
                    ]
                }
            ]
        }
    )

    judgements: Annotated[list[JudgementAsked], Field(min_length=1, max_length=MOST_AT_ONCE)]
    level: Annotated[str, Field(max_length=400)] = "workspace"
    namespace: Annotated[str, Field(max_length=64)] = ""


class JudgementsListed(Asked):
    """Which judged questions; what is left out does not restrict. `global` must be named."""

    level: Annotated[str, Field(max_length=400)] | None = None
    namespace: Annotated[str, Field(max_length=64)] | None = None
    item_id: Annotated[str, Field(max_length=64)] | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    cursor: Annotated[str, Field(max_length=64)] | None = None


class JudgementTold(Told):
    """A judged question, and the collection that it counts for."""

    judgement_id: str
    question: str
    item_id: str | None
    level: str
    namespace: str
    created_by: str
    created_at: Moment

    @classmethod
    def of(cls, judgement: Judgement) -> "JudgementTold":
        """The judgement as it is told."""
        return cls(
            judgement_id=write_id(judgement.judgement_id),
            question=judgement.question,
            item_id=None if judgement.item_id is None else write_id(judgement.item_id),
            level=judgement.level,
            namespace=judgement.namespace,
            created_by=write_id(judgement.created_by),
            created_at=judgement.created_at,
        )


class JudgementsTold(Told):
    """Some judged questions, newest first; `next_cursor` leads on, null at the end."""

    judgements: list[JudgementTold]
    next_cursor: str | None = None

    @classmethod
    def of(cls, page: JudgementPage) -> "JudgementsTold":
        """The page as it is told."""
        judgements = [JudgementTold.of(one) for one in page.judgements]
        return cls(judgements=judgements, next_cursor=page.next_cursor)


class FittedTold(Told):
    """What was fitted to the judged questions of a collection, for a pair of languages.

    `threshold` is the least strength of evidence that an answer may rest on, null while too few
    answerable questions were judged and the default holds.
    """

    level: str
    namespace: str
    languages: str
    answerable: int
    unanswerable: int
    threshold: float | None
    fitted_at: Moment

    @classmethod
    def of(cls, fitted: Fitted) -> "FittedTold":
        """The fit as it is told."""
        return cls(
            level=fitted.level,
            namespace=fitted.namespace,
            languages=fitted.languages,
            answerable=fitted.answerable,
            unanswerable=fitted.unanswerable,
            threshold=None if fitted.threshold is None else round(fitted.threshold, 4),
            fitted_at=fitted.fitted_at,
        )


class FitsTold(Told):
    """What was fitted, for each collection that may be read."""

    fits: list[FittedTold]


JUDGEMENT_EXAMPLE: dict[str, Any] = {
    "judgement_id": "1j5f2k9c0r3tb",
    "question": "За сколько дней можно вернуть товар?",
    "item_id": "1j5f2k9c0r3ta",
    "level": "workspace",
    "namespace": "",
    "created_by": "0000000000002",
    "created_at": "2026-11-30T12:00:00Z",
}
JUDGEMENTS_EXAMPLE: dict[str, Any] = {"judgements": [JUDGEMENT_EXAMPLE], "next_cursor": None}
FITS_EXAMPLE: dict[str, Any] = {
    "fits": [
        {
            "level": "workspace",
            "namespace": "",
            "languages": "ru-ru",
            "answerable": 50,
            "unanswerable": 4,
            "threshold": 0.41,
            "fitted_at": "2026-11-30T12:00:20Z",
        }
    ]
}
