"""The one place that counts what a prompt holds, and trims it to what the model takes (R19).

Parts come in by priority: system, question, pinned notes, evidence by rank, history. What does not
fit is cut between sentences, the least important first.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from svod.conversation.answering.evidence import Piece
from svod.foundation.errors import Says, Unavailable
from svod.foundation.providers.chat import estimate_tokens
from svod.knowledge.chunking.sentences import sentences

SPARE_TOKENS = 64
"""For what the endpoint wraps around messages."""
SHORTEST = 0.25
"""A piece of which less than this would be left is left out whole."""


class Part(StrEnum):
    """A part of a prompt that may be cut; system and question never are."""

    PINNED = "pinned"
    EVIDENCE = "evidence"
    HISTORY = "history"


class PromptTooLong(Unavailable):
    """Not even the question fits into what the model takes."""

    code = "answering.prompt_too_long"
    says = Says(
        "The model takes {limit} tokens, and the prompt without any evidence has {tokens}.",
        "Модель берёт {limit} токенов, а в промпте без выдержек их {tokens}.",
    )
    hint = Says(
        "Raise SVOD_MODEL_CONTEXT_TOKENS or lower SVOD_MODEL_MAX_TOKENS.",
        "Увеличьте SVOD_MODEL_CONTEXT_TOKENS или уменьшите SVOD_MODEL_MAX_TOKENS.",
    )


@dataclass(frozen=True, slots=True)
class Cut:
    """What did not fit of a part: pieces left out, and pieces of which the end was."""

    part: Part
    left_out: int
    shortened: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece as the prompt shows it: its number and as much of its text as fits."""

    n: int
    piece: Piece
    text: str


class Budget:
    """What is left of the tokens that a prompt may have."""

    def __init__(self, tokens: int, *, count: Callable[[str], int] = estimate_tokens) -> None:
        self._limit = self.left = tokens - SPARE_TOKENS
        self._count = count

    def need(self, *texts: str) -> None:
        """Take what must be there.

        Raises:
            PromptTooLong: it does not fit.
        """
        self.left -= sum(self._count(text) for text in texts)
        if self.left < 0:
            raise PromptTooLong(limit=self._limit, tokens=self._limit - self.left)

    def fit(
        self, part: Part, pieces: Iterable[Shown], written: Callable[[Shown], str]
    ) -> tuple[list[Shown], Cut | None]:
        """Take the pieces in order as far as they fit, one of them shortened, and say what did not.

        Args:
            part: which part they are.
            pieces: by importance.
            written: a piece as the prompt will hold it.
        """
        taken: list[Shown] = []
        left_out = shortened = 0
        for piece in pieces:
            fitting = piece if self._takes(written(piece)) else self._shortened(piece, written)
            if fitting is None:
                left_out += 1
                continue
            shortened += fitting is not piece
            self.left -= self._count(written(fitting))
            taken.append(fitting)
        cut = Cut(part, left_out, shortened) if left_out or shortened else None
        return taken, cut

    def _takes(self, text: str) -> bool:
        return self._count(text) <= self.left

    def _shortened(self, piece: Shown, written: Callable[[Shown], str]) -> Shown | None:
        """The piece up to the end of its last sentence that fits; None where too little is left."""
        ends = [end for _, end in sentences(piece.text)]
        low, high = 0, len(ends)
        while low < high:
            middle = (low + high + 1) // 2
            if self._takes(written(replace(piece, text=piece.text[: ends[middle - 1]]))):
                low = middle
            else:
                high = middle - 1
        text = piece.text[: ends[low - 1]] if low else ""
        if len(text) < SHORTEST * len(piece.text):
            return None
        return replace(piece, text=text)
