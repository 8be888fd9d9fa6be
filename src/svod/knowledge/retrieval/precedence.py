"""Which level comes before which: paths, near ties, and what says nearly the same (K3, K4, R9)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from svod.knowledge.indexing.words import words
from svod.knowledge.retrieval.plan import Hit, Overridden, RetrievalPlan
from svod.knowledge.retrieval.ports import ReadsPaths
from svod.knowledge.workspaces import Caller, LevelNotFound

NEAR_TIE = 0.05
"""Scores that differ by no more are as good as equal, so the level decides."""
NEARLY_EQUAL = 0.85
"""The share of words, numbers apart, that two texts have in common to say the same."""
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


def arranged(hits: Sequence[Hit]) -> list[Hit]:
    """Hits as their levels would have them.

    Of two that say nearly the same on one path, the broader one is left out and named in
    `overrides` of the other, which takes the better place; near ties go to the more specific level.
    Compares texts: some milliseconds for thirty, so for a thread.
    """
    return _ties_settled(_without_overridden(hits))


def _without_overridden(hits: Sequence[Hit]) -> list[Hit]:
    levels = {hit.level for hit in hits}
    said = {
        at: _said(hit)
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
            if not _nearly_equal(said[narrow], text):
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


def _said(hit: Hit) -> Counter[str]:
    """What a hit says, word by word, with the headings that say what it is about."""
    return Counter(word.term for text in (*hit.heading_path, hit.text) for word in words(text))


def _nearly_equal(one: Counter[str], other: Counter[str]) -> bool:
    """Whether two texts are the same but for a few words, and for any numbers: 14 days or 21."""
    if one == other:
        return True
    left, right = _without_numbers(one), _without_numbers(other)
    if min(len(left), len(right)) < _FEWEST_WORDS:
        return False
    return 2 * (left & right).total() >= NEARLY_EQUAL * (left.total() + right.total())


def _without_numbers(said: Counter[str]) -> Counter[str]:
    return Counter({term: times for term, times in said.items() if not _has_digit(term)})


def _has_digit(term: str) -> bool:
    return any(sign.isdigit() for sign in term)


def _base(address: str) -> str:
    """A plus-address without what stands after the plus; others as they are."""
    local, at, domain = address.partition("@")
    return f"{local.partition('+')[0]}{at}{domain}"
