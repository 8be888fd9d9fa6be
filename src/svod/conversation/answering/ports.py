"""What answering needs from below."""

from typing import Protocol

from svod.foundation.ids import ItemId
from svod.knowledge.items.item import ItemText
from svod.knowledge.retrieval import Context, Found, RetrievalPlan
from svod.knowledge.workspaces import LevelView
from svod.knowledge.workspaces.caller import Caller


class Finds(Protocol):
    """Searches what the caller may read."""

    async def search(self, caller: Caller, plan: RetrievalPlan) -> Found:
        """The hits of a plan, best first."""
        ...


class ReadsText(Protocol):
    """Gives the canonical text of an item's version, in which citations count."""

    async def text(self, caller: Caller, item_id: ItemId, version: int) -> ItemText:
        """The text.

        Raises:
            NotFound: there is none, or the caller may not read it.
        """
        ...


class BuildsContexts(Protocol):
    """Makes of hits what a prompt is given to know: pinned notes and joined pieces."""

    async def context_of(self, caller: Caller, plan: RetrievalPlan, found: Found) -> Context:
        """The context of what a plan has found."""
        ...


class SeesLevels(Protocol):
    """Knows the levels that a caller may read."""

    async def read_path(self, caller: Caller, level: str) -> tuple[str, ...]:
        """The levels that are read for one, most specific first."""
        ...

    async def levels(self, caller: Caller) -> tuple[LevelView, ...]:
        """Those levels."""
        ...
