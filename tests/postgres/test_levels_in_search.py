"""What is read for a level, which level comes first, and what may be out of date."""

from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from fakes.shelf import NOW, Shelf
from svod.foundation.clock import SystemClock
from svod.foundation.storage import Database
from svod.knowledge.retrieval import Contexts, Found, Retrieval, RetrievalPlan
from svod.knowledge.retrieval.plan import Stale
from svod.knowledge.retrieval.stored_texts import StoredTexts
from svod.knowledge.workspaces import Caller, LevelNotFound

PATH = (
    "address:support+eu@a.com",
    "address:support@a.com",
    "domain:a.com",
    "workspace",
    "global",
)
SAYS = {
    "ru": "Вернуть товар можно в течение {days} дней с чеком и в коробке.",
    "en": "Goods can be returned within {days} days with a receipt in their box.",
}
ASKED = {"ru": "сколько дней на возврат товара", "en": "how many days to return goods"}
BOTH = ("ru", "en")


@dataclass
class Paths:
    """The path of each level of the test; what was asked."""

    hidden: set[str] = field(default_factory=set)

    async def read_path(self, caller: Caller, level: str) -> tuple[str, ...]:
        assert caller.permissions
        if level not in PATH or level in self.hidden:
            raise LevelNotFound(level=level)
        return tuple(one for one in PATH[PATH.index(level) :] if one not in self.hidden)


@pytest.fixture
def paths() -> Paths:
    return Paths()


@pytest.fixture
def retrieval(database: Database, paths: Paths) -> Retrieval:
    return Retrieval(database, None, SystemClock(), paths)


@pytest.fixture
def shelf(database: Database) -> Shelf:
    return Shelf(database)


def said(found: Found) -> list[tuple[str, str]]:
    return [(hit.level, hit.text) for hit in found.hits]


@pytest.mark.spec("K3", "K4", "R9", "N-56")
@pytest.mark.parametrize("lang", BOTH)
@pytest.mark.parametrize("place", range(len(PATH)))
async def test_reading_for_a_level_finds_the_most_specific_that_says_it(
    database: Database, shelf: Shelf, retrieval: Retrieval, lang: str, place: int
) -> None:
    system = Shelf(database)
    for number, level in enumerate(PATH):
        where = system if level == "global" else shelf
        await where.add(SAYS[lang].format(days=number + 10), title=level, level=level)
    await shelf.add(SAYS[lang].format(days=99), level="domain:b.com")
    plan = RetrievalPlan(ASKED[lang], read_for=PATH[place])
    found = await retrieval.search(shelf.caller(system), plan)
    (hit,) = found.hits
    assert (hit.level, hit.text) == (PATH[place], SAYS[lang].format(days=place + 10))
    assert {one.level for one in hit.overrides} == set(PATH[place + 1 :])
    assert {one.title for one in hit.overrides} == set(PATH[place + 1 :])


@pytest.mark.spec("K3", "R9")
@pytest.mark.parametrize("lang", BOTH)
async def test_over_everything_each_path_has_its_own_word_and_siblings_stay(
    shelf: Shelf, retrieval: Retrieval, lang: str
) -> None:
    for days, level in ((10, "workspace"), (20, "domain:a.com"), (30, "domain:b.com")):
        await shelf.add(SAYS[lang].format(days=days), level=level)
    found = await retrieval.search(shelf.caller(), RetrievalPlan(ASKED[lang]))
    assert {hit.level for hit in found.hits} == {"domain:a.com", "domain:b.com"}
    assert "workspace" in {one.level for hit in found.hits for one in hit.overrides}


@pytest.mark.spec("R9", "X3")
@pytest.mark.parametrize("lang", BOTH)
async def test_what_may_not_be_seen_overrides_nothing_and_is_never_named(
    shelf: Shelf, retrieval: Retrieval, lang: str
) -> None:
    await shelf.add(SAYS[lang].format(days=10))
    await shelf.add(SAYS[lang].format(days=20), level="domain:a.com")
    await shelf.grant("domain:a.com", may_read=False)
    found = await retrieval.search(shelf.caller(), RetrievalPlan(ASKED[lang]))
    assert said(found) == [("workspace", SAYS[lang].format(days=10))]
    await shelf.grant("domain:a.com", may_read=True)
    await shelf.grant("workspace", may_read=False)
    found = await retrieval.search(shelf.caller(), RetrievalPlan(ASKED[lang]))
    assert said(found) == [("domain:a.com", SAYS[lang].format(days=20))]
    assert found.hits[0].overrides == ()


