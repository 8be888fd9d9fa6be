"""Packing pieces into chunks of about the size asked for."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace

from svod.knowledge.chunking.chunk import Chunk
from svod.knowledge.chunking.pieces import Opening, Piece
from svod.knowledge.chunking.settings import SplitMode, SplitSettings

_SMALL = 5
"""A chunk under a fifth of its size says too little alone and joins its neighbour if it may."""
_LONGEST_HEADING = 160
_SHORTEST_POINT = 200
"""Numbered points are gathered until they say something, in characters."""
_SHORTEST_PART = 20
"""So are other parts, or a careless separator would make a chunk of every letter."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A chunk to be: its pieces, and the context that goes with it.

    `overlap` is how many characters of the chunk before it repeats.
    """

    pieces: tuple[Piece, ...]
    path: tuple[str, ...]
    header: str
    overlap: int = 0

    @property
    def start(self) -> int:
        return self.pieces[0].start - self.overlap

    @property
    def end(self) -> int:
        return self.pieces[-1].end

    def chunk(self, text: str) -> Chunk:
        """What it becomes, without white space around it."""
        first = self.pieces[0]
        own = text[self.start : self.end]
        start = self.start + len(own) - len(own.lstrip())
        own = own.strip()
        return Chunk(
            start=start,
            end=start + len(own),
            text=own,
            heading_path=self.path,
            header=self.header,
            page=first.page,
            sheet=first.sheet,
            continued=first.continued,
        )


def draft(pieces: Iterable[Piece], title: str) -> Draft:
    """Pieces as one chunk. Its path is that of its first block, without what the title says."""
    kept = tuple(pieces)
    path = tuple(_short(heading) for heading in kept[0].path if heading.strip())
    if path and path[0].casefold() == title.strip().casefold():
        path = path[1:]
    return Draft(kept, path, kept[0].header)


def pack(
    pieces: Iterable[Piece], *, mode: SplitMode, settings: SplitSettings, title: str
) -> list[Draft]:
    """Neighbouring pieces together, up to `chunk_size`, as far as the mode lets them."""
    size = settings.chunk_size - settings.chunk_overlap
    groups: list[list[Piece]] = []
    for piece in pieces:
        if groups and _may_join(groups[-1], piece, mode):
            group = groups[-1]
            length = piece.end - group[0].start
            is_small = group[-1].end - group[0].start < settings.chunk_size // _SMALL
            if length <= (settings.max_chunk_size if is_small else size):
                group.append(piece)
                continue
        groups.append([piece])
    if mode is not SplitMode.FIXED_SIZE:
        groups = _without_crumbs(groups, mode, settings)
    return [draft(group, title) for group in groups]


def _may_join(group: list[Piece], piece: Piece, mode: SplitMode) -> bool:
    first, last = group[0], group[-1]
    if piece.sheet != last.sheet:
        return False
    if piece.opens is Opening.PART:
        shortest = _SHORTEST_POINT if mode is SplitMode.NUMBERED else _SHORTEST_PART
        return last.end - first.start < shortest
    if piece.opens is Opening.SECTION and mode is SplitMode.HEADING:
        return piece.path[: len(first.path)] == first.path
    return True


def _without_crumbs(
    groups: list[list[Piece]], mode: SplitMode, settings: SplitSettings
) -> list[list[Piece]]:
    """Small ends of sections joined to what stands before them."""
    kept: list[list[Piece]] = []
    for group in groups:
        is_crumb = group[-1].end - group[0].start < settings.chunk_size // _SMALL
        if (
            kept
            and is_crumb
            and group[0].opens is Opening.NOTHING
            and _may_join(kept[-1], group[0], mode)
            and group[-1].end - kept[-1][0].start <= settings.max_chunk_size
        ):
            kept[-1].extend(group)
        else:
            kept.append(group)
    return kept


def overlapping(drafts: list[Draft], text: str, settings: SplitSettings) -> list[Draft]:
    """Each chunk that goes on with a section begins with the last words of the one before."""
    if not settings.chunk_overlap:
        return drafts
    found = drafts[:1]
    for before, after in itertools.pairwise(drafts):
        overlap = 0
        if after.pieces[0].opens is Opening.NOTHING and not after.header:
            begins = _word_start(text, before, settings.chunk_overlap)
            overlap = 0 if begins is None else after.start - begins
        fits = after.end - after.start + overlap <= settings.max_chunk_size
        found.append(replace(after, overlap=overlap if fits else 0))
    return found


def _word_start(text: str, before: Draft, overlap: int) -> int | None:
    earliest = max(before.end - overlap, before.pieces[0].start + 1)
    for place in range(earliest, before.end):
        if text[place - 1].isspace() and not text[place].isspace():
            return place
    return None


def _short(heading: str) -> str:
    heading = " ".join(heading.split())
    return heading if len(heading) <= _LONGEST_HEADING else heading[: _LONGEST_HEADING - 1] + "…"
