"""Citations numbered as they appear; each place has one number."""

from collections.abc import Iterable

from svod.conversation.answering.answer import Citation
from svod.conversation.answering.evidence import Piece, Place, Source, source_of

Quoted = tuple[Place, str]
"""A place and what stands there."""


class Numbering:
    """The citations of one answer, as they come."""

    def __init__(self) -> None:
        self._numbered: dict[tuple[Source, Place], Citation] = {}

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Those given so far, by number."""
        return tuple(self._numbered.values())

    def marks(self, rests: Iterable[tuple[Piece, Quoted]]) -> str:
        """The markers of a sentence that rests on these places: `[1][2]`."""
        return "".join(f"[{self._number(piece, quoted)}]" for piece, quoted in rests)

    def _number(self, piece: Piece, quoted: Quoted) -> int:
        place, text = quoted
        key = (source_of(piece), place)
        if key not in self._numbered:
            self._numbered[key] = _citation(len(self._numbered) + 1, piece, place, text)
        return self._numbered[key].n


def _citation(n: int, piece: Piece, place: Place, quoted: str) -> Citation:
    return Citation(
        n=n,
        item_id=piece.item_id,
        external_id=piece.external_id,
        title=piece.title,
        version=piece.version,
        start=place[0],
        end=place[1],
        text=quoted,
        heading_path=piece.heading_path,
        page=piece.page,
        sheet=piece.sheet,
        level=piece.level,
        updated_at=piece.updated_at,
        age_days=piece.age_days,
        stale=piece.stale,
    )
