"""What a model is asked: the rules, the excerpts between markers, the question."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from svod.conversation.answering.budget import Budget, Cut, Part, Shown
from svod.conversation.answering.evidence import Evidence
from svod.conversation.answering.neutral import BAR, barred, in_one_line
from svod.foundation.errors import Language
from svod.foundation.providers.chat import ChatModel, ChatRequest, Message, Role
from svod.foundation.providers.prompts import Prompt, check_folder, load_prompt

NO_ANSWER = "NO_ANSWER"
"""What the model writes where the excerpts do not answer."""
_MARK_BYTES = 8
_NEEDS: Mapping[str, tuple[str, ...]] = {
    section: blanks
    for language in Language
    for section, blanks in (
        (f"system.{language}", ("mark", "bar", "sentences")),
        (f"user.{language}", ("excerpts", "question")),
        (f"again.{language}", ()),
    )
}


def load_answer_prompt(folder: Path | None = None) -> Prompt:
    """The prompt of answers, the shipped one or the one in the folder.

    Raises:
        PromptUnfit: it is missing, or is not what this module fills in.
    """
    check_folder(folder, {"answer"})
    return load_prompt(__package__ or "", "answer", "v1", needs=_NEEDS, folder=folder)


@dataclass(frozen=True, slots=True)
class Asking:
    """What is asked, in which language to answer, and in how many sentences."""

    question: str
    language: Language
    sentences: int


@dataclass(frozen=True, slots=True)
class Built:
    """A request, the evidence that it shows by number, and what did not fit."""

    request: ChatRequest
    shown: tuple[Shown, ...]
    cut: tuple[Cut, ...]


def build(prompt: Prompt, asking: Asking, evidence: Evidence, model: ChatModel) -> Built:
    """The request for an answer, within what the model takes.

    Raises:
        PromptTooLong: the model takes too little for any answer.
    """
    mark = _mark(evidence)
    language = asking.language.value
    system = prompt.fill(f"system.{language}", mark=mark, bar=BAR, sentences=asking.sentences)
    question = in_one_line(asking.question)
    budget = Budget(model.context_tokens - model.max_tokens)
    budget.need(system, prompt.fill(f"user.{language}", excerpts="", question=question))

    def written(shown: Shown) -> str:
        return _excerpt(shown, mark)

    every = [Shown(n, piece, piece.text) for n, piece in enumerate(evidence.pieces, 1)]
    first = len(evidence.pinned)
    pinned, cut_pinned = budget.fit(Part.PINNED, every[:first], written)
    ranked, cut_ranked = budget.fit(Part.EVIDENCE, every[first:], written)
    shown = (*pinned, *ranked)
    user = prompt.fill(
        f"user.{language}", excerpts="\n\n".join(map(written, shown)), question=question
    )
    request = ChatRequest(system, (Message(Role.USER, user),), model.max_tokens)
    return Built(request, shown, tuple(cut for cut in (cut_pinned, cut_ranked) if cut))


def once_more(prompt: Prompt, asking: Asking, built: Built, said: str) -> ChatRequest:
    """The request again, after a reply in the wrong language."""
    again = prompt.fill(f"again.{asking.language.value}")
    before = built.request
    turns = (
        Message(Role.ASSISTANT, said or "…"),
        Message(Role.USER, again),
    )
    return ChatRequest(before.system, (*before.messages, *turns), before.max_tokens)


def _mark(evidence: Evidence) -> str:
    """A number for the markers of this one request, which no excerpt holds."""
    while True:
        mark = secrets.token_hex(_MARK_BYTES)
        if not any(mark in piece.text for piece in evidence.pieces):
            return mark


def _excerpt(shown: Shown, mark: str) -> str:
    piece = shown.piece
    labels = [
        in_one_line(piece.title),
        *map(in_one_line, piece.heading_path),
        piece.updated_at[:10],
    ]
    body = f"{piece.header}\n{shown.text}" if piece.header else shown.text
    return "\n".join(
        (
            f"<<<excerpt {mark} {shown.n}>>>",
            barred(" › ".join(label for label in labels if label)),
            barred(body),
            f"<<<end {mark} {shown.n}>>>",
        )
    )
