"""Sentences of a model checked one by one, and those that stand written with their citations."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from svod.conversation.answering.citing import Numbering, Quoted
from svod.conversation.answering.cleaning import clean, clean_code
from svod.conversation.answering.covering import Ground
from svod.conversation.answering.evidence import Piece, source_of
from svod.conversation.answering.grounds import Grounds
from svod.conversation.answering.reply import Said, SaidKind
from svod.conversation.answering.speech import is_in
from svod.foundation.errors import Language

_BARE_ANSWERS = frozenset({"да", "нет", "yes", "no"})


class Passed(StrEnum):
    """Why a sentence was not told."""

    UNSUPPORTED = "unsupported"
    WRONG_LANGUAGE = "wrong_language"
    REPEATED = "repeated"
    HELD = "held"
    """It leads to what follows, and is told together with that or not at all."""


class Telling:
    """The text of an answer as it grows."""

    def __init__(self, language: Language, grounds: Grounds, numbering: Numbering) -> None:
        self._language = language
        self._grounds = grounds
        self._numbering = numbering
        self._seen: set[str] = set()
        self._lead: str | None = None
        self._opens = False
        self._has_told = False
        self.removed = 0

    async def part(self, said: Said) -> str | Passed:
        """The next part of the text, or why this sentence is none."""
        text, is_sound = self._cleaned(said)
        if not text:
            return self._remove()
        self._opens = self._opens or said.opens
        key = " ".join(text.casefold().split())
        if key in self._seen:
            return Passed.REPEATED
        self._seen.add(key)
        if said.kind is not SaidKind.CODE and not is_in(text, self._language):
            self._remove()
            return Passed.WRONG_LANGUAGE
        if not is_sound:
            return self._remove()
        numbers = self._grounds.known(said.numbers)
        if not numbers:
            return self._hold(text)
        return await self._written(text, said, numbers)

    def end(self) -> None:
        """Nothing more comes: what led to it leads nowhere."""
        self._drop_lead()

    def _cleaned(self, said: Said) -> tuple[str, bool]:
        if said.kind is SaidKind.CODE:
            return clean_code(said.text), True
        cleaned = clean(said.text, self._grounds.texts)
        is_empty = not any(sign.isalnum() for sign in cleaned.text)
        return "" if is_empty else cleaned.text, not cleaned.invents_address

    async def _written(self, text: str, said: Said, numbers: Sequence[int]) -> str | Passed:
        is_code = said.kind is SaidKind.CODE
        if is_code:
            grounds = self._grounds.code(text, numbers)
        else:
            grounds = await self._grounds.support(text, numbers)
        if grounds is None:
            return self._remove()
        lead, self._lead = self._lead, None
        if lead and not is_code:
            # What leads to it says something too, of which the line alone is no part.
            whole = await self._grounds.support(f"{lead} {text}", numbers)
            self.removed += whole is None
            lead, grounds = (lead, [*grounds, *whole]) if whole else (None, grounds)
        marks = self._numbering.marks(_rests(grounds))
        written = self._joined(lead, text, said.kind, marks)
        self._has_told, self._opens = True, False
        return written

    def _joined(self, lead: str | None, text: str, kind: SaidKind, marks: str) -> str:
        opens = self._opens or lead is not None
        before = "" if not self._has_told else "\n" if opens else " "
        match kind:
            case SaidKind.CODE:
                between = "\n" if lead else ""
                return f"{before}{lead or ''}{between}```\n{text}\n```\n{marks}"
            case SaidKind.ITEM if opens:
                between = f"{lead}\n" if lead else ""
                return f"{before}{between}- {text} {marks}"
            case _:
                between = f"{lead} " if lead else ""
                return f"{before}{between}{text} {marks}"

    def _hold(self, text: str) -> Passed:
        if text.endswith(":") or text.strip(".!,").casefold() in _BARE_ANSWERS:
            self._drop_lead()
            self._lead = text
            return Passed.HELD
        return self._remove()

    def _drop_lead(self) -> None:
        if self._lead is not None:
            self._lead = None
            self.removed += 1

    def _remove(self) -> Passed:
        self.removed += 1
        return Passed.UNSUPPORTED


def _rests(grounds: Iterable[Ground]) -> list[tuple[Piece, Quoted]]:
    """The places in order, none within another."""
    every = [(one.piece, quoted) for one in grounds for quoted in one.quoted]
    kept: list[tuple[Piece, Quoted]] = []
    for piece, quoted in sorted(every, key=lambda rest: rest[1][0][0] - rest[1][0][1]):
        if not any(_within(piece, quoted, *other) for other in kept):
            kept.append((piece, quoted))
    order = {id(piece): at for at, (piece, _) in reversed(list(enumerate(every)))}
    return sorted(kept, key=lambda rest: (order[id(rest[0])], rest[1][0]))


def _within(piece: Piece, quoted: Quoted, other: Piece, others: Quoted) -> bool:
    (start, end), (first, last) = quoted[0], others[0]
    return source_of(piece) == source_of(other) and first <= start and end <= last
