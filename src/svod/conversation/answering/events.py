"""What is told while an answer comes about."""

from dataclasses import dataclass

from svod.conversation.answering.answer import Answer
from svod.conversation.answering.evidence import Piece


@dataclass(frozen=True, slots=True)
class EvidenceFound:
    """What the answer will rest on, by number; empty where it will say that nothing was found."""

    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class AnswerDelta:
    """The next part of the answer's text, checked; together they are the text of the `Answer`."""

    text: str


AnswerEvent = EvidenceFound | AnswerDelta | Answer
