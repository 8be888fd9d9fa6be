"""A judged question, and what judged questions were fitted to."""

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from svod.foundation.ids import ItemId, PrincipalId

JudgementId = NewType("JudgementId", int)


@dataclass(frozen=True, slots=True)
class JudgementDraft:
    """A question, and the item that answers it; None where nothing of the collection does."""

    question: str
    item_id: ItemId | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judged question as it is kept, in the collection (level and namespace) it counts for."""

    judgement_id: JudgementId
    question: str
    item_id: ItemId | None
    level: str
    namespace: str
    created_by: PrincipalId
    created_at: datetime


@dataclass(frozen=True, slots=True)
class JudgementQuery:
    """Which judged questions, and from where; None does not restrict."""

    level: str | None = None
    namespace: str | None = None
    item_id: ItemId | None = None
    limit: int = 50
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class JudgementPage:
    """Some judged questions, newest first, and where the next ones start."""

    judgements: tuple[Judgement, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class Fitted:
    """What was fitted to the judged questions of a collection and pair of languages.

    `languages` are those of the question and the text found (`ru-en`); `answerable` and
    `unanswerable` count what it rests on; `threshold` is None while the default holds.
    """

    level: str
    namespace: str
    languages: str
    answerable: int
    unanswerable: int
    threshold: float | None
    fitted_at: datetime
