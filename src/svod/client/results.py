"""What calls give back."""

from dataclasses import dataclass
from datetime import datetime

from svod.client.found import Hit


@dataclass(frozen=True, slots=True)
class NotReady:
    """Something the server waits for; not `blocking` where it answers already, but less well."""

    code: str
    message: str
    blocking: bool


@dataclass(frozen=True, slots=True)
class Ready:
    """Whether the server can be used, and what is still missing."""

    status: str
    not_ready: tuple[NotReady, ...]

    @property
    def ready(self) -> bool:
        """Whether it can be used."""
        return self.status == "ready"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an item failed, and what to do about it."""

    code: str
    message: str
    hint: str | None


@dataclass(frozen=True, slots=True)
class Remark:
    """What to know of an item: of how it was read, or why it waits."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Item:
    """An item. `version` is the newest, `serving_version` the one that is searched.

    Links have a `url`; `stale` says that the page could not be had lately and an older text serves.
    """

    item_id: str
    kind: str
    title: str
    name: str | None
    external_id: str | None
    level: str
    namespace: str
    status: str
    stage: str | None
    progress: float
    meaning_ready: float
    failure: Failure | None
    warnings: tuple[Remark, ...]
    waiting_reason: Remark | None
    media_type: str
    bytes: int
    characters: int | None
    version: int
    serving_version: int | None
    revision: int
    origin: str
    ingest: str
    pinned: bool
    tags: tuple[str, ...]
    created_by: str
    created_at: datetime
    updated_at: datetime
    url: str | None = None
    fetched_at: datetime | None = None
    refresh_days: int | None = None
    next_refresh_at: datetime | None = None
    stale: bool = False

    @property
    def done(self) -> bool:
        """Whether its processing has ended, well or not."""
        return self.status in {"ready", "failed"}


@dataclass(frozen=True, slots=True)
class Added:
    """What adding did (`created`, `updated`, `unchanged`), and the item."""

    outcome: str
    item: Item


@dataclass(frozen=True, slots=True)
class Items:
    """Some items, newest first; `next_cursor` leads on, None at the end."""

    items: tuple[Item, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True)
class FileState:
    """The item where adding would change nothing; else whether the server knows the bytes."""

    item_id: str | None
    known: bool
    item: Item | None


@dataclass(frozen=True, slots=True)
class Citation:
    """The exact place a sentence rests on: `text` is `[start:end]` of that version's text."""

    n: int
    item_id: str
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
    age_days: int
    stale: bool
    stale_reason: str | None


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a language model cost: tokens read and written, and calls."""

    prompt: int
    completion: int
    calls: int


@dataclass(frozen=True, slots=True)
class Cut:
    """What of a part did not fit into the prompt: pieces left out, and pieces shortened."""

    part: str
    left_out: int
    shortened: int


@dataclass(frozen=True, slots=True)
class Timings:
    """What the steps of an answer took, in milliseconds."""

    search: int
    gate: int
    model: int
    total: int


@dataclass(frozen=True, slots=True)
class Gate:
    """The gate's verdict on the evidence: enough where `strength` reaches `threshold`, both 0..1.

    `reason` is `nothing_found`, `weak` or `words_missing` where it does not; `missing` are the
    question's words that none of the first hits holds, names and numbers first.
    """

    strength: float
    threshold: float
    reason: str | None
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerMeta:
    """How an answer came about.

    `model` is the server's language model, if it has one; `written_by` says whose words these are:
    `model`, `extracts`, or None where there is no answer.
    """

    model: str | None
    prompt: str | None
    written_by: str | None
    tokens: Tokens
    cut: tuple[Cut, ...]
    timings_ms: Timings
    used_words: bool
    used_meaning: bool
    meaning_ready: float
    calibration: str
    removed_sentences: int
    gate: Gate | None
    notes: tuple[str, ...]
    took_ms: int


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """A piece that an answer may rest on: `[start:end]` of that version's text."""

    item_id: str
    external_id: str | None
    title: str
    version: int
    start: int
    end: int
    heading_path: tuple[str, ...]
    page: int | None
    sheet: str | None
    level: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer will rest on, told before it; empty where nothing answers."""

    sources: tuple[AnswerSource, ...]


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """The next part of an answer's text, checked; together they are its whole text."""

    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with markers like `[1]`; not `answered` when nothing was found that answers."""

    answer: str
    answered: bool
    language: str
    citations: tuple[Citation, ...]
    nearest: Hit | None
    meta: AnswerMeta


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judged question; `item_id` None says that nothing of its collection answers it."""

    judgement_id: str
    question: str
    item_id: str | None
    level: str
    namespace: str
    created_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Judgements:
    """One page of judged questions; `next_cursor` leads to the next."""

    judgements: tuple[Judgement, ...]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Fitted:
    """What was fitted to a collection's judged questions; `threshold` None while the default holds."""

    level: str
    namespace: str
    languages: str
    answerable: int
    unanswerable: int
    threshold: float | None
    fitted_at: datetime
