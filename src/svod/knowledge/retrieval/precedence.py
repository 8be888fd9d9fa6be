"""Which level comes before which: paths, near ties, and what says nearly the same (K3, K4, R9)."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from svod.knowledge.indexing.words import Word, words
from svod.knowledge.retrieval.plan import Hit, Overridden, RetrievalPlan
from svod.knowledge.retrieval.ports import ReadsPaths
from svod.knowledge.workspaces import Caller, LevelNotFound
from svod.knowledge.workspaces.names import is_platform

NEAR_TIE = 0.05
"""Scores that differ by no more are as good as equal, so the level decides."""
COVERED = 0.95
"""The share of a broader text's words, numbers apart, that a text must have to stand for it."""
NEARLY_EQUAL = 0.75
"""The share of both texts' words that they have in common to be about the same."""
_FEWEST_WORDS = 3

_RANKS = {"domain": 2, "workspace": 3, "global": 4}


def specificity(level: str) -> int:
    """0 for a plus-address, then address, domain, workspace and, broadest, 4 for global."""
    kind, _, name = level.partition(":")
    if kind == "address":
        return 0 if _base(name) != name else 1
    return _RANKS.get(kind, len(_RANKS) + 1)


def is_above(broad: str, narrow: str) -> bool:
    """Whether a level is read after another on the path of that other."""
    if broad in {"workspace", "global"}:
        return specificity(narrow) < specificity(broad)
    kind, _, name = narrow.partition(":")
    if kind != "address":
        return False
    base = _base(name)
    return broad == f"domain:{name.rpartition('@')[2]}" or (
        broad == f"address:{base}" and base != name
    )


async def along_path(
    paths: ReadsPaths | None, caller: Caller, plan: RetrievalPlan
) -> RetrievalPlan:
    """The plan with the levels that are read for `read_for`, within `levels` where both are given.

    Raises:
        LevelNotFound: there is no such level, or the caller may not see it.
    """
    if plan.read_for is None:
        return plan
    if paths is None:
        raise LevelNotFound(level=plan.read_for)
    path = await paths.read_path(caller, plan.read_for)
    within = path if plan.levels is None else [level for level in path if level in plan.levels]
    return replace(plan, levels=tuple(within), read_for=None)


def share_a_path(levels: Iterable[str]) -> bool:
    """Whether some two of the levels lie on one path, so that one comes before the other."""
    distinct = set(levels)
    return any(is_above(broad, narrow) for broad in distinct for narrow in distinct)


def arranged(hits: Sequence[Hit], *, read: Callable[[str], Sequence[Word]] = words) -> list[Hit]:
    """Hits as their levels would have them.

    Of two that say nearly the same on one path, the broader one is left out and named in
    `overrides` of the other, which takes the better place; near ties go to the more specific level.
    Compares texts: some milliseconds for thirty, so for a thread. `read` gives the words of one.
    """
    return _ties_settled(_without_overridden(hits, read))


def _without_overridden(hits: Sequence[Hit], read: Callable[[str], Sequence[Word]]) -> list[Hit]:
    levels = {hit.level for hit in hits}
    said = {
        at: _said(hit, read)
        for at, hit in enumerate(hits)
        if any(is_above(hit.level, other) or is_above(other, hit.level) for other in levels)
    }
    by_specificity = sorted(said, key=lambda at: (specificity(hits[at].level), at))
    left_out: set[int] = set()
    places = list(range(len(hits)))
    overrides: dict[int, list[Overridden]] = {}
    for narrow in by_specificity:
        if narrow in left_out:
            continue
        for broad, text in said.items():
            if broad in left_out or not is_above(hits[broad].level, hits[narrow].level):
                continue
            if not _stands_for(said[narrow], text):
                continue
            gone = hits[broad]
            left_out.add(broad)
            # It stands where the better placed of the two stood.
            places[narrow] = min(places[narrow], places[broad])
            overrides.setdefault(narrow, []).append(
                Overridden(gone.item_id, gone.title, gone.level)
            )
    kept = sorted((at for at in range(len(hits)) if at not in left_out), key=lambda at: places[at])
    return [
        replace(hits[at], overrides=tuple(dict.fromkeys(overrides[at])))
        if at in overrides
        else hits[at]
        for at in kept
    ]


def _ties_settled(hits: Sequence[Hit]) -> list[Hit]:
    settled: list[Hit] = []
    for hit in hits:
        place = next(
            (
                at
                for at, before in enumerate(settled)
                if before.score - hit.score <= NEAR_TIE and is_above(before.level, hit.level)
            ),
            len(settled),
        )
        settled.insert(place, hit)
    return settled


def _said(hit: Hit, read: Callable[[str], Sequence[Word]]) -> Counter[str]:
    """What a hit says, word by word, with the headings that say what it is about."""
    return Counter(word.term for text in (*hit.heading_path, hit.text) for word in read(text))


def _stands_for(narrow: Counter[str], broad: Counter[str]) -> bool:
    """Whether a text says what a broader one does, nearly in its words, with any numbers.

    It may say somewhat more. A word of the broader one that it lacks, such as the name of another
    town, more likely makes another question than another answer.
    """
    if narrow == broad:
        return True
    own, gone = _without_numbers(narrow), _without_numbers(broad)
    if min(len(own), len(gone)) < _FEWEST_WORDS:
        return False
    both = (own & gone).total()
    return both >= COVERED * gone.total() and 2 * both >= NEARLY_EQUAL * (
        own.total() + gone.total()
    )


def _without_numbers(said: Counter[str]) -> Counter[str]:
    return Counter({term: times for term, times in said.items() if not _has_digit(term)})


def _has_digit(term: str) -> bool:
    return any(sign.isdigit() for sign in term)


def _base(address: str) -> str:
    """A plus-address without what stands after the plus; others, also on platforms, as they are."""
    local, _, domain = address.rpartition("@")
    before, plus, _ = local.partition("+")
    return f"{before}@{domain}" if plus and before and not is_platform(domain) else address
