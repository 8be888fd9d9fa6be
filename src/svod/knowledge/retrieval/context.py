"""What a prompt is given to know: pinned notes of each level read, and the chunks that fit best."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from svod.knowledge.retrieval.passages import (
    Cut,
    Passage,
    fitting,
    joined,
    to_read,
    whole_sentences,
)
from svod.knowledge.retrieval.plan import Found, RetrievalPlan
from svod.knowledge.retrieval.ports import Finds, ReadsPaths, ReadsTexts
from svod.knowledge.retrieval.precedence import along_path, specificity
from svod.knowledge.workspaces import Caller, Permission

CHUNK_CHARACTERS = 6_000
"""What the chunks of a context may hold together (R10)."""
PINNED_CHARACTERS = 2_000
"""What the pinned notes of one level may hold together."""
MOST_PINNED_CHARACTERS = 5 * PINNED_CHARACTERS
"""What those of all levels may: a read path has at most five, a read of everything far more."""


@dataclass(frozen=True, slots=True)
class Context:
    """What there is to know for a prompt.

    `text` is rendered: every passage under a line `[n] title › headings · level · date`, pinned
    notes first. `pinned` and `passages` are its parts, numbered through; `cut` is what did not fit;
    `found` is the search that the passages come from.
    """

    text: str
    pinned: tuple[Passage, ...]
    passages: tuple[Passage, ...]
    cut: tuple[Cut, ...]
    found: Found

    @property
    def sources(self) -> tuple[Passage, ...]:
        """Every passage by its number: `sources[n - 1]`."""
        return (*self.pinned, *self.passages)


class Contexts:
    """Builds contexts from what a caller may read."""

    def __init__(
        self, retrieval: Finds, texts: ReadsTexts, paths: ReadsPaths | None = None
    ) -> None:
        self._retrieval = retrieval
        self._texts = texts
        self._paths = paths

    async def build_context(
        self, caller: Caller, plan: RetrievalPlan, *, budget: int = CHUNK_CHARACTERS
    ) -> Context:
        """The context for a plan, the same each time for the same knowledge.

        Pinned notes of each level read come in whether they match or not; besides them the best of
        the plan's hits, at most `plan.limit` of them and about `budget` characters. Namespaces that
        are only read through a tool stay out, their pinned notes too, unless the plan names them.

        Args:
            caller: who asks.
            plan: the query and where to look; `read_for` reads along a path.
            budget: characters of the chunks, without their labels.

        Raises:
            What `Retrieval.search` raises.
        """
        caller.need(Permission.KNOWLEDGE_READ)
        found = await self._retrieval.search(caller, plan)
        return await self.context_of(caller, plan, found, budget=budget)

    async def context_of(
        self,
        caller: Caller,
        plan: RetrievalPlan,
        found: Found,
        *,
        budget: int = CHUNK_CHARACTERS,
    ) -> Context:
        """The context of what a plan has found already; see `build_context`."""
        plan = await along_path(self._paths, caller, plan)
        notes = await self._texts.pinned(caller, plan, characters=PINNED_CHARACTERS)
        pinned, cut_pinned = await asyncio.to_thread(_within_levels, notes)
        taken, cut_hits = await asyncio.to_thread(
            fitting, found.hits, budget=budget, besides=pinned
        )
        canonical = await self._texts.canonical(caller, to_read(taken))
        passages = joined(taken, canonical)
        numbered = [replace(passage, n=n) for n, passage in enumerate((*pinned, *passages), 1)]
        return Context(
            text="\n\n".join(_rendered(passage) for passage in numbered),
            pinned=tuple(numbered[: len(pinned)]),
            passages=tuple(numbered[len(pinned) :]),
            cut=(*cut_pinned, *cut_hits),
            found=found,
        )


def _within_levels(notes: Sequence[Passage]) -> tuple[list[Passage], list[Cut]]:
    """As much of each level's notes as may stand there; the most specific level comes first.

    Where more levels are read than may be shown, the broader ones, which hold for all, are kept.
    """
    kept: list[Passage] = []
    cuts: list[Cut] = []
    left = MOST_PINNED_CHARACTERS
    ordered = sorted(notes, key=lambda note: (-specificity(note.level), note.level))
    for _, group in groupby(ordered, key=lambda note: note.level):
        room = min(PINNED_CHARACTERS, left)
        for note in group:
            end = whole_sentences(note.text, room)
            text = note.text[:end].rstrip()
            if text:
                kept.append(replace(note, text=text, end=note.start + len(text)))
            if end < len(note.text):
                cuts.append(Cut(note.item_id, note.title, pinned=True, left_out=not text))
            room -= end
            left -= end
    kept.sort(key=lambda note: (specificity(note.level), note.level))
    return kept, cuts


def _rendered(passage: Passage) -> str:
    said = [" › ".join(_one_line(part) for part in (passage.title, *passage.heading_path) if part)]
    if passage.page is not None:
        said.append(f"p. {passage.page}")
    if passage.sheet is not None and passage.sheet not in passage.heading_path:
        said.append(_one_line(passage.sheet))
    said += [passage.level, passage.updated_at[:10]]
    label = f"[{passage.n}] {' · '.join(part for part in said if part)}"
    return "\n".join(part for part in (label, passage.header, passage.text) if part)


def _one_line(text: str) -> str:
    return " ".join(text.split())
