"""What this room needs from outside."""

from typing import Protocol

from svod.knowledge.items.item import Source
from svod.knowledge.parsing import ParsedDocument


class Reads(Protocol):
    """Reads a source; cancelling it ends the reading at once."""

    async def read(self, kind: str, source: Source) -> ParsedDocument:
        """The document of a source.

        Raises:
            ReadingFailed: with the reason.
        """
        ...
