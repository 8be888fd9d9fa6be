"""A version's source to prepared chunks: read, split, analysed; what may be slow is in a thread."""

import asyncio
from dataclasses import dataclass

from svod.foundation.providers import Embedder
from svod.knowledge.chunking import Chunk, SplitSettings, split
from svod.knowledge.items.item import Source
from svod.knowledge.items.kinds import LINK, NOTE
from svod.knowledge.parsing import ParsedDocument, Parsers
from svod.knowledge.parsing.reading import read_document
from svod.knowledge.parsing.source import Source as Given

_TOKENS_WITHOUT_MODEL = 512


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads sources: files in a limited child; a note, short and always Markdown, right here."""

    parsers: Parsers

    async def read(self, kind: str, source: Source) -> ParsedDocument:
        """The document of a source.

        Raises:
            ReadingFailed: with the reason.
        """
        if kind == NOTE.name:
            return await asyncio.to_thread(
                read_document, Given(source.content, "note.md", "text/markdown")
            )
        if kind == LINK.name:
            # A site says more of its page than the page's name does.
            return await self.parsers.read(
                source.content, name=source.name, media_type=source.media_type
            )
        return await self.parsers.read(source.content, name=source.name)


def settings_of(split_json: str | None) -> SplitSettings:
    """The splitting settings of a version."""
    return SplitSettings.model_validate_json(split_json) if split_json else SplitSettings()


def split_document(
    document: ParsedDocument, settings: SplitSettings, title: str, embedder: Embedder | None
) -> list[Chunk]:
    """The chunks of a document, each within the model's limit; slow, for a thread."""
    return split(
        document,
        settings,
        title=title,
        count_tokens=embedder.count_tokens if embedder and embedder.ready else None,
        max_tokens=embedder.max_tokens if embedder else _TOKENS_WITHOUT_MODEL,
    )
