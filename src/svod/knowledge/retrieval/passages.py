"""Pieces of items as a prompt holds them: neighbouring chunks joined, cut only between sentences."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from svod.foundation.ids import ItemId, WorkspaceId
from svod.knowledge.chunking.sentences import sentences
from svod.knowledge.retrieval.plan import Hit, Stale

LONGEST_GAP = 64
"""White space between two chunks of one text; more than this is no mere gap."""
SHORTEST_PIECE = 200
"""A chunk that does not fit whole is shortened to no less than this, in characters."""

Canonical = Mapping[tuple[ItemId, int], str]
"""Canonical texts by item and version."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A continuous piece of one version of an item: `text` is `canonical[start:end]`.

    `n` is its number in the context, from 1. `hits` are the chunks that it was joined from, best
    first, and `score` is the best of theirs; a pinned note has neither. `header` is the header of
    the table that the piece goes on with, empty otherwise.
    """

    workspace_id: WorkspaceId
    item_id: ItemId
    version: int
    title: str
    external_id: str | None
    kind: str
    level: str
    namespace: str
    updated_at: str
    start: int
    end: int
    text: str
    heading_path: tuple[str, ...] = ()
    header: str = ""
    page: int | None = None
    sheet: str | None = None
    score: float | None = None
    pinned: bool = False
    age_days: int = 0
    stale: Stale | None = None
    hits: tuple[Hit, ...] = ()
    n: int = 0


@dataclass(frozen=True, slots=True)
class Cut:
    """What did not fit: an item of which something was left out, or of which nothing went in."""

    item_id: ItemId
    title: str
    pinned: bool
    left_out: bool


def whole_sentences(text: str, most: int) -> int:
    """How far the sentences go that fit into so many characters; 0 when not even one does."""
    if len(text) <= most:
        return len(text)
    end = 0
    for _, stop in sentences(text):
        if stop > most:
            break
        end = stop
    return end


def of_hit(hit: Hit) -> Passage:
    """A chunk as a piece of its own."""
    return Passage(
        workspace_id=hit.workspace_id,
        item_id=hit.item_id,
        version=hit.version,
        title=hit.title,
        external_id=hit.external_id,
        kind=hit.kind,
        level=hit.level,
        namespace=hit.namespace,
        updated_at=hit.updated_at,
        start=hit.start,
        end=hit.end,
        text=hit.text,
        heading_path=hit.heading_path,
        header=hit.header,
        page=hit.page,
        sheet=hit.sheet,
        score=hit.score,
        age_days=hit.age_days,
        stale=hit.stale,
        hits=(hit,),
    )


def fitting(
    hits: Iterable[Hit], *, budget: int, besides: Sequence[Passage]
) -> tuple[list[Passage], list[Cut]]:
    """The best chunks that fit into a budget of characters, in the order given, and what did not.

    The first that does not fit is shortened to whole sentences, and the rest is left out. What
    `besides` shows already, and texts that were taken once, are passed over without a word.
    """
    taken: list[Passage] = []
    cuts: list[Cut] = []
    said: set[str] = set()
    left, is_full = budget, False
    for hit in hits:
        piece, words = of_hit(hit), " ".join(hit.text.split())
        if words in said or any(_holds(shown, piece) for shown in (*besides, *taken)):
            continue
        said.add(words)
        needed = _length(piece) - sum(_overlap(one, piece) for one in taken)
        if not is_full and needed <= left:
            taken.append(piece)
            left -= needed
            continue
        shortened = None if is_full else _shortened(piece, left)
        is_full = True
        if shortened is not None:
            taken.append(shortened)
        cuts.append(Cut(hit.item_id, hit.title, pinned=False, left_out=shortened is None))
    return taken, cuts


def to_read(pieces: Sequence[Passage]) -> set[tuple[ItemId, int]]:
    """The texts that `joined` needs to see whether only white space stands between two pieces."""
    wanted: set[tuple[ItemId, int]] = set()
    for group in _by_text(pieces):
        for before, after in itertools.pairwise(group):
            if 0 < after.start - before.end <= LONGEST_GAP:
                wanted.add((before.item_id, before.version))
    return wanted


def joined(pieces: Sequence[Passage], canonical: Canonical) -> list[Passage]:
    """Pieces of one text that stand side by side as one, in the order of the best of each."""
    order = {id(hit): at for at, piece in enumerate(pieces) for hit in piece.hits}
    whole: list[Passage] = []
    for group in _by_text(pieces):
        run = group[0]
        for after in group[1:]:
            gap = _between(run, after, canonical.get((run.item_id, run.version)))
            if gap is None:
                whole.append(run)
                run = after
            else:
                run = _with(run, after, gap, order)
        whole.append(run)
    return sorted(whole, key=lambda piece: order[id(piece.hits[0])])


def _by_text(pieces: Sequence[Passage]) -> list[list[Passage]]:
    groups: dict[tuple[WorkspaceId, ItemId, int], list[Passage]] = {}
    for piece in pieces:
        groups.setdefault((piece.workspace_id, piece.item_id, piece.version), []).append(piece)
    return [sorted(group, key=lambda piece: piece.start) for group in groups.values()]


def _between(before: Passage, after: Passage, text: str | None) -> str | None:
    """What stands between two pieces; None where they are not neighbours."""
    if before.sheet != after.sheet:
        return None
    if after.start <= before.end:
        return ""
    gap = text[before.end : after.start] if text is not None else None
    return gap if gap is not None and not gap.strip() and len(gap) <= LONGEST_GAP else None


def _with(before: Passage, after: Passage, gap: str, order: Mapping[int, int]) -> Passage:
    rest = after.text[max(before.end - after.start, 0) :]
    return replace(
        before,
        end=max(before.end, after.end),
        text=before.text + gap + rest,
        score=max(before.score or 0.0, after.score or 0.0),
        hits=tuple(sorted((*before.hits, *after.hits), key=lambda hit: order[id(hit)])),
    )


def _shortened(piece: Passage, left: int) -> Passage | None:
    room = left - len(piece.header)
    if room < SHORTEST_PIECE:
        return None
    end = whole_sentences(piece.text, room)
    if end == 0:
        return None
    return replace(piece, end=piece.start + end, text=piece.text[:end])


def _length(piece: Passage) -> int:
    return len(piece.text) + len(piece.header)


def _overlap(one: Passage, other: Passage) -> int:
    if _text_of(one) != _text_of(other):
        return 0
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def _holds(shown: Passage, piece: Passage) -> bool:
    return (
        _text_of(shown) == _text_of(piece) and shown.start <= piece.start and piece.end <= shown.end
    )


def _text_of(piece: Passage) -> tuple[WorkspaceId, ItemId, int]:
    return piece.workspace_id, piece.item_id, piece.version
