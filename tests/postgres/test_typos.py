"""A word with a typo still finds, says what was looked for, and tells nothing that is hidden."""

import random

import pytest

from fakes.planted import PlantedEmbedder, direction
from fakes.shelf import Shelf
from svod.foundation.clock import SystemClock
from svod.foundation.storage import Database
from svod.knowledge.retrieval import Found, Mode, Retrieval, RetrievalPlan
from svod.knowledge.retrieval.plan import Corrected

TEXTS = {
    "ru": ("Залог за самокат вносится картой.", "Ключи от мастерской лежат на вахте."),
    "en": ("The deposit for a scooter is paid by card.", "Keys of the workshop are at the desk."),
}
TYPED = {
    # A letter put in, left out, replaced, and two swapped.
    "ru": ("самоккат", "самоат", "самолат", "самкоат"),
    "en": ("scoooter", "scoter", "scouter", "socoter"),
}
BOTH = ("ru", "en")


@pytest.fixture
def shelf(database: Database) -> Shelf:
    return Shelf(database)


@pytest.fixture
def retrieval(database: Database) -> Retrieval:
    return Retrieval(database, None, SystemClock())


def texts(found: Found) -> list[str]:
    return [hit.text for hit in found.hits]


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("lang", "typed"),
    [(lang, typed) for lang, forms in TYPED.items() for typed in forms],
)
async def test_one_typo_still_finds_and_says_what_was_looked_for(
    shelf: Shelf, retrieval: Retrieval, lang: str, typed: str
) -> None:
    text, other = TEXTS[lang]
    await shelf.add(text)
    await shelf.add(other)
    found = await retrieval.search(shelf.caller(), RetrievalPlan(typed))
    used = {"ru": "самокат", "en": "scooter"}[lang]
    assert texts(found) == [text]
    assert found.corrected == (Corrected(typed, used),)
    assert found.notes == ("typo",)
    assert found.query == used
    (hit,) = found.hits
    assert hit.matched.words == (used,)
    assert [text[start:end] for start, end in hit.matched.spans] == [used]
    clean = await retrieval.search(shelf.caller(), RetrievalPlan(used))
    assert hit.words == pytest.approx(0.8 * clean.hits[0].words)


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("holds", "typed"),
    [
        ("Возврат оформляют за три дня.", "возвртом"),
        ("Мы отправляем заказы по вторникам.", "отпралвен"),
        ("The companies agreed on prices.", "compnay"),
        ("Universities are closed.", "univresity"),
    ],
)
async def test_a_typo_is_undone_also_where_the_texts_have_other_forms(
    shelf: Shelf, retrieval: Retrieval, holds: str, typed: str
) -> None:
    await shelf.add(holds)
    found = await retrieval.search(shelf.caller(), RetrievalPlan(typed))
    assert texts(found) == [holds]
    assert found.corrected[0].typed == typed
    assert found.corrected[0].used in holds


@pytest.mark.spec("R2")
@pytest.mark.parametrize("lang", BOTH)
async def test_a_word_that_is_known_is_never_corrected(
    shelf: Shelf, retrieval: Retrieval, lang: str
) -> None:
    text, _ = TEXTS[lang]
    typed = TYPED[lang][2]
    await shelf.add(text)
    await shelf.add(f"{typed} 1")
    found = await retrieval.search(shelf.caller(), RetrievalPlan(typed))
    assert texts(found) == [f"{typed} 1"]
    assert (found.corrected, found.notes) == ((), ())


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("query", "exact", "corrected"),
    [
        ("мастерская самкоат", "Мастерская открыта.", "Самокат сломан."),
        ("workshop scotoer", "The workshop is open.", "A scooter is broken."),
    ],
)
async def test_exact_words_come_before_corrected_ones_that_are_as_rare(
    shelf: Shelf, retrieval: Retrieval, query: str, exact: str, corrected: str
) -> None:
    await shelf.add(corrected)
    await shelf.add(exact)
    found = await retrieval.search(shelf.caller(), RetrievalPlan(query))
    assert texts(found) == [exact, corrected]


@pytest.mark.spec("R2", "N-35")
@pytest.mark.parametrize(
    "query", ["PPR-9087", "ERR-4042", "3.11.3", "getUserByIds", "src/app/mine.py", "1501", "E22"]
)
async def test_numbers_codes_versions_paths_and_identifiers_are_never_fuzzed(
    shelf: Shelf, retrieval: Retrieval, query: str
) -> None:
    await shelf.add("PPR-9078 ERR-4041 3.11.2 getUserById src/app/main.py 1500 E21")
    found = await retrieval.search(shelf.caller(), RetrievalPlan(query))
    assert found.corrected == ()


