"""Which level comes before which, and the levels that are read for one of them (K3, K4, R9)."""

from dataclasses import replace

from svod.knowledge.retrieval.plan import RetrievalPlan
from svod.knowledge.retrieval.ports import ReadsPaths
from svod.knowledge.workspaces import Caller, LevelNotFound

_RANKS = {"domain": 2, "workspace": 3, "global": 4}


def specificity(level: str) -> int:
    """0 for a plus-address, then address, domain, workspace and, broadest, 4 for global."""
    kind, _, name = level.partition(":")
    if kind == "address":
        return 0 if "+" in name.partition("@")[0] else 1
    return _RANKS.get(kind, len(_RANKS) + 1)


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
