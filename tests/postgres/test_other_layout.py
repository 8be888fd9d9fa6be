"""Queries typed in the other keyboard layout: whole, in some words, in phrases, beside codes."""

import pytest

from fakes.planted import PlantedEmbedder, direction
from fakes.shelf import Shelf
from svod.foundation.clock import SystemClock
from svod.foundation.storage import Database
from svod.knowledge.retrieval import Retrieval, RetrievalPlan
from svod.knowledge.retrieval.plan import Corrected

TEXTS = {
    "ru": "Ошибка E21 на дисплее: обратитесь в сервисный центр.",
    "en": "Error E21 on the display: contact the service centre.",
}


@pytest.fixture
def shelf(database: Database) -> Shelf:
    return Shelf(database)


@pytest.fixture
def retrieval(database: Database) -> Retrieval:
    return Retrieval(database, None, SystemClock())


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("lang", "typed", "meant"),
    [
        ("ru", "jib,rf", "ошибка"),
        ("ru", "cthdbcysq wtynh", "сервисный центр"),
        ("ru", "E21 jib,rf", "E21 ошибка"),
        ("ru", "jib,rf E21 yf lbcgktt", "ошибка E21 на дисплее"),
        ("ru", "ошибка lbcgktq", "ошибка дисплей"),
        ("ru", '"cthdbcysq wtynh"', '"сервисный центр"'),
        ("ru", 'ошибка "cthdbcysq wtynh"', 'ошибка "сервисный центр"'),
        ("en", "шккщк", None),
        ("en", "уккщк", "error"),
        ("en", "ыукмшсу сутеку", "service centre"),
        ("en", "E21 вшыздфн", "E21 display"),
        ("en", "error вшыздфн", "error display"),
        ("en", '"ыукмшсу сутеку"', '"service centre"'),
    ],
)
async def test_what_was_meant_is_found_and_the_query_told_as_it_was_understood(
    shelf: Shelf, retrieval: Retrieval, lang: str, typed: str, meant: str | None
) -> None:
    await shelf.add(TEXTS[lang])
    await shelf.add("Something else entirely.", "И ещё что-то совсем другое.")
    found = await retrieval.search(shelf.caller(), RetrievalPlan(typed))
    if meant is None:
        assert (found.hits, found.notes, found.query) == ((), (), typed)
        return
    assert [hit.text for hit in found.hits] == [TEXTS[lang]]
    assert (found.notes, found.query) == (("other_layout",), meant)
    clean = await retrieval.search(shelf.caller(), RetrievalPlan(meant))
    assert (found.hits, clean.notes) == (clean.hits, ())


@pytest.mark.spec("R2")
async def test_a_typo_in_the_other_layout_is_undone_too(shelf: Shelf, retrieval: Retrieval) -> None:
    await shelf.add(TEXTS["ru"])
    found = await retrieval.search(shelf.caller(), RetrievalPlan("cthdbcysq wtyhn jib,rf"))
    assert [hit.text for hit in found.hits] == [TEXTS["ru"]]
    assert found.corrected == (Corrected("ценрт", "центр"),)
    assert found.notes == ("other_layout", "typo")
    assert found.query == "сервисный центр ошибка"


@pytest.mark.spec("R2")
@pytest.mark.parametrize("query", ["E21", "вася@почта", "кот и cat", "cjn"])
async def test_codes_short_words_and_words_of_both_scripts_stay_as_they_are(
    shelf: Shelf, retrieval: Retrieval, query: str
) -> None:
    await shelf.add("У21 сфе", "R21 cjn b rjn")
    found = await retrieval.search(shelf.caller(), RetrievalPlan(query))
    assert "other_layout" not in found.notes


@pytest.mark.spec("R2", "X3")
async def test_words_that_may_not_be_seen_are_no_reason_to_read_another_layout(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    await shelf.add("Ошибка есть.")
    await shelf.add("дисплей", level="domain:secret.com")
    await shelf.grant("domain:secret.com", may_read=False)
    found = await retrieval.search(shelf.caller(), RetrievalPlan("ошибка lbcgktq"))
    assert (found.notes, found.query) == ((), "ошибка lbcgktq")


@pytest.mark.spec("R2")
async def test_the_meaning_is_that_of_what_was_meant(database: Database) -> None:
    embedder = PlantedEmbedder(ошибка=direction(1), дисплей=direction(0, 1))
    shelf = Shelf(database, embedder)
    await shelf.add("ошибка есть", "дисплей погас")
    retrieval = Retrieval(database, embedder, SystemClock())
    await retrieval.search(shelf.caller(), RetrievalPlan("ошибка lbcgktq"))
    assert embedder.asked == ["ошибка lbcgktq", "ошибка дисплей"]
