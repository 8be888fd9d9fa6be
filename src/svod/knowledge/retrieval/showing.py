"""From what was ranked to what is shown: opened, scored, put in the order of levels, cut."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache, lru_cache

from svod.knowledge.indexing.words import words
from svod.knowledge.retrieval.calibration import CollectionFit
from svod.knowledge.retrieval.fits import rescored
from svod.knowledge.retrieval.looking import Looked
from svod.knowledge.retrieval.opening import Corrections, Ranked, Read, corrections, open_hit
from svod.knowledge.retrieval.plan import Hit, RetrievalPlan
from svod.knowledge.retrieval.precedence import NEAR_TIE, arranged, is_above, share_a_path


def shown(
    looked: Looked, plan: RetrievalPlan, fits: Sequence[CollectionFit], *, now: datetime
) -> tuple[list[Hit], Corrections]:
    """The hits of a plan in their order, and what of its query was corrected for them.

    Opening and marking ten takes some milliseconds: use a thread. No more are opened than are
    shown, but where levels of one path meet: then also those that may come before them.
    """
    # A text is read for its words once, whatever they are needed for.
    read: Read = lru_cache(maxsize=None)(words)

    @cache
    def opened(at: int) -> Hit:
        return open_hit(kept[at], looked.query, now=now, read=read)

    # Where a collection has a curve of its own, only that can tell what reaches the threshold.
    kept = [found for found in looked.ranked if fits or found.score >= plan.min_score]
    on_one_path = share_a_path(found.level for found in kept)
    wanted = plan.limit
    while True:
        hits = [opened(at) for at in _contenders(kept, wanted, on_one_path=on_one_path)]
        if fits:
            hits = [
                hit
                for hit in rescored(fits, looked.query.text, hits)
                if hit.score >= plan.min_score
            ]
        if on_one_path:
            hits = arranged(hits, read=read)
        if len(hits) >= plan.limit or wanted >= len(kept):
            break
        wanted += plan.limit - len(hits)
    hits = hits[: plan.limit]
    return hits, corrections(hits, looked.query, read=read)


def _contenders(kept: Sequence[Ranked], wanted: int, *, on_one_path: bool) -> list[int]:
    """The first ones wanted, and further ones that a near tie may bring before them."""
    first = list(range(min(wanted, len(kept))))
    if not on_one_path or not first:
        return first
    levels = {kept[at].level for at in first}
    least = kept[first[-1]].score - NEAR_TIE
    return first + [
        at
        for at in range(len(first), len(kept))
        if kept[at].score >= least and any(is_above(level, kept[at].level) for level in levels)
    ]
