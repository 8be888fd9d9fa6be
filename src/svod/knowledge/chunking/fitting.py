"""Keeping every chunk, with its context, within what the embedding model reads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from svod.knowledge.chunking.packing import Draft, draft

if TYPE_CHECKING:
    from svod.knowledge.chunking.pieces import Piece

TokenCounter = Callable[[Sequence[str]], list[int]]
"""How many tokens each text takes."""

_MOST_ROUNDS = 16
_SHORTEST = 16
"""Characters that are not split further, however many tokens they take."""
_CONTEXT_SHARE = 0.5
"""Context that takes more of the limit gives way to the text."""
_CHARACTERS_A_TOKEN = 2
_MARGIN = 0.95


def estimated_tokens(texts: Sequence[str]) -> list[int]:
    """More tokens than any model in use takes, for when none is at hand."""
    return [-(-len(text) // _CHARACTERS_A_TOKEN) for text in texts]


@dataclass(frozen=True, slots=True)
class Fitting:
    """What a chunk with its context must fit into."""

    text: str
    title: str
    context_line: str
    count_tokens: TokenCounter
    max_tokens: int

    def fit(self, drafts: list[Draft]) -> list[Draft]:
        """The same text in chunks within the limit; only those beyond it are touched.

        All are counted in one call, then those that were split again in one, until none is left.
        """
        rounds = 0
        done: list[Draft] = []
        waiting = drafts
        while waiting and rounds < _MOST_ROUNDS:
            rounds += 1
            counts = self.count_tokens([self._whole(each) for each in waiting])
            too_long = [
                (each, count)
                for each, count in zip(waiting, counts, strict=True)
                if count > self.max_tokens
            ]
            done += [
                each
                for each, count in zip(waiting, counts, strict=True)
                if count <= self.max_tokens
            ]
            waiting = self._smaller(too_long)
        ordered = sorted(done + waiting, key=lambda each: each.pieces[0].start)
        return ordered[:1] + [
            after if after.start > before.start else replace(after, overlap=0)
            for before, after in pairwise(ordered)
        ]

    def _whole(self, each: Draft) -> str:
        return each.chunk(self.text).with_context(self.title, self.context_line)

    def _context(self, each: Draft) -> str:
        return replace(each.chunk(self.text), text="").with_context(self.title, self.context_line)

    def _smaller(self, too_long: list[tuple[Draft, int]]) -> list[Draft]:
        contexts = self.count_tokens([self._context(each) for each, _ in too_long])
        found: list[Draft] = []
        for (each, count), context in zip(too_long, contexts, strict=True):
            if context > _CONTEXT_SHARE * self.max_tokens and (each.header or each.path):
                found.append(_lighter(each))
                continue
            length = each.end - each.start
            room = max(1, self.max_tokens - context)
            limit = min(length * room * _MARGIN / max(1, count - context), length * _MARGIN)
            if length > _SHORTEST:
                found += self._regrouped(each, max(_SHORTEST // 2, int(limit)))
            else:
                found.append(each)
        return found

    def _regrouped(self, each: Draft, limit: int) -> list[Draft]:
        groups: list[list[Piece]] = []
        for piece in each.pieces:
            fits = piece.end - piece.start <= limit
            for part in [piece] if fits else piece.divided(self.text, limit):
                if groups and part.end - groups[-1][0].start <= limit:
                    groups[-1].append(part)
                else:
                    groups.append([part])
        drafts = [draft(group, self.title) for group in groups]
        is_lighter = len(each.path) < len(draft(each.pieces, self.title).path)
        return [
            replace(
                new,
                header=new.header if each.header or not each.pieces[0].header else "",
                path=() if is_lighter else new.path,
            )
            for new in drafts
        ]


def _lighter(each: Draft) -> Draft:
    """A header that fills half of the limit goes first, then the headings."""
    return replace(each, header="") if each.header else replace(each, path=())
