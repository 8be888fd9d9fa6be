"""What a sentence rests on: the few places of what it cites that hold every fact of it (R14)."""

import asyncio
import re
from collections.abc import Sequence

from svod.conversation.answering.budget import Shown
from svod.conversation.answering.closeness import Closeness
from svod.conversation.answering.comparing import Comparing
from svod.conversation.answering.covering import (
    Ground,
    asked_terms,
    by_words,
    covering,
    hung_on,
    with_others,
)
from svod.conversation.answering.units import UnitKind, units
from svod.knowledge.chunking.sentences import sentences

COMPARED = 24
"""Places that are compared with a sentence by meaning."""


class Grounds:
    """The evidence as a model was shown it, sentence by sentence."""

    def __init__(self, shown: Sequence[Shown], comparing: Comparing) -> None:
        self._shown = {one.n: one for one in shown}
        self._closeness = Closeness(comparing.embedder)
        self._grounds: dict[int, list[Ground]] = {}

    @property
    def texts(self) -> list[str]:
        """Every text that was shown, as it stands in its source."""
        return [text for one in self._shown.values() for text in (one.text, one.piece.header)]

    def known(self, numbers: Sequence[int]) -> list[int]:
        """Of the numbers those under which something was shown."""
        return [n for n in numbers if n in self._shown]

    async def support(self, sentence: str, numbers: Sequence[int]) -> list[Ground] | None:
        """The places of the cited pieces that support a sentence; None where they do not.

        Together they hold every number, date, name and negation of it, and most of its words; or,
        where it says the same in other words or another language, they mean the same.
        """
        cited = await asyncio.to_thread(self._of, numbers)
        chosen = await asyncio.to_thread(by_words, sentence, cited)
        if chosen is None:
            chosen = await self._by_meaning(sentence, cited)
        if chosen is None:
            return None
        return await asyncio.to_thread(with_others, sentence, chosen, cited)

    def code(self, code: str, numbers: Sequence[int]) -> list[Ground] | None:
        """The place in the cited pieces where this code stands to the letter, white space aside."""
        wanted = r"\s+".join(re.escape(part) for part in code.split())
        for n in numbers:
            one = self._shown[n]
            if match := re.search(wanted, one.text):
                return [_ground(one, ((match.start(), match.end()),))]
        return None

    def _of(self, numbers: Sequence[int]) -> list[Ground]:
        for n in numbers:
            if n not in self._grounds:
                self._grounds[n] = _grounds_of(self._shown[n])
        return [ground for n in numbers for ground in self._grounds[n]]

    async def _by_meaning(self, sentence: str, cited: Sequence[Ground]) -> list[Ground] | None:
        # Across languages words tell nothing, and the order of the text is as good as any.
        asked = asked_terms(sentence)
        promising = sorted(cited, key=lambda ground: -len(asked & ground.terms))[:COMPARED]
        texts = ["\n".join(one.texts) for one in promising]
        near = await self._closeness.of(sentence, texts)
        ordered = sorted(zip(near, range(len(near)), strict=True), reverse=True)
        if not ordered or ordered[0][0] < 1:
            return None
        for clause in await asyncio.to_thread(hung_on, sentence, cited):
            # What was hung onto a true sentence makes it hardly less like its source.
            if max(await self._closeness.of(clause, texts), default=0) < 1:
                return None
        by_closeness = [promising[at] for _, at in ordered]
        return await asyncio.to_thread(covering, sentence, by_closeness)


def _grounds_of(shown: Shown) -> list[Ground]:
    """The units of a piece, and its sentences as they stand, headings too."""
    found: dict[tuple[tuple[int, int], ...], Ground] = {}
    spans = [
        unit.spans
        for unit in units(shown.text, shown.piece.header)
        if unit.kind is not UnitKind.CODE
    ]
    spans += [((start, end),) for start, end in sentences(shown.text)]
    for one in spans:
        found.setdefault(one, _ground(shown, one))
    return list(found.values())


def _ground(shown: Shown, spans: tuple[tuple[int, int], ...]) -> Ground:
    piece = shown.piece
    quoted = tuple(
        ((piece.start + start, piece.start + end), shown.text[start:end]) for start, end in spans
    )
    return Ground(piece, shown.n, quoted)
