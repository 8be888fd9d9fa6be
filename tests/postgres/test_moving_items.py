"""Items moved between namespaces and levels: what is searchable goes along as it is."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from fakes.way import Way
from svod.foundation.ids import ItemId
from svod.knowledge.items import FileDraft, ItemChange, Target
from svod.knowledge.items.bulk.order import Became, BulkAction, BulkOrder
from svod.knowledge.items.errors import ExternalIdTaken, OtherWorkspace
from svod.knowledge.items.item import Status
from svod.knowledge.retrieval import Mode, RetrievalPlan
from svod.knowledge.workspaces import Caller, LevelNotFound, Permission, Workspaces
from svod.knowledge.workspaces.domains import Registry
from svod.knowledge.workspaces.errors import LevelReadOnly
from svod.knowledge.workspaces.grants import Grant, Limit

BOTH = ["ru", "en"]
TEXT = {"ru": "Хранение 180 дней на складе", "en": "Storage of 180 days in the warehouse"}
SHOP, STORE = "domain:shop.example", "domain:store.example"


def a_move(*item_ids: ItemId, level: str = "workspace", namespace: str = "") -> BulkOrder:
    return BulkOrder(BulkAction.MOVE, item_ids, target=Target(level, namespace))


@pytest_asyncio.fixture(autouse=True)
async def levels(registry: Registry, tenant: Caller) -> AsyncGenerator[None]:
    """Two domains, which are free again afterwards: they are unique on the server."""
    for name in (SHOP, STORE):
        await registry.add_domain(tenant, name.partition(":")[2])
    yield
    for domain in (await registry.domains(tenant)).domains:
        await registry.delete_domain(tenant, domain.domain_id)


@pytest.mark.spec("K19")
@pytest.mark.parametrize("lang", BOTH)
async def test_a_moved_item_is_found_where_it_is_without_being_embedded_or_read_again(
    way: Way, tenant: Caller, lang: str
) -> None:
    note = await way.note(tenant, TEXT[lang])
    stays = await way.note(tenant, f"{TEXT[lang]} 2")
    await way.run()
    embedded = len(way.embedder.stored)
    change = ItemChange(level=SHOP, namespace="faq")
    moved = await way.items.change(tenant, note.item_id, change)
    assert (moved.level, moved.namespace, moved.version) == (SHOP, "faq", 1)
    assert moved.status is Status.READY
    assert moved.revision > note.revision
    assert way.jobs.waiting == []
    assert len(way.embedder.stored) == embedded
    for mode in (Mode.WORDS, Mode.MEANING, Mode.BOTH):
        for level, texts in ((SHOP, [TEXT[lang]]), ("workspace", [f"{TEXT[lang]} 2"])):
            plan = RetrievalPlan(TEXT[lang], levels=(level,), mode=mode)
            found = await way.retrieval.search(tenant, plan)
            assert [hit.text for hit in found.hits] == texts, (mode, level)
            assert {hit.level for hit in found.hits} == {level}
    assert await _places(way, tenant) == 2
    await way.items.delete(tenant, note.item_id)
    await way.items.delete(tenant, stays.item_id)
    assert await _places(way, tenant) == 0


@pytest.mark.spec("K19")
async def test_moving_there_and_back_leaves_the_index_as_if_nothing_had_moved(
    way: Way, tenant: Caller
) -> None:
    long = "\n\n".join(f"## Раздел {n}\n\n" + f"Пункт {n} дней на складе. " * 60 for n in range(9))
    ids = [
        (await way.note(tenant, long, title=f"Склад {n}", target=Target(namespace=where))).item_id
        for n, where in enumerate(("", "a", "b", "a"))
    ]
    await way.run()
    before = await _ranking(way, tenant)
    for namespace in ("c", "a", "", "d"):
        await way.items.bulk(tenant, a_move(*ids, namespace=namespace))
        assert await _ranking(way, tenant) == before
    names = {one.namespace for one in [await way.items.get(tenant, one) for one in ids]}
    assert names == {"d"}


@pytest.mark.spec("K18", "K19")
async def test_an_external_id_that_is_taken_there_stops_a_move_and_nothing_changes(
    way: Way, tenant: Caller
) -> None:
    here = await way.note(tenant, "здесь", external_id="x")
    there = await way.note(tenant, "там", external_id="x", target=Target(SHOP))
    change = ItemChange(level=SHOP, pinned=True, title="Другое")
    with pytest.raises(ExternalIdTaken):
        await way.items.change(tenant, here.item_id, change)
    same = await way.items.get(tenant, here.item_id)
    assert (same.level, same.pinned, same.title, same.revision) == (
        "workspace",
        False,
        here.title,
        here.revision,
    )
    free = await way.note(tenant, "свободно", external_id="y")
    results = await way.items.bulk(tenant, a_move(here.item_id, free.item_id, level=SHOP))
    assert [(one.became, one.failure and one.failure.code) for one in results] == [
        (Became.FAILED, "items.external_id_taken"),
        (Became.DONE, None),
    ]
    # Two that would meet there: the first to be named goes.
    other = await way.note(tenant, "второй", external_id="y")
    results = await way.items.bulk(
        tenant, a_move(there.item_id, here.item_id, other.item_id, free.item_id, level=STORE)
    )
    assert [one.became for one in results].count(Became.FAILED) == 2
    assert len({one.item_id for one in results if one.became is Became.DONE}) == 2


@pytest.mark.spec("X2", "X2a", "X3")
async def test_a_move_needs_sending_on_both_levels_and_tells_nothing_of_what_is_not_seen(
    way: Way, tenant: Caller, workspaces: Workspaces
) -> None:
    shop = await way.note(tenant, "лавка", target=Target(SHOP))
    store = await way.note(tenant, "склад", target=Target(STORE))
    common = await way.note(tenant, "общее")
    made = await workspaces.make_key(
        tenant,
        name="лавочник",
        permissions=frozenset({Permission.KNOWLEDGE_WRITE}),
        limits=[Limit(SHOP, Grant.SEND)],
    )
    keeper = await workspaces.authenticate(made.secret)
    with pytest.raises(LevelReadOnly):
        await way.items.change(keeper, shop.item_id, ItemChange(level="workspace"))
    with pytest.raises(LevelNotFound):
        await way.items.change(keeper, shop.item_id, ItemChange(level=STORE))
    with pytest.raises(LevelReadOnly):
        await way.items.change(keeper, common.item_id, ItemChange(level=SHOP))
    results = await way.items.bulk(
        keeper,
        a_move(shop.item_id, store.item_id, common.item_id, ItemId(5), level=SHOP, namespace="a"),
    )
    assert [one.failure and one.failure.code for one in results] == [
        None,
        "items.not_found",
        "workspaces.level_read_only",
        "items.not_found",
    ]
    assert str(results[1].failure) == str(results[3].failure)
    assert (await way.items.get(tenant, store.item_id)).level == STORE


@pytest.mark.spec("K2")
async def test_nothing_moves_between_the_global_level_and_a_workspace(
    way: Way, owner: Caller
) -> None:
    assert owner.operator
    note = await way.note(owner, "наше")
    shared = await way.note(owner, "общее для всех", target=Target("global"))
    await way.run()
    assert shared.level == "global"
    for item_id, level in ((note.item_id, "global"), (shared.item_id, "workspace")):
        with pytest.raises(OtherWorkspace):
            await way.items.change(owner, item_id, ItemChange(level=level))
        (result,) = await way.items.bulk(owner, a_move(item_id, level=level))
        assert result.failure is not None
        assert result.failure.code == "items.other_workspace"
    named = await way.items.change(owner, shared.item_id, ItemChange(namespace="faq"))
    assert (named.level, named.namespace) == ("global", "faq")
    await way.items.bulk(owner, BulkOrder(BulkAction.DELETE, (note.item_id, shared.item_id)))


@pytest.mark.spec("K16", "K19")
@pytest.mark.parametrize("stage", ["ingest", "embed"])
async def test_an_item_moved_while_it_is_read_ends_where_it_was_moved_to(
    way: Way, tenant: Caller, stage: str
) -> None:
    file = (
        await way.items.add_file(tenant, FileDraft("a.md", "# 1\n\nСрок 180 дней".encode()))
    ).item
    if stage == "embed":
        await way.run("ingest")
    job = way.jobs.waiting.pop()
    handler = way.ingesting if stage == "ingest" else way.embedding
    moving = asyncio.Event()
    moved = asyncio.Event()

    async def read(*_: object, **__: object) -> None:
        moving.set()
        await moved.wait()

    # Held where the slow part is: between the transactions of the job.
    if stage == "ingest":
        inner = way.ingesting.reader
        object.__setattr__(way.ingesting, "reader", _Held(inner, read))
    else:
        way.embedder.held = moved
    task = asyncio.create_task(handler(job.arguments))
    if stage == "ingest":
        await moving.wait()
    else:
        await way.embedder.began.wait()
    await way.items.change(tenant, file.item_id, ItemChange(namespace="later"))
    moved.set()
    await task
    way.embedder.held = None
    await way.run()
    found = await way.retrieval.search(
        tenant, RetrievalPlan("180", namespaces=("later",), mode=Mode.WORDS)
    )
    assert [hit.item_id for hit in found.hits] == [file.item_id]
    assert await _places(way, tenant) == await way.count("chunk", file.item_id)
    item = await way.items.get(tenant, file.item_id)
    assert (item.status, item.meaning_ready) == (Status.READY, 1.0)


@pytest.mark.spec("K19")
async def test_movers_adders_and_deleters_do_not_stand_in_each_others_way(
    way: Way, tenant: Caller
) -> None:
    ids = [
        (await way.note(tenant, f"общие слова {n} " + "a b c " * 30, external_id=f"{n}")).item_id
        for n in range(12)
    ]
    await way.run()

    async def move(namespace: str) -> None:
        for _ in range(4):
            await way.items.bulk(tenant, a_move(*ids, namespace=namespace))
            await way.items.bulk(tenant, a_move(*reversed(ids)))

    async def edit() -> None:
        for n in range(8):
            await way.note(tenant, f"общие слова {n} снова", external_id=f"{n % 12}")
            await way.run()

    async with asyncio.TaskGroup() as group:
        group.create_task(move("left"))
        group.create_task(move("right"))
        group.create_task(edit())
    await way.run()
    await way.items.bulk(tenant, BulkOrder(BulkAction.DELETE, tuple(ids)))
    assert await _places(way, tenant) == 0


class _Held:
    """A reader that waits before it reads."""

    def __init__(self, inner: object, wait: object) -> None:
        self._inner, self._wait = inner, wait

    async def read(self, kind: str, source: object) -> object:
        await self._wait()  # type: ignore[operator]
        return await self._inner.read(kind, source)  # type: ignore[attr-defined]


async def _ranking(way: Way, tenant: Caller) -> list[tuple[object, ...]]:
    plan = RetrievalPlan("пункт 3 дней на складе", limit=20)
    found = await way.retrieval.search(tenant, plan)
    assert found.hits
    return sorted((hit.item_id, hit.start, round(hit.rank_score, 4)) for hit in found.hits)


async def _places(way: Way, tenant: Caller) -> int:
    """How many chunks there are, as long as every search table says the same."""
    workspace_id = tenant.own.workspace_id
    counts = {
        await way.value(sql, workspace_id)
        for sql in (
            "select count(*) from chunk where workspace_id = %s",
            "select count(*) from chunk_vector where workspace_id = %s",
            "select coalesce(sum(live), 0) from namespace where workspace_id = %s",
            "select count(distinct (s.namespace_id, o)) from term_segment s,"
            " unnest(s.ordinals) o where s.workspace_id = %s",
            "select count(*) from chunk_vector v join chunk c using (workspace_id, namespace_id,"
            " ordinal, layer, item_no) where v.workspace_id = %s",
        )
    }
    assert len(counts) == 1, counts
    return counts.pop()
