"""The chosen units as the text of an answer, each followed by the numbers of its citations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from svod.conversation.answering.answer import Citation
from svod.conversation.answering.candidates import Candidate
from svod.conversation.answering.citing import Numbering, Quoted
from svod.conversation.answering.evidence import Place, source_of
from svod.conversation.answering.headers import HitKey, key_of
from svod.conversation.answering.support import lacks
from svod.conversation.answering.units import UnitKind

WORTH_SAYING = 0.6
"""A further sentence must reach this share of the best one's score."""
SAME_TERMS = 0.8
"""Of two sentences that share this much of their words, one is said."""


@dataclass(frozen=True, slots=True)
class Written:
    """The text in its pieces, with markers, its citations, and how many sentences were left out."""

    pieces: tuple[str, ...]
    citations: tuple[Citation, ...]
    removed: int

    @property
    def text(self) -> str:
        """The whole text; empty where nothing can be said."""
        return "".join(self.pieces)


def choose(best_first: Sequence[Candidate], *, most: int) -> list[Candidate]:
    """The units to say, best first: the best one, and those that come near it and add something."""
    chosen: list[Candidate] = []
    for one in best_first:
        if len(chosen) >= most or (chosen and one.score < WORTH_SAYING * chosen[0].score):
            break
        if not any(_same(one, other) or _less_of(one, other) for other in chosen):
            chosen.append(one)
    return chosen


def write(chosen: Sequence[Candidate], headers: Mapping[HitKey, Place]) -> Written:
    """The answer of the chosen units; what its places do not support is left out.

    Sources stand in the order of their best unit, units of one source in reading order.
    """
    numbering = Numbering()
    pieces: list[str] = []
    before: Candidate | None = None
    removed = 0
    for one in _in_reading_order(chosen):
        said, places = _said(one, headers)
        if lacks(said, [quoted for _, quoted in places]):
            removed += 1
            continue
        marks = numbering.marks((one.hit, place) for place in places)
        pieces.append(_between(before, one) + _shown(one.unit.kind, said, marks))
        before = one
    return Written(tuple(pieces), numbering.citations, removed)


def _in_reading_order(chosen: Sequence[Candidate]) -> list[Candidate]:
    sources = list(dict.fromkeys(source_of(one.hit) for one in chosen))
    return sorted(
        chosen,
        key=lambda one: (sources.index(source_of(one.hit)), one.hit.start + one.unit.spans[-1][0]),
    )


def _said(one: Candidate, headers: Mapping[HitKey, Place]) -> tuple[str, list[Quoted]]:
    """What is said of a unit, and the places it rests on with their texts."""
    hit, unit = one.hit, one.unit
    places: list[Quoted] = [
        ((hit.start + start, hit.start + end), hit.text[start:end]) for start, end in unit.spans
    ]
    if not unit.header:
        return unit.text, places
    header = headers.get(key_of(hit))
    return (unit.text, [(header, unit.header), *places]) if header else (unit.bare, places)


def _between(before: Candidate | None, one: Candidate) -> str:
    if before is None:
        return ""
    prose = before.unit.kind is one.unit.kind is UnitKind.SENTENCE
    return " " if prose and source_of(before.hit) == source_of(one.hit) else "\n"


def _shown(kind: UnitKind, said: str, marks: str) -> str:
    if kind is not UnitKind.CODE:
        return f"{said} {marks}"
    # Announced code brings its fence along, after the sentence that announces it.
    fenced = said if said.endswith("\n```") else f"```\n{said}\n```"
    return f"{fenced}\n{marks}"


def _less_of(one: Candidate, other: Candidate) -> bool:
    """Whether a row or list line has only some of the question's words that another one has.

    Every row of a table has those of its header; the row that is asked for has more.
    """
    listed = {one.unit.kind, other.unit.kind} <= {UnitKind.ROW, UnitKind.ITEM}
    return listed and one.asked < other.asked


def _same(one: Candidate, other: Candidate) -> bool:
    """Whether two units say the same, or one lies within the other."""
    if source_of(one.hit) == source_of(other.hit):
        first, second = (
            (unit.hit.start + unit.unit.spans[-1][0], unit.hit.start + unit.unit.spans[-1][1])
            for unit in (one, other)
        )
        if first[0] < second[1] and second[0] < first[1]:
            return True
    both = len(one.terms & other.terms)
    return bool(both) and both >= SAME_TERMS * len(one.terms | other.terms)
