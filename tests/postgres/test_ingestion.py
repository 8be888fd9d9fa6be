"""An item's way to what is searched, job by job, on a real database."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from fakes.way import Way
from svod.foundation.jobs import Later, WaitingReason
from svod.foundation.providers.errors import EndpointKeyRefused
from svod.knowledge.ingestion import embedding as embedding_module
from svod.knowledge.items import FileDraft, Item, ItemChange, ItemQuery, NoteDraft
from svod.knowledge.items.item import Status
from svod.knowledge.retrieval import Mode
from svod.knowledge.workspaces import Caller

OLD = {"ru": "Срок хранения 180 дней", "en": "Kept for 180 days"}
NEW = {"ru": "Срок хранения 270 дней", "en": "Kept for 270 days"}
BOTH = ["ru", "en"]


@pytest_asyncio.fixture(autouse=True)
async def emptied(way: Way, owner: Caller) -> AsyncGenerator[None]:
    yield
    for item in (await way.items.list(owner, _all())).items:
        await way.items.delete(owner, item.item_id)


def _all() -> ItemQuery:

    return ItemQuery(limit=200)


async def _note(way: Way, owner: Caller, text: str, **more: str) -> Item:
    return (await way.items.add_note(owner, NoteDraft(text, **more))).item


@pytest.mark.spec("K15", "R7a")
@pytest.mark.parametrize("lang", BOTH)
async def test_a_new_note_is_found_by_words_before_it_has_a_vector(
    way: Way, owner: Caller, lang: str
) -> None:
    note = await _note(way, owner, OLD[lang])
    await way.run("ingest")
    item = await way.items.get(owner, note.item_id)
    assert (item.status, item.serving_version, item.meaning_ready) == (Status.READY, 1, 0.0)
    assert await way.texts(owner, "180") == [OLD[lang]]
    assert (await way.items.text(owner, note.item_id)).text == OLD[lang]
    await way.run("embed")
    item = await way.items.get(owner, note.item_id)
    assert (item.status, item.meaning_ready) == (Status.READY, 1.0)
    assert await way.texts(owner, "дней", Mode.MEANING) == [OLD[lang]]


@pytest.mark.spec("K16")
@pytest.mark.parametrize("lang", BOTH)
async def test_the_old_text_answers_until_the_new_one_is_complete(
    way: Way, owner: Caller, lang: str
) -> None:
    note = await _note(way, owner, OLD[lang])
    await way.run()
    await way.items.change(owner, note.item_id, ItemChange(text=NEW[lang]))
    assert await way.texts(owner, "180 270") == [OLD[lang]]
    await way.run("ingest")
    assert await way.texts(owner, "180 270") == [OLD[lang]]
    item = await way.items.get(owner, note.item_id)
    assert (item.status, item.version, item.serving_version) == (Status.PROCESSING, 2, 1)
    await way.run()
    assert await way.texts(owner, "180 270") == [NEW[lang]]
    assert await way.count("chunk", note.item_id) == 1
    assert (await way.items.text(owner, note.item_id, 1)).text == OLD[lang]
    assert (await way.items.text(owner, note.item_id)).text == NEW[lang]


@pytest.mark.spec("K16")
async def test_of_two_edits_the_later_one_wins_whatever_finishes_first(
    way: Way, owner: Caller
) -> None:
    note = await _note(way, owner, "первая редакция 1")
    await way.run()
    await way.items.change(owner, note.item_id, ItemChange(text="вторая редакция 2"))
    await way.run("ingest")
    slow = list(way.jobs.waiting)
    way.jobs.waiting.clear()
    await way.items.change(owner, note.item_id, ItemChange(text="третья редакция 3"))
    await way.run()
    way.jobs.waiting += slow
    await way.run()
    assert await way.texts(owner, "редакция") == ["третья редакция 3"]
    assert (await way.items.get(owner, note.item_id)).serving_version == 3


@pytest.mark.spec("K15", "K16", "K17")
async def test_a_change_that_cannot_be_read_fails_and_the_old_text_is_still_searched(
    way: Way, owner: Caller
) -> None:
    file = (await way.items.add_file(owner, FileDraft("a.json", b'{"days": 180}'))).item
    await way.run()
    draft = FileDraft("a.json", b"PK\x03\x04 no archive")
    await way.items.add_file(owner, draft)
    await way.run()
    item = await way.items.get(owner, file.item_id)
    assert (item.status, item.version, item.serving_version) == (Status.FAILED, 2, 1)
    assert item.failure is not None
    assert await way.texts(owner, "180") != []
    refreshed = await way.items.refresh(owner, file.item_id)
    assert (refreshed.status, refreshed.failure) == (Status.QUEUED, None)


@pytest.mark.spec("K19", "X16")
@pytest.mark.parametrize("stage", ["ingest", "embed"])
async def test_what_is_deleted_leaves_nothing_searchable(
    way: Way, owner: Caller, stage: str
) -> None:
    note = await _note(way, owner, "канарейка 180 дней " + "слово " * 300)
    await way.run(stage) if stage == "ingest" else await way.run()
    kept = await _note(way, owner, "канарейка останется")
    await way.run()
    await way.items.delete(owner, note.item_id)
    await way.run()
    assert await way.texts(owner, "канарейка") == ["канарейка останется"]
    tables = ("chunk", "item_version", "item_split", "embedding_cache")
    assert [await way.count(table, note.item_id) for table in tables] == [0, 0, 0, 0]
    assert await way.count("chunk", kept.item_id) == 1
    async with way.database.transaction() as tx:
        cursor = await tx.connection.execute(
            "select (select count(*) from chunk_vector), (select count(*) from chunk),"
            " (select sum(live) from namespace),"
            " (select count(*) from term_segment where cardinality(ordinals) = 0)"
        )
        assert await cursor.fetchone() == (1, 1, 1, 0)


@pytest.mark.spec("K17", "R8")
async def test_unchanged_text_is_not_embedded_again(way: Way, owner: Caller) -> None:
    note = await _note(way, owner, "180 дней", title="t")
    await way.run()
    texts = way.embedder.stored
    texts.clear()
    await way.items.refresh(owner, note.item_id)
    await way.run()
    await _note(way, owner, "180 дней", title="t")
    await way.run()
    assert texts == []
    assert len(await way.texts(owner, "дней", Mode.MEANING)) == 2


@pytest.mark.spec("R7a", "X9")
async def test_a_long_document_is_embedded_slice_by_slice_and_goes_on_after_a_break(
    way: Way, owner: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_module, "SLICE", 4)
    text = "\n\n".join(f"## Раздел {n}\n\n" + f"Пункт {n} дней. " * 50 for n in range(10))
    note = await _note(way, owner, text)
    await way.run("ingest")
    texts = way.embedder.stored
    texts.clear()
    job = way.jobs.waiting.pop()
    await way.embedding(job.arguments)
    item = await way.items.get(owner, note.item_id)
    assert 0 < item.meaning_ready < 1
    assert len(texts) == 4
    way.jobs.waiting = [job, *way.jobs.waiting]  # the same slice again, as after a crash
    await way.run()
    chunks = await way.count("chunk", note.item_id)
    assert len(texts) == chunks == len(set(texts))
    assert (await way.items.get(owner, note.item_id)).meaning_ready == 1.0


@pytest.mark.spec("K16", "R7a")
async def test_without_a_model_words_alone_serve(way: Way, owner: Caller) -> None:
    note = await _note(way, owner, OLD["ru"])
    await way.run()
    await way.items.change(owner, note.item_id, ItemChange(text=NEW["ru"]))
    await way.run("ingest")
    job = way.jobs.waiting.pop()
    await way.embedding.gave_up(job.arguments, None)
    assert await way.texts(owner, "270") == [NEW["ru"]]
    item = await way.items.get(owner, note.item_id)
    assert (item.status, item.serving_version, item.meaning_ready) == (Status.READY, 2, 0.0)


@pytest.mark.spec("X15", "R7a")
@pytest.mark.parametrize("lang", BOTH)
async def test_while_the_model_is_gone_words_serve_and_meaning_follows_by_itself(
    way: Way, owner: Caller, lang: str
) -> None:
    changed = await _note(way, owner, OLD[lang])
    await way.run()
    way.embedder.is_gone = True
    await way.items.change(owner, changed.item_id, ItemChange(text=NEW[lang]))
    new = await _note(way, owner, "канарейка 90 дней, canary 90 days")
    await way.run("ingest")
    waiting = list(way.jobs.waiting)
    for job in waiting:
        with pytest.raises(Later):
            await way.embedding(job.arguments)
    assert await way.texts(owner, "270") == [NEW[lang]]
    assert OLD[lang] not in await way.texts(owner, "180")
    for note in (changed, new):
        item = await way.items.get(owner, note.item_id)
        assert (item.status, item.meaning_ready) == (Status.READY, 0.0)
        assert item.waiting_reason is WaitingReason.MEANING_UNAVAILABLE
    way.embedder.is_gone = False
    await way.run()
    for note in (changed, new):
        item = await way.items.get(owner, note.item_id)
        assert (item.meaning_ready, item.waiting_reason) == (1.0, None)
    assert NEW[lang] in await way.texts(owner, "дней", Mode.MEANING)


@pytest.mark.spec("X15")
async def test_a_refused_key_is_told_on_the_item(way: Way, owner: Caller) -> None:
    note = await _note(way, owner, OLD["ru"])
    await way.run("ingest")
    (job,) = [job for job in way.jobs.waiting if job.name == "embed"]
    way.embedder.is_gone = True
    way.embedder.failure = EndpointKeyRefused(status=401)
    with pytest.raises(Later):
        await way.embedding(job.arguments)
    item = await way.items.get(owner, note.item_id)
    assert item.waiting_reason is WaitingReason.MEANING_KEY_REFUSED
    assert "SVOD_EMBEDDINGS_KEY" in item.waiting_reason.says.ru


@pytest.mark.spec("K21", "K23")
async def test_other_split_settings_split_again(way: Way, owner: Caller) -> None:
    note = await _note(
        way,
        owner,
        "\n\n---\n\n".join(f"{n} правило хранения вещей на складе" for n in ("одно", "два", "три")),
    )
    await way.run()
    assert await way.count("chunk", note.item_id) == 1
    split = '{"split_mode": "separator", "separator": "---"}'
    await way.items.change(owner, note.item_id, ItemChange(split=split))
    await way.run()
    assert await way.count("chunk", note.item_id) == 3
    assert len(await way.texts(owner, "два")) == 1
    item = await way.items.get(owner, note.item_id)
    assert (item.status, item.version) == (Status.READY, 1)


@pytest.mark.spec("K19")
async def test_writers_and_deleters_of_one_namespace_do_not_deadlock(
    way: Way, owner: Caller
) -> None:
    async def live(number: int) -> None:
        note = await _note(way, owner, f"общие слова {number} " + "a b c d e " * 50)
        await way.run()
        await way.items.change(owner, note.item_id, ItemChange(text=f"слова общие {number}"))
        await way.run()
        await way.items.delete(owner, note.item_id)

    async with asyncio.TaskGroup() as group:
        for number in range(12):
            group.create_task(live(number))
    assert await way.texts(owner, "слова") == []
