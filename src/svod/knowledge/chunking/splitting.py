"""A document in chunks."""

from svod.knowledge.chunking.choosing import choose, parts
from svod.knowledge.chunking.chunk import Chunk
from svod.knowledge.chunking.fitting import Fitting, TokenCounter, estimated_tokens
from svod.knowledge.chunking.packing import overlapping, pack
from svod.knowledge.chunking.pieces import Pieces, stretches
from svod.knowledge.chunking.settings import SplitMode, SplitSettings
from svod.knowledge.parsing.document import ParsedDocument

__all__ = ["TokenCounter", "split"]


def split(
    document: ParsedDocument,
    settings: SplitSettings,
    *,
    title: str,
    count_tokens: TokenCounter | None,
    max_tokens: int,
) -> list[Chunk]:
    """The chunks of a document, in order; slow for a long one, so for a thread.

    Args:
        document: what was read; its blocks are in order and apart.
        settings: where to split, and how long chunks may be.
        title: of the item; part of every chunk's context.
        count_tokens: as the embedding model counts; None takes two characters for a token.
        max_tokens: what the model reads of `Chunk.with_context(title, context_line)`.

    Returns:
        Slices of `document.text` that together hold all its letters and digits. A title and context
        line that alone reach `max_tokens` leave the chunks longer than it.
    """
    mode = settings.split_mode
    if mode is SplitMode.AUTO:
        mode = choose(document)
    found = stretches(document.text, document.blocks, parts(document, mode, settings))
    pieces = Pieces(document.text, settings, mode).of(found)
    drafts = pack(pieces, mode=mode, settings=settings, title=title)
    fitting = Fitting(
        document.text,
        title,
        settings.context_line or "",
        count_tokens or estimated_tokens,
        max_tokens,
    )
    fitted = fitting.fit(overlapping(drafts, document.text, settings))
    return [each.chunk(document.text) for each in fitted]