@pytest.mark.spec("R2")
async def test_what_is_quoted_must_stand_as_it_is_typed(shelf: Shelf, retrieval: Retrieval) -> None:
    await shelf.add(TEXTS["ru"][0])
    found = await retrieval.search(shelf.caller(), RetrievalPlan("«залог за самкоат»"))
    assert (found.hits, found.corrected) == ((), ())


@pytest.mark.spec("R2", "X3")
@pytest.mark.parametrize("lang", BOTH)
async def test_a_word_of_a_level_that_may_not_be_read_corrects_nothing(
    database: Database, retrieval: Retrieval, lang: str
) -> None:
    text, other = TEXTS[lang]
    typed = TYPED[lang][0]

    async def found(*, with_secret: bool) -> Found:
        shelf = Shelf(database)
        await shelf.add(other)
        if with_secret:
            await shelf.add(text, level="domain:secret.com")
            await shelf.grant("domain:secret.com", may_read=False)
        return await retrieval.search(shelf.caller(), RetrievalPlan(typed))

    assert await found(with_secret=True) == await found(with_secret=False)


@pytest.mark.spec("R2", "X3", "K8")
@pytest.mark.parametrize(
    "where",
    [{"levels": ("workspace",)}, {"namespaces": ("",)}, {"kinds": ("note",)}, {}],
    ids=["level", "namespace", "kind", "tool"],
)
async def test_a_word_outside_of_the_filter_corrects_nothing(
    shelf: Shelf, retrieval: Retrieval, where: dict[str, tuple[str, ...]]
) -> None:
    text, other = TEXTS["ru"]
    await shelf.add(other)
    elsewhere = {
        "levels": {"level": "domain:a.com"},
        "namespaces": {"namespace": "faq"},
        "kinds": {"kind": "file"},
    }
    hidden = next((elsewhere[name] for name in where), {"namespace": "hidden"})
    await shelf.add(text, **hidden)
    await shelf.run(
        "update namespace set access_mode = 'TOOL_ONLY'"
        " where workspace_id = %(workspace_id)s and clean_namespace = 'hidden'"
    )
    plan = RetrievalPlan("самкоат", **where)  # pyright: ignore[reportArgumentType]
    found = await retrieval.search(shelf.caller(), plan)
    assert (found.hits, found.corrected, found.notes) == ((), (), ())


@pytest.mark.spec("R2", "K19", "X16")
@pytest.mark.parametrize("lang", BOTH)
async def test_a_word_of_a_deleted_item_corrects_nothing_and_leaves_no_hash(
    shelf: Shelf, retrieval: Retrieval, lang: str
) -> None:
    text, other = TEXTS[lang]
    item_id = await shelf.add(text)
    await shelf.add(other)
    plan = RetrievalPlan(TYPED[lang][1])
    assert (await retrieval.search(shelf.caller(), plan)).corrected
    await shelf.remove([item_id])
    found = await retrieval.search(shelf.caller(), plan)
    assert (found.hits, found.corrected) == ((), ())


@pytest.mark.spec("R2")
async def test_meaning_alone_corrects_no_words(database: Database) -> None:
    embedder = PlantedEmbedder(самокат=direction(1))
    shelf = Shelf(database, embedder)
    await shelf.add(TEXTS["ru"][0])
    retrieval = Retrieval(database, embedder, SystemClock())
    found = await retrieval.search(shelf.caller(), RetrievalPlan("самкоат", mode=Mode.MEANING))
    assert found.corrected == ()
    both = await retrieval.search(shelf.caller(), RetrievalPlan("самкоат"))
    assert both.corrected
    # The vector is that of what was typed, and is asked for once.
    assert embedder.asked == ["самкоат", "самкоат"]


@pytest.mark.spec("R2", "N-49")
async def test_a_corrected_query_keeps_its_limit_and_its_threshold(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    chance = random.Random(3)  # noqa: S311 - a seeded corpus
    for number in range(40):
        await shelf.add(f"Самокат номер {number} " + "и ещё один самокат " * chance.randrange(4))
    caller = shelf.caller()
    every = await retrieval.search(caller, RetrievalPlan("самкоат", limit=50))
    assert len(every.hits) == 40
    for limit in (1, 10, 31):
        for least in (0.0, every.hits[20].score, every.hits[0].score, 1.0):
            plan = RetrievalPlan("самкоат", limit=limit, min_score=least)
            found = await retrieval.search(caller, plan)
            wanted = [hit.score for hit in every.hits if hit.score >= least][:limit]
            assert [hit.score for hit in found.hits] == wanted
