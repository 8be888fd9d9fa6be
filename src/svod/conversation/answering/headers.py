"""Where the header of a table stands when a chunk holds only its later rows."""

from collections.abc import Sequence

from svod.conversation.answering.candidates import Candidate
from svod.conversation.answering.evidence import Place, Source, source_of
from svod.conversation.answering.ports import ReadsText
from svod.foundation.errors import SvodError
from svod.knowledge.retrieval import Hit
from svod.knowledge.workspaces.caller import Caller

HitKey = tuple[Source, int]
"""A source and where the hit starts in it."""


class HeaderPlaces:
    """Finds headers, in the other hits or in the item's text."""

    def __init__(self, texts: ReadsText | None) -> None:
        self._texts = texts

    async def find(
        self, caller: Caller, chosen: Sequence[Candidate], hits: Sequence[Hit]
    ) -> dict[HitKey, Place]:
        """The place of the header of each chosen row that needs one; absent where it is unknown."""
        places: dict[HitKey, Place] = {}
        for one in chosen:
            key = key_of(one.hit)
            if not one.unit.header or key in places:
                continue
            place = _among(one, hits) or await self._in_text(caller, one)
            if place:
                places[key] = place
        return places

    async def _in_text(self, caller: Caller, row: Candidate) -> Place | None:
        if self._texts is None:
            return None
        hit = row.hit
        try:
            whole = await self._texts.text(caller, hit.item_id, hit.version)
        except SvodError:
            # Gone or not readable meanwhile: the row is said without its header.
            return None
        return _last_before(whole.text, row.unit.header, hit.start)


def key_of(hit: Hit) -> HitKey:
    """Under which key the header of a hit's rows is found."""
    return (source_of(hit), hit.start)


def _among(row: Candidate, hits: Sequence[Hit]) -> Place | None:
    hit = row.hit
    for other in hits:
        same = source_of(other) == source_of(hit) and other.start < hit.start
        place = _last_before(other.text, row.unit.header, hit.start - other.start) if same else None
        if place and not other.header:
            return other.start + place[0], other.start + place[1]
    return None


def _last_before(text: str, header: str, end: int) -> Place | None:
    """The last line before `end` that is the header."""
    at = text.rfind(header, 0, end)
    while at > 0 and text[at - 1] != "\n":
        at = text.rfind(header, 0, at)
    return (at, at + len(header)) if at >= 0 else None