@pytest.mark.spec("R9", "N-49")
async def test_what_is_left_out_makes_room_for_the_next(shelf: Shelf, retrieval: Retrieval) -> None:
    for number in range(12):
        text = f"Товар «{chr(ord('а') + number) * 4}» можно вернуть в магазин на улице Садовой."
        await shelf.add(text)
        await shelf.add(text, level="domain:a.com")
    found = await retrieval.search(shelf.caller(), RetrievalPlan("вернуть товар", limit=10))
    assert len(found.hits) == 10
    assert {hit.level for hit in found.hits} == {"domain:a.com"}
    assert all(len(hit.overrides) == 1 for hit in found.hits)


@pytest.mark.spec("K3", "X3")
async def test_a_level_to_read_for_that_is_not_there_is_not_found(
    shelf: Shelf, retrieval: Retrieval, paths: Paths
) -> None:
    await shelf.add("A cat.")
    paths.hidden.add("domain:a.com")
    for level in ("domain:a.com", "domain:nobody.com"):
        with pytest.raises(LevelNotFound):
            await retrieval.search(shelf.caller(), RetrievalPlan("cat", read_for=level))


@pytest.mark.spec("K3")
async def test_levels_narrow_what_is_read_for_a_level(shelf: Shelf, retrieval: Retrieval) -> None:
    await shelf.add("A cat of the workspace.")
    await shelf.add("Another cat lives here.", level="domain:a.com")
    await shelf.add("A cat elsewhere.", level="domain:b.com")
    levels = ("workspace", "domain:b.com")
    plan = RetrievalPlan("cat", read_for="domain:a.com", levels=levels)
    assert said(await retrieval.search(shelf.caller(), plan)) == [
        ("workspace", "A cat of the workspace.")
    ]


@pytest.mark.spec("K3")
async def test_a_level_may_be_named_in_any_case(shelf: Shelf, retrieval: Retrieval) -> None:
    await shelf.add("A cat.", level="domain:a.com")
    await shelf.add("A cat of the workspace.")
    found = await retrieval.search(shelf.caller(), RetrievalPlan("cat", levels=("domain:A.com",)))
    assert said(found) == [("domain:a.com", "A cat.")]


@pytest.mark.spec("K3", "R10")
@pytest.mark.parametrize("lang", BOTH)
async def test_a_context_reads_along_the_path_pinned_notes_too(
    database: Database, shelf: Shelf, retrieval: Retrieval, paths: Paths, lang: str
) -> None:
    for level in ("workspace", "domain:a.com", "domain:b.com"):
        await shelf.add(f"{SAYS[lang].format(days=3)} {level}", level=level, pinned=True)
    texts = StoredTexts(database, SystemClock())
    contexts = Contexts(retrieval, texts, paths)
    plan = RetrievalPlan(ASKED[lang], read_for="domain:a.com")
    context = await contexts.build_context(shelf.caller(), plan)
    assert [note.level for note in context.pinned] == ["domain:a.com", "workspace"]
    assert "b.com" not in context.text


@pytest.mark.spec("R19c")
@pytest.mark.parametrize(
    ("version", "status", "stale"),
    [
        (1, "ready", None),
        (1, "processing", None),
        (1, "failed", Stale.REFRESH_FAILED),
        (2, "queued", Stale.NEWER_WAITS),
        (2, "processing", Stale.NEWER_WAITS),
        (2, "failed", Stale.NEWER_FAILED),
    ],
)
async def test_a_hit_says_why_it_may_be_out_of_date(
    database: Database, shelf: Shelf, version: int, status: str, stale: Stale | None
) -> None:
    await shelf.add("A cat sleeps.", pinned=True)
    await shelf.run(
        "update item set version = %(version)s, status = %(status)s"
        " where workspace_id = %(workspace_id)s",
        version=version,
        status=status,
    )
    retrieval = Retrieval(database, None, Later())
    (hit,) = (await retrieval.search(shelf.caller(), RetrievalPlan("cat"))).hits
    assert (hit.stale, hit.age_days, hit.version) == (stale, 40, 1)
    contexts = Contexts(retrieval, StoredTexts(database, Later()))
    (note,) = (await contexts.build_context(shelf.caller(), RetrievalPlan("dog"))).pinned
    assert (note.stale, note.age_days) == (stale, 40)


class Later(SystemClock):
    """Forty days and a bit after everything was added."""

    def now(self):
        return NOW + timedelta(days=40, hours=5)
