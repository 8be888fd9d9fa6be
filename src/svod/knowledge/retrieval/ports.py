"""What this room needs from elsewhere, and what its parts need from one another."""

from collections.abc import Collection, Sequence
from typing import Protocol

from svod.foundation.ids import ItemId
from svod.knowledge.retrieval.passages import Canonical, Passage
from svod.knowledge.retrieval.plan import Found, RetrievalPlan
from svod.knowledge.workspaces import Caller


class Finds(Protocol):
    """Searches what the caller may read."""

    async def search(self, caller: Caller, plan: RetrievalPlan) -> Found:
        """The hits of a plan, best first."""
        ...


class ReadsPaths(Protocol):
    """Knows which levels are read for one of them (K3, K4)."""

    async def read_path(self, caller: Caller, level: str) -> tuple[str, ...]:
        """The level and the broader ones above it that the caller may read, most specific first.

        Raises:
            LevelNotFound: there is no such level, or the caller may not see it.
        """
        ...


class ReadsTexts(Protocol):
    """Gives whole texts of items that the caller may read."""

    async def pinned(
        self, caller: Caller, plan: RetrievalPlan, *, characters: int
    ) -> Sequence[Passage]:
        """Pinned notes where the plan looks, by level, the one changed last first.

        As many of each level as it takes to fill so many characters, and one more.
        """
        ...

    async def canonical(self, caller: Caller, wanted: Collection[tuple[ItemId, int]]) -> Canonical:
        """The canonical texts of these items and versions; what may not be read is left out."""
        ...
