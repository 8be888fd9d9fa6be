"""Whatever is asked for, no more hits come than asked, none below the least score, none outside."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.planted import PlantedEmbedder, direction
from fakes.shelf import Shelf
from svod.foundation.clock import SystemClock
from svod.foundation.storage import Database
from svod.knowledge.retrieval import Found, Layer, Mode, Retrieval, RetrievalPlan

LEVELS = ("workspace", "domain:a.com", "address:x@a.com", "domain:b.com")
QUERIES = ("cat", "котт", "cat sleeps", '"cat sleeps"', "кошка спит", "сфе", "зебра", "ошейникк")
SCORES = (0.0, 0.1, 0.25, 0.45, 0.5, 0.75, 0.9, 1.0)


@pytest.fixture
def embedder() -> PlantedEmbedder:
    return PlantedEmbedder(cat=direction(1), кошк=direction(1, 0.1), dog=direction(0, 1))


async def filled(database: Database, embedder: PlantedEmbedder) -> Shelf:
    shelf = Shelf(database, embedder)
    for at, level in enumerate(LEVELS):
        for kind, layer in (("note", Layer.K_DOCUMENT), ("file", Layer.K_WEB)):
            for namespace in ("", "faq"):
                await shelf.add(
                    f"cat sleeps {at}",
                    f"Кошка спит дома, номер {at}, в ошейнике.",
                    f"The dog and the cat of {level} {kind} {namespace} run.",
                    level=level,
                    kind=kind,
                    layer=layer,
                    namespace=namespace,
                    with_vectors=at != 1,
                )
    return shelf


plans = st.builds(
    RetrievalPlan,
    query=st.sampled_from(QUERIES),
    limit=st.integers(1, 50),
    mode=st.sampled_from(Mode),
    layers=st.sampled_from(
        [(Layer.K_DOCUMENT,), (Layer.K_WEB,), (Layer.K_QA,), (Layer.K_DOCUMENT, Layer.K_WEB)]
    ),
    levels=st.none() | st.lists(st.sampled_from(LEVELS), unique=True).map(tuple),
    namespaces=st.none() | st.lists(st.sampled_from(["", "faq", "none"]), unique=True).map(tuple),
    kinds=st.none() | st.lists(st.sampled_from(["note", "file", "qa"]), unique=True).map(tuple),
    min_score=st.sampled_from(SCORES),
)


@pytest.mark.spec("N-49", "N-50", "R1")
async def test_every_hit_is_within_the_filter_the_limit_and_the_threshold(
    database: Database, embedder: PlantedEmbedder
) -> None:
    shelf = await filled(database, embedder)
    retrieval, caller = Retrieval(database, embedder, SystemClock()), shelf.caller()
    tried: list[RetrievalPlan] = []

    @settings(
        max_examples=120, deadline=None, database=None, derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(plan=plans)
    def collect(plan: RetrievalPlan) -> None:
        tried.append(plan)

    collect()
    shown = 0
    for plan in tried:
        found = await retrieval.search(caller, plan)
        shown += len(found.hits)
        _within(found, plan)
        # The threshold takes away what is below it, and nothing else.
        if plan.levels is not None and len(plan.levels) == 1:
            every = await retrieval.search(caller, replace(plan, min_score=0.0, limit=50))
            wanted = [hit.text for hit in every.hits if hit.score >= plan.min_score]
            assert [hit.text for hit in found.hits] == wanted[: plan.limit]
    assert shown > 300


def _within(found: Found, plan: RetrievalPlan) -> None:
    assert len(found.hits) <= plan.limit
    for hit in found.hits:
        assert hit.score >= plan.min_score
        assert hit.layer in plan.layers
        assert plan.levels is None or hit.level in plan.levels
        assert plan.namespaces is None or hit.namespace in plan.namespaces
        assert plan.kinds is None or hit.kind in plan.kinds
        assert all(plan.levels is None or gone.level in plan.levels for gone in hit.overrides)


@pytest.mark.spec("N-50", "R4")
@pytest.mark.parametrize("mode", Mode)
async def test_a_threshold_is_exact_at_0_at_1_and_at_each_score(
    database: Database, embedder: PlantedEmbedder, mode: Mode
) -> None:
    shelf = Shelf(database, embedder)
    for words in ("cat", "cat sleeps", "cat sleeps well", "a dog sleeps"):
        await shelf.add(words)
    retrieval, caller = Retrieval(database, embedder, SystemClock()), shelf.caller()

    async def scores(least: float) -> list[float]:
        plan = RetrievalPlan("cat sleeps", mode=mode, min_score=least)
        return [hit.score for hit in (await retrieval.search(caller, plan)).hits]

    every = await scores(0.0)
    assert len(every) >= 3
    near = [score + step for score in every for step in (-1e-6, 0.0, 1e-6)]
    for least in (0.45, 1.0, *near):
        if 0 <= least <= 1:
            assert await scores(least) == [score for score in every if score >= least]


@pytest.mark.spec("N-49")
@pytest.mark.parametrize("limit", [1, 30, 31, 50])
@pytest.mark.parametrize("mode", Mode)
async def test_a_limit_above_thirty_is_filled(
    database: Database, embedder: PlantedEmbedder, mode: Mode, limit: int
) -> None:
    shelf = Shelf(database, embedder)
    await shelf.add(*(f"cat number {number}" for number in range(60)))
    retrieval = Retrieval(database, embedder, SystemClock())
    found = await retrieval.search(shelf.caller(), RetrievalPlan("cat", mode=mode, limit=limit))
    assert len(found.hits) == limit
