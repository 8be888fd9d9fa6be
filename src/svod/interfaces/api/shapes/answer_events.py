"""What is told while an answer comes about."""

from svod.conversation.answering.answer import Answer
from svod.conversation.answering.events import AnswerDelta, AnswerEvent, EvidenceFound
from svod.conversation.answering.evidence import Piece
from svod.foundation.ids import write_id
from svod.interfaces.api.event_stream import Event
from svod.interfaces.api.shapes.answers import AnswerTold
from svod.interfaces.api.shapes.strict import Told


class SourceTold(Told):
    """A piece that the answer may rest on: `[start:end]` of that version's text."""

    item_id: str
    external_id: str | None
    title: str
    version: int
    start: int
    end: int
    heading_path: list[str]
    page: int | None
    sheet: str | None
    level: str
    updated_at: str

    @classmethod
    def of(cls, piece: Piece) -> "SourceTold":
        """The piece as it is told."""
        return cls(
            item_id=write_id(piece.item_id),
            external_id=piece.external_id,
            title=piece.title,
            version=piece.version,
            start=piece.start,
            end=piece.end,
            heading_path=list(piece.heading_path),
            page=piece.page,
            sheet=piece.sheet,
            level=piece.level,
            updated_at=piece.updated_at,
        )


class EvidenceTold(Told):
    """What the answer will rest on, best first; empty where nothing answers."""

    sources: list[SourceTold]


class DeltaTold(Told):
    """The next part of the text; together they are the `answer` of the last event."""

    text: str


def answer_event(event: AnswerEvent, *, took_ms: int) -> Event:
    """The event as it is told: `evidence`, `answer_delta` or `answer`."""
    match event:
        case EvidenceFound():
            sources = [SourceTold.of(piece) for piece in event.pieces]
            return Event("evidence", EvidenceTold(sources=sources))
        case AnswerDelta():
            return Event("answer_delta", DeltaTold(text=event.text))
        case Answer():
            return Event("answer", AnswerTold.of(event, took_ms=took_ms))


ANSWER_EVENTS_EXAMPLE = """event: evidence
data: {"sources": [{"item_id": "1j5f2k9c0r3ta", "title": "Возврат и обмен"}]}

event: answer_delta
data: {"text": "Вернуть товар можно в течение 21 дня. [1]"}

event: answer
data: {"answer": "Вернуть товар можно в течение 21 дня. [1]", "answered": true, "citations": []}

"""
