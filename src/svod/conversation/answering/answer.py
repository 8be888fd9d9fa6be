"""An answer, and what it rests on."""

from dataclasses import dataclass, field

from svod.foundation.errors import Language
from svod.foundation.ids import ItemId
from svod.knowledge.retrieval import Hit, RetrievalPlan


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, where to look (the plan's query is the question), in which language to answer.

    `language` None answers in the language of the question.
    """

    plan: RetrievalPlan
    language: Language | None = None
    sentences: int = 3


@dataclass(frozen=True, slots=True)
class Citation:
    """The exact place a sentence rests on: `text` is `canonical[start:end]` of that version."""

    n: int
    item_id: ItemId
    external_id: str | None
    title: str
    version: int
    start: int
    end: int
    text: str
    heading_path: tuple[str, ...]
    page: int | None
    sheet: str | None
    level: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class AnswerMeta:
    """How the answer came about, for diagnostics; never shown as its text."""

    model: str | None
    used_words: bool
    used_meaning: bool
    meaning_ready: float
    calibration: str
    removed_sentences: int = 0
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer with markers like `[1]`, whether it is one, and its citations by number.

    When nothing answers, `answered` is False, `text` says so honestly in the asker's language, and
    `nearest` is the nearest thing found, if there was any.
    """

    text: str
    answered: bool
    language: Language
    citations: tuple[Citation, ...]
    nearest: Hit | None
    meta: AnswerMeta
