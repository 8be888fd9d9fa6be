"""An answer, and what it rests on."""

from dataclasses import dataclass, field
from enum import StrEnum

from svod.conversation.answering.budget import Cut
from svod.conversation.answering.gate import Verdict
from svod.foundation.errors import Language
from svod.foundation.ids import ItemId
from svod.foundation.providers.chat import TokensUsed
from svod.knowledge.retrieval import Hit, RetrievalPlan
from svod.knowledge.retrieval.plan import Stale


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
    """The exact place a sentence rests on: `text` is `canonical[start:end]` of that version.

    `age_days` is how old that version is, `stale` why what it says may be out of date.
    """

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
    age_days: int = 0
    stale: Stale | None = None


class WrittenBy(StrEnum):
    """Whose words an answer is in: a language model's, checked, or the evidence's own."""

    MODEL = "model"
    EXTRACTS = "extracts"


@dataclass(frozen=True, slots=True)
class Timings:
    """What the steps took, in milliseconds."""

    search: int = 0
    gate: int = 0
    model: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class AnswerMeta:
    """How the answer came about, for diagnostics; never shown as its text.

    `model` is the configured model, None where there is none, and `prompt` what it was asked with,
    None where it was not asked. `written_by` is None where there is no answer. `cut` is what did
    not fit into the prompt. `notes` are stable words. `verdict` is the gate's on the evidence.
    """

    model: str | None
    used_words: bool
    used_meaning: bool
    meaning_ready: float
    calibration: str
    removed_sentences: int = 0
    notes: tuple[str, ...] = field(default=())
    prompt: str | None = None
    written_by: WrittenBy | None = None
    tokens: TokensUsed = field(default=TokensUsed())
    cut: tuple[Cut, ...] = field(default=())
    timings: Timings = field(default=Timings())
    verdict: Verdict | None = None


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
