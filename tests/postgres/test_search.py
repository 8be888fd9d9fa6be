"""One statement a workspace finds what may be read, and says what matched."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import ClassVar

import pytest

from fakes.planted import PlantedEmbedder, direction
from fakes.shelf import Shelf
from svod.foundation.clock import SystemClock
from svod.foundation.storage import Database, Transaction
from svod.foundation.storage.errors import DatabaseGone
from svod.foundation.storage.statements import Statement
from svod.foundation.storage.transaction import Parameters, Row
from svod.knowledge.retrieval import (
    Found,
    Layer,
    Mode,
    NothingAsked,
    Retrieval,
    RetrievalPlan,
    ThresholdOutOfRange,
    TooManyHits,
)
from svod.knowledge.retrieval.errors import UnknownKind
from svod.knowledge.workspaces import LevelNotFound, PermissionMissing

RENT = {
    "en": ("The rent is due on the fifth day of each month.", "rent", "Keys are at the desk."),
    "ru": ("Аренда вносится до пятого числа каждого месяца.", "аренды", "Ключи лежат на вахте."),
}
BOTH = ("en", "ru")


@pytest.fixture
def embedder() -> PlantedEmbedder:
    return PlantedEmbedder(
        cat=direction(1), feline=direction(1, 0.2), кошк=direction(1, 0.1), dog=direction(0, 1)
    )


@pytest.fixture
def shelf(database: Database, embedder: PlantedEmbedder) -> Shelf:
    return Shelf(database, embedder)


@pytest.fixture
def retrieval(database: Database, embedder: PlantedEmbedder) -> Retrieval:
    return Retrieval(database, embedder, SystemClock())


def texts(found: Found) -> list[str]:
    return [hit.text for hit in found.hits]


@pytest.mark.spec("R1", "R3")
@pytest.mark.parametrize("lang", BOTH)
async def test_a_chunk_is_found_by_another_form_of_its_word_and_says_so(
    shelf: Shelf, retrieval: Retrieval, lang: str
) -> None:
    text, query, other = RENT[lang]
    await shelf.add(other)
    item_id = await shelf.add(
        text, title="Договор", heading_path=("2", "Rent"), external_id="crm-7"
    )
    found = await retrieval.search(shelf.caller(), RetrievalPlan(query, mode=Mode.WORDS))
    (hit,) = found.hits
    assert (hit.item_id, hit.version, hit.workspace_id) == (item_id, 1, shelf.workspace_id)
    assert (hit.text, hit.title, hit.heading_path) == (text, "Договор", ("2", "Rent"))
    assert (hit.level, hit.namespace, hit.kind, hit.layer) == (
        "workspace",
        "",
        "note",
        Layer.K_DOCUMENT,
    )
    assert (hit.external_id, hit.start, hit.end) == ("crm-7", 0, len(text))
    assert hit.matched.words == (query,)
    assert {text[start:end].lower()[:4] for start, end in hit.matched.spans} == {query[:4]}
    assert not hit.matched.meaning
    assert hit.cosine is None
    assert found.calibration == "default"


@pytest.mark.spec("R1")
@pytest.mark.parametrize("query", ["feline", "кошка"])
async def test_a_chunk_is_found_by_meaning_alone(
    shelf: Shelf, retrieval: Retrieval, query: str
) -> None:
    await shelf.add("A dog barks at night.")
    await shelf.add("The cat sleeps all day.")
    found = await retrieval.search(shelf.caller(), RetrievalPlan(query))
    assert found.hits[0].text == "The cat sleeps all day."
    assert found.hits[0].matched.meaning
    assert found.hits[0].matched.words == ()
    assert not found.hits[1].matched.meaning
    assert found.used_words
    assert found.used_meaning


@pytest.mark.spec("R1")
async def test_words_and_meaning_add_up_to_the_order(shelf: Shelf, retrieval: Retrieval) -> None:
    await shelf.add("The cat sleeps all day.")
    await shelf.add("A feline sleeps all day.")
    await shelf.add("A dog sleeps all day.")
    found = await retrieval.search(shelf.caller(), RetrievalPlan("feline sleeps"))
    assert texts(found) == [
        "A feline sleeps all day.",
        "The cat sleeps all day.",
        "A dog sleeps all day.",
    ]
    for hit in found.hits:
        assert hit.cosine is not None
        # The planted card: expected cosine 0, deviation 0.1.
        assert hit.rank_score == pytest.approx(4 * hit.words + hit.cosine / 0.1, abs=1e-3)
        assert 0 <= hit.words <= 1


@pytest.mark.spec("R7a")
async def test_a_chunk_without_a_vector_yet_is_found_by_words(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    await shelf.add("The cat sleeps all day.")
    await shelf.add("A cat hunts.", with_vectors=False)
    await shelf.add("Nothing of the sort.", "Nor this.", with_vectors=False)
    found = await retrieval.search(shelf.caller(), RetrievalPlan("hunts"))
    (hit,) = (hit for hit in found.hits if hit.matched.words)
    assert (hit.text, hit.cosine) == ("A cat hunts.", None)
    assert found.meaning_ready == pytest.approx(0.25)


async def test_meaning_is_counted_again_when_vectors_come_and_go(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    async def ready() -> float:
        return (await retrieval.search(shelf.caller(), RetrievalPlan("cat"))).meaning_ready

    bare = await shelf.add("The cat sleeps.", with_vectors=False)
    assert await ready() == 0
    other = await shelf.add("A cat hunts.")
    assert await ready() == 0.5
    await shelf.remove([other])
    assert await ready() == 0
    await shelf.remove([bare])
    assert await ready() == 1


@pytest.mark.spec("X3")
async def test_the_global_level_is_searched_with_ones_own(
    database: Database, shelf: Shelf, retrieval: Retrieval, embedder: PlantedEmbedder
) -> None:
    system = Shelf(database, embedder)
    await system.add("Every cat needs a passport.", level="global")
    await shelf.add("Our cat sleeps here and not anywhere else in this house.")
    found = await retrieval.search(shelf.caller(system), RetrievalPlan("cat passport"))
    assert [hit.level for hit in found.hits] == ["global", "workspace"]
    assert [hit.workspace_id for hit in found.hits] == [system.workspace_id, shelf.workspace_id]
    assert found.hits[0].rank_score > found.hits[1].rank_score


@pytest.mark.spec("X3")
@pytest.mark.parametrize("mode", Mode)
async def test_a_level_that_may_not_be_read_shows_nowhere(
    database: Database, embedder: PlantedEmbedder, retrieval: Retrieval, mode: Mode
) -> None:
    async def found(*, with_secret: bool) -> Found:
        shelf = Shelf(database, embedder)
        await shelf.add("A cat sleeps.", "A cat hunts.", "A dog sleeps.")
        if with_secret:
            await shelf.add("A cat, a cat, my kingdom for a cat.", "cat", level="domain:secret.com")
            await shelf.grant("domain:secret.com", may_read=False)
        return await retrieval.search(shelf.caller(), RetrievalPlan("cat sleeps", mode=mode))

    with_it, without = await found(with_secret=True), await found(with_secret=False)
    assert [(h.text, h.score, h.words, h.rank_score) for h in with_it.hits] == [
        (h.text, h.score, h.words, h.rank_score) for h in without.hits
    ]
    assert with_it.meaning_ready == without.meaning_ready


@pytest.mark.spec("X3")
async def test_a_grant_taken_back_counts_from_the_next_search(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    await shelf.add("A cat of the domain.", level="domain:example.com")
    plan = RetrievalPlan("cat")
    assert len((await retrieval.search(shelf.caller(), plan)).hits) == 1
    await shelf.grant("domain:example.com", may_read=False)
    assert (await retrieval.search(shelf.caller(), plan)).hits == ()


@pytest.mark.spec("R1")
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    ("narrowed", "wanted"),
    [
        ({"levels": ("workspace",)}, {"own", "file", "web", "faq"}),
        ({"levels": ("domain:example.com",)}, {"domain"}),
        ({"namespaces": ("faq",)}, {"faq"}),
        ({"namespaces": ("hidden", "faq")}, {"hidden", "faq"}),
        ({"namespaces": ("",)}, {"own", "file", "web", "domain"}),
        ({"kinds": ("file",)}, {"file"}),
        ({"kinds": ("file", "link")}, {"file", "web"}),
        ({"kinds": ()}, set[str]()),
        ({"layers": (Layer.K_WEB,)}, {"web"}),
        ({"layers": (Layer.K_DOCUMENT,), "kinds": ("note",)}, {"own", "domain", "faq"}),
        ({}, {"own", "file", "web", "domain", "faq"}),
    ],
)
async def test_filters_leave_what_they_say(
    shelf: Shelf,
    retrieval: Retrieval,
    mode: Mode,
    narrowed: dict[str, tuple[str, ...]],
    wanted: set[str],
) -> None:
    await shelf.add("cat own")
    await shelf.add("cat file", kind="file")
    await shelf.add("cat web", kind="link", layer=Layer.K_WEB)
    await shelf.add("cat domain", level="domain:example.com")
    await shelf.add("cat faq", namespace="faq")
    await shelf.add("cat hidden", namespace="hidden")
    await shelf.run(
        "update namespace set access_mode = 'TOOL_ONLY'"
        " where workspace_id = %(workspace_id)s and clean_namespace = 'hidden'"
    )
    plan = RetrievalPlan("cat", mode=mode, **narrowed)  # pyright: ignore[reportArgumentType]
    found = await retrieval.search(shelf.caller(), plan)
    assert {hit.text.removeprefix("cat ") for hit in found.hits} == wanted


@pytest.mark.spec("R1")
async def test_how_rare_a_word_is_counts_within_the_filter(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    for _ in range(20):
        await shelf.add("A cat sleeps.", kind="file")
    await shelf.add("A cat hunts.")
    await shelf.add("A dog sleeps.")
    plan = RetrievalPlan("cat sleeps", mode=Mode.WORDS, kinds=("note",))
    cat, dog = (await retrieval.search(shelf.caller(), plan)).hits
    assert cat.words == pytest.approx(dog.words)


@pytest.mark.spec("R7")
async def test_vectors_of_another_model_never_meet_the_query(
    database: Database, shelf: Shelf
) -> None:
    await shelf.add("A cat sleeps.", "A dog sleeps.")
    other = PlantedEmbedder("other-model", cat=direction(0, 1))
    found = await Retrieval(database, other, SystemClock()).search(
        shelf.caller(), RetrievalPlan("cat")
    )
    assert found.notes == ("meaning_other_model",)
    assert not found.used_meaning
    assert other.asked == []
    assert texts(found) == ["A cat sleeps."]
    assert found.hits[0].cosine is None


@pytest.mark.spec("R7")
async def test_vectors_of_a_card_that_does_not_serve_yet_are_not_read(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    await shelf.add("A cat sleeps.")
    await shelf.run(
        "insert into model_card (workspace_id, card_id, name, dimensions, created_at)"
        " values (%(workspace_id)s, 2, 'next', 4, now())"
    )
    await shelf.run(
        "insert into chunk_vector select workspace_id, namespace_id, 2, ordinal, layer, item_no,"
        " '[1,0,0,0]' from chunk_vector where workspace_id = %(workspace_id)s"
    )
    found = await retrieval.search(shelf.caller(), RetrievalPlan("feline"))
    assert texts(found) == ["A cat sleeps."]
    assert found.meaning_ready == 1


@pytest.mark.spec("R6")
@pytest.mark.parametrize("mode", [Mode.BOTH, Mode.MEANING])
async def test_a_query_whose_vector_is_late_is_answered_by_words(
    shelf: Shelf, retrieval: Retrieval, embedder: PlantedEmbedder, mode: Mode
) -> None:
    await shelf.add("A cat sleeps.")
    embedder.held = asyncio.Event()
    plan = RetrievalPlan("cat", mode=mode, meaning_within_ms=20)
    found = await retrieval.search(shelf.caller(), plan)
    assert found.notes == ("meaning_late",)
    assert texts(found) == ["A cat sleeps."]
    assert (found.used_words, found.used_meaning) == (True, False)


@pytest.mark.spec("R6")
async def test_a_model_that_cannot_be_loaded_leaves_words(
    shelf: Shelf, retrieval: Retrieval, embedder: PlantedEmbedder
) -> None:
    await shelf.add("A cat sleeps.")
    embedder.is_gone = True
    found = await retrieval.search(shelf.caller(), RetrievalPlan("cat"))
    assert found.notes == ("meaning_unavailable",)
    assert texts(found) == ["A cat sleeps."]


async def test_a_server_without_a_model_searches_by_words(database: Database) -> None:
    shelf = Shelf(database)
    await shelf.add("A cat sleeps.")
    retrieval = Retrieval(database, None, SystemClock())
    both = await retrieval.search(shelf.caller(), RetrievalPlan("cat"))
    # Nothing is being prepared, so nothing is to be waited for.
    assert (texts(both), both.notes, both.meaning_ready) == (["A cat sleeps."], (), 1)
    meaning = await retrieval.search(shelf.caller(), RetrievalPlan("cat", mode=Mode.MEANING))
    assert (texts(meaning), meaning.notes) == (["A cat sleeps."], ("meaning_unavailable",))


async def test_the_model_is_not_asked_where_nothing_has_a_vector(
    shelf: Shelf, retrieval: Retrieval, embedder: PlantedEmbedder
) -> None:
    assert (await retrieval.search(shelf.caller(), RetrievalPlan("cat"))).hits == ()
    await shelf.add("A cat sleeps.", with_vectors=False)
    assert len((await retrieval.search(shelf.caller(), RetrievalPlan("cat"))).hits) == 1
    assert embedder.asked == []


@pytest.mark.spec("R2")
@pytest.mark.parametrize(
    ("typed", "meant", "text"),
    [
        ("ghbdtn", "привет", "Привет всем участникам."),
        ("вщсгьуте", "document", "The document is signed."),
    ],
)
async def test_a_query_in_the_wrong_keyboard_layout_still_finds(
    shelf: Shelf, retrieval: Retrieval, embedder: PlantedEmbedder, typed: str, meant: str, text: str
) -> None:
    await shelf.add(text)
    await shelf.add("Something else.", "И ещё что-то.")
    found = await retrieval.search(shelf.caller(), RetrievalPlan(typed))
    assert found.hits[0].text == text
    assert found.hits[0].matched.words == (meant,)
    assert found.notes == ("other_layout",)
    assert embedder.asked[-1] == meant
    clean = await retrieval.search(shelf.caller(), RetrievalPlan(meant))
    assert [(h.text, h.score) for h in clean.hits] == [(h.text, h.score) for h in found.hits]


@pytest.mark.spec("R2")
async def test_a_known_word_is_not_read_in_the_other_layout(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    await shelf.add("ghbdtn is a password nobody should use. привет")
    found = await retrieval.search(shelf.caller(), RetrievalPlan("ghbdtn"))
    assert found.notes == ()
    assert found.hits[0].matched.words == ("ghbdtn",)


@pytest.mark.spec("R2")
async def test_a_question_in_another_language_is_not_read_in_the_other_layout_for_one_chance_word(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    await shelf.add("Press the key V or D, and the cat sleeps.")
    found = await retrieval.search(shelf.caller(), RetrievalPlan("Спит ли кошка в доме М?"))
    assert found.notes == ()
    assert found.hits[0].matched.meaning


@pytest.mark.spec("R2")
async def test_a_query_of_unknown_words_is_embedded_once(
    shelf: Shelf, retrieval: Retrieval, embedder: PlantedEmbedder
) -> None:
    await shelf.add("The cat sleeps.")
    found = await retrieval.search(shelf.caller(), RetrievalPlan("кошка"))
    assert texts(found) == ["The cat sleeps."]
    assert embedder.asked == ["кошка"]


@pytest.mark.spec("R2", "X3")
async def test_the_other_layout_is_not_tried_for_words_of_levels_that_may_not_be_read(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    await shelf.add("Something else.")
    await shelf.add("привет", level="domain:secret.com")
    await shelf.grant("domain:secret.com", may_read=False)
    found = await retrieval.search(shelf.caller(), RetrievalPlan("ghbdtn"))
    assert found.notes == ()


@pytest.mark.spec("R2")
@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize(
    ("query", "holds", "parts"),
    [
        ('"cat sleeps"', "Here a cat sleeps.", "A cat that never sleeps."),
        ("«общее собрание» членов", "Общего собрания не было.", "Собрание прошло, общее мнение."),
    ],
)
async def test_quoted_words_must_stand_together(
    shelf: Shelf, retrieval: Retrieval, mode: Mode, query: str, holds: str, parts: str
) -> None:
    await shelf.add(holds)
    await shelf.add(parts)
    found = await retrieval.search(shelf.caller(), RetrievalPlan(query, mode=mode))
    assert texts(found) == [holds]


@pytest.mark.spec("R2")
async def test_a_phrase_may_stand_in_the_title_and_several_must_all(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    await shelf.add("It sleeps.", title="The cat house")
    await shelf.add("The cat house. The dog house.")
    found = await retrieval.search(shelf.caller(), RetrievalPlan('"cat house"'))
    assert {hit.text for hit in found.hits} == {"It sleeps.", "The cat house. The dog house."}
    found = await retrieval.search(shelf.caller(), RetrievalPlan('"cat house" "dog house"'))
    assert texts(found) == ["The cat house. The dog house."]


@pytest.mark.spec("R2")
async def test_a_phrase_of_words_that_are_not_indexed_is_found(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    await shelf.add("To be, or not to be: that is the question.")
    await shelf.add("Or to be not to question.")
    found = await retrieval.search(shelf.caller(), RetrievalPlan('"to be or not to be"'))
    assert texts(found) == ["To be, or not to be: that is the question."]


@pytest.mark.spec("R2")
async def test_a_question_that_quotes_what_nothing_holds_is_answered_by_the_rest_and_says_so(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    await shelf.add("The cat house is old.")
    found = await retrieval.search(shelf.caller(), RetrievalPlan("Сколько лет дому «кошкин дом»?"))
    assert found.notes == ("phrase_not_found",)
    assert texts(found) == ["The cat house is old."]
    alone = await retrieval.search(shelf.caller(), RetrievalPlan('"old cat"'))
    assert (alone.hits, alone.notes) == ((), ())


@pytest.mark.spec("R2")
async def test_a_phrase_that_too_many_chunks_could_hold_says_so(
    shelf: Shelf, retrieval: Retrieval, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svod.knowledge.retrieval.looking.MOST_CANDIDATES", 2)
    await shelf.add("A cat sleeps.", "The cat sleeps.")
    plan = RetrievalPlan('"cat sleeps"')
    assert (await retrieval.search(shelf.caller(), plan)).notes == ()
    await shelf.add("My cat sleeps.")
    found = await retrieval.search(shelf.caller(), plan)
    assert found.notes == ("phrase_cut",)
    assert len(found.hits) == 2


class GoneDatabase(Database):
    """A database that does not answer."""

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Transaction]:
        raise DatabaseGone
        yield


@pytest.mark.spec("X15")
async def test_a_database_that_is_gone_is_said_as_such(
    database: Database, shelf: Shelf, embedder: PlantedEmbedder
) -> None:
    retrieval = Retrieval(GoneDatabase(database.pool), embedder, SystemClock())
    with pytest.raises(DatabaseGone):
        await retrieval.search(shelf.caller(), RetrievalPlan("cat"))


class Overheard(Transaction):
    """A transaction that notes what is sent."""

    sent: ClassVar[list[object]] = []

    async def rows(
        self, statement: Statement, parameters: Parameters | None = None, *, row: type[Row]
    ) -> list[Row]:
        self.sent.extend((parameters or {}).values())
        return await super().rows(statement, parameters, row=row)


class OverheardDatabase(Database):
    """A database whose transactions are overheard."""

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Transaction]:
        async with self.pool.connection() as connection, connection.transaction():
            yield Overheard(connection)


@pytest.mark.spec("X5", "X6")
async def test_no_word_of_a_query_reaches_the_database(
    database: Database, shelf: Shelf, embedder: PlantedEmbedder
) -> None:
    await shelf.add("A cat sleeps.", "Кошка спит.", "hello")
    overheard = Retrieval(OverheardDatabase(database.pool), embedder, SystemClock())
    for query in ("cat", '"cat sleeps"', "кошка", "руддщ"):
        assert (await overheard.search(shelf.caller(), RetrievalPlan(query))).hits
    assert Overheard.sent
    # All that is text names the model and how words are read.
    said = {value for value in Overheard.sent if isinstance(value, str | bytes)}
    assert said <= {"v2:planted"}


@pytest.mark.spec("R4")
async def test_a_threshold_read_off_a_hit_keeps_it_and_the_next_above_drops_it(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    await shelf.add("The cat sleeps all day.")
    await shelf.add("A feline sleeps all day.")
    await shelf.add("A dog sleeps.", with_vectors=False)
    caller = shelf.caller()

    async def scores(min_score: float) -> list[float]:
        plan = RetrievalPlan("feline sleeps", min_score=min_score)
        return [hit.score for hit in (await retrieval.search(caller, plan)).hits]

    every = await scores(0.0)
    assert len(every) == 3
    for threshold in [*every, 0.0, 0.45, 1.0, *(score + 1e-9 for score in every)]:
        assert await scores(min(threshold, 1.0)) == [s for s in every if s >= min(threshold, 1.0)]


@pytest.mark.spec("R1")
async def test_no_more_hits_come_than_were_asked_for(shelf: Shelf, retrieval: Retrieval) -> None:
    await shelf.add(*(f"Cat number {number}." for number in range(60)))
    for limit in (1, 7, 50):
        found = await retrieval.search(shelf.caller(), RetrievalPlan("cat", limit=limit))
        assert len(found.hits) == limit
    long = await retrieval.search(shelf.caller(), RetrievalPlan("cat " + "word " * 5000))
    assert len(long.hits) == 10


@pytest.mark.spec("X3")
@pytest.mark.parametrize("level", ["domain:nobody.com", "domain:secret.com", "global", "\0", "x"])
async def test_a_level_that_is_not_there_and_one_that_is_hidden_are_not_found_in_the_same_words(
    shelf: Shelf, retrieval: Retrieval, level: str
) -> None:
    await shelf.add("A cat of a domain.", level="domain:secret.com")
    await shelf.add("A cat of the workspace.")
    await shelf.grant("domain:secret.com", may_read=False)
    plan = RetrievalPlan("cat", levels=("workspace", level))
    with pytest.raises(LevelNotFound) as refusal:
        await retrieval.search(shelf.caller(), plan)
    assert refusal.value.says.en.replace("{level}", "?") == "There is no level ? here."
    assert refusal.value.facts == {"level": level}


def refused() -> Iterator[tuple[RetrievalPlan, type[Exception]]]:
    yield RetrievalPlan("  \n"), NothingAsked
    yield RetrievalPlan("cat", limit=0), TooManyHits
    yield RetrievalPlan("cat", limit=51), TooManyHits
    yield RetrievalPlan("cat", min_score=-0.1), ThresholdOutOfRange
    yield RetrievalPlan("cat", min_score=1.1), ThresholdOutOfRange
    yield RetrievalPlan("cat", min_score=float("nan")), ThresholdOutOfRange
    yield RetrievalPlan("cat", kinds=("note", "cat")), UnknownKind


@pytest.mark.parametrize(("plan", "error"), list(refused()))
async def test_a_plan_that_makes_no_sense_is_refused(
    shelf: Shelf, retrieval: Retrieval, plan: RetrievalPlan, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await retrieval.search(shelf.caller(), plan)


@pytest.mark.spec("X8")
@pytest.mark.parametrize("query", ["???", "\0", "\ud800 cat", "'; drop table item; --", "\u202e"])
@pytest.mark.parametrize("mode", Mode)
async def test_strange_queries_find_or_do_not_but_never_fail(
    shelf: Shelf, retrieval: Retrieval, query: str, mode: Mode
) -> None:
    await shelf.add("A cat sleeps.")
    found = await retrieval.search(shelf.caller(), RetrievalPlan(query, mode=mode))
    assert len(found.hits) <= 1


@pytest.mark.spec("X1", "X17")
async def test_who_may_not_read_knowledge_searches_nothing(
    shelf: Shelf, retrieval: Retrieval
) -> None:
    await shelf.add(RENT["ru"][0])
    billing = replace(shelf.caller(), permissions=frozenset())
    with pytest.raises(PermissionMissing):
        await retrieval.search(billing, RetrievalPlan("аренда"))
