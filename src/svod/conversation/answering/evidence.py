"""What an answer may rest on: pieces of items, numbered as the model and the reader see them."""

from dataclasses import dataclass
from typing import Protocol

from svod.foundation.ids import ItemId, WorkspaceId
from svod.knowledge.retrieval import Found, Hit
from svod.knowledge.retrieval.plan import Stale


class Piece(Protocol):
    """A continuous piece of a version of an item: `text` is `canonical[start:end]`."""

    @property
    def workspace_id(self) -> WorkspaceId: ...
    @property
    def item_id(self) -> ItemId: ...
    @property
    def version(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def external_id(self) -> str | None: ...
    @property
    def level(self) -> str: ...
    @property
    def updated_at(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def heading_path(self) -> tuple[str, ...]: ...
    @property
    def header(self) -> str: ...
    @property
    def page(self) -> int | None: ...
    @property
    def sheet(self) -> str | None: ...
    @property
    def age_days(self) -> int: ...
    @property
    def stale(self) -> Stale | None: ...


Source = tuple[WorkspaceId, ItemId, int]
"""A version of an item."""
Place = tuple[int, int]
"""Start and end in the canonical text."""


def source_of(piece: Piece) -> Source:
    """The version of the item that a piece is of."""
    return (piece.workspace_id, piece.item_id, piece.version)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Pieces by rank, pinned ones before them; the number of a piece is its place, from 1."""

    pinned: tuple[Piece, ...]
    ranked: tuple[Piece, ...]

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All of them: `pieces[n - 1]`."""
        return (*self.pinned, *self.ranked)


def evidence_of(found: Found) -> Evidence:
    """The hits as evidence, what one text says twice once."""
    kept: list[Hit] = []
    for hit in found.hits:
        if not any(_within(hit, other) for other in kept):
            kept.append(hit)
    return Evidence((), tuple(kept))


def _within(piece: Piece, other: Piece) -> bool:
    same = source_of(piece) == source_of(other)
    return same and other.start <= piece.start and piece.end <= other.end
