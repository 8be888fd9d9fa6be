"""What is deleted is gone: every table of the database and the folder of files are looked through."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
import pytest_asyncio

from fakes.way import Way
from svod.foundation.clock import SystemClock
from svod.foundation.ids import ItemId
from svod.foundation.jobs import Jobs
from svod.foundation.storage import Vault
from svod.knowledge.items import FileDraft, ItemChange, NoteDraft, Target
from svod.knowledge.items.bulk.order import Became, BulkAction, BulkOrder
from svod.knowledge.workspaces import Caller, Workspaces
from svod.knowledge.workspaces.domains import Registry
from svod.knowledge.workspaces.replies import Replies, Reply
from svod.knowledge.workspaces.tenants import Tenants

CANARY = {"ru": "канарейка", "en": "canary"}
BOTH = ["ru", "en"]
LEVEL = "domain:cage.example"


@dataclass(frozen=True)
class Planted:
    """An item, and every mark of it that could be left behind."""

    item_id: ItemId
    marks: dict[str, bytes]


@pytest_asyncio.fixture(autouse=True)
async def level(registry: Registry, tenant: Caller) -> AsyncGenerator[None]:
    await registry.add_domain(tenant, "cage.example")
    yield
    for domain in (await registry.domains(tenant)).domains:
        await registry.delete_domain(tenant, domain.domain_id)


Delete = Callable[[str, Sequence[ItemId]], Awaitable[None]]


@pytest.fixture
def delete(
    way: Way, tenant: Caller, registry: Registry, workspaces: Workspaces, owner: Caller
) -> Delete:
    """Deletes items of the level: one by one, together, or with their level or workspace."""

    async def delete(how: str, item_ids: Sequence[ItemId]) -> None:
        match how:
            case "item":
                for item_id in item_ids:
                    await way.items.delete(tenant, item_id)
            case "bulk":
                order = BulkOrder(BulkAction.DELETE, tuple(item_ids))
                results = await way.items.bulk(tenant, order)
                assert {one.became for one in results} == {Became.DONE}
            case "level":
                (domain,) = (await registry.domains(tenant)).domains
                await registry.delete_domain(tenant, domain.domain_id)
            case _:
                rooms = (way.database, workspaces.vaults, SystemClock(), way.facts, way.jobs)
                tenants = Tenants(*rooms, workspaces.ground)
                await tenants.delete(owner, tenant.own.workspace_id, confirm="Лавка")

    return delete


@pytest.fixture
def looked_through(database_dsn: str, tmp_path: Path) -> "Looked":
    return Looked(database_dsn, tmp_path / "blobs")


class Looked:
    """Looks through all that is stored."""

    def __init__(self, dsn: str, blobs: Path) -> None:
        self._dsn, self._blobs = dsn, blobs

    def for_marks(self, marks: dict[str, bytes]) -> list[str]:
        """Where any of the marks still is: `table.column: mark`."""
        return [
            f"{where}: {name}"
            for where, value in self._everything()
            for name, mark in marks.items()
            if mark in value
        ]

    def _everything(self) -> Iterator[tuple[str, bytes]]:
        with psycopg.connect(self._dsn) as connection:
            tables = connection.execute(
                "select c.oid::regclass::text from pg_catalog.pg_class c"
                " join pg_catalog.pg_namespace n on n.oid = c.relnamespace"
                " where c.relkind in ('r', 'p', 'm') and n.nspname not in"
                " ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%'"
            ).fetchall()
            assert len(tables) > 20
            for (table,) in tables:
                cursor = connection.cursor(binary=False)
                # Everything as text: bytes as hexadecimal, numbers and lists as they are written.
                cursor.execute(f"select t::text from {table} t".encode())  # noqa: S608
                for (row,) in cursor:
                    yield table, row.encode()
        for file in self._blobs.rglob("*"):
            if file.is_file():
                yield "blobs", file.name.encode()
                yield "blobs", file.read_bytes()


def _marks(vault: Vault, item_id: ItemId, word: str, text: str) -> dict[str, bytes]:
    """The clear and the hashed marks of an item, as the looking sees them."""
    hashed = {
        "external id": vault.key_for("external_id", f"{word}/id"),
        "name": vault.key_for("name", f"{word}.md"),
        "tag": vault.key_for("tag", word),
        "blob": vault.key_for("blob", text.encode()),
    }
    return {
        "id": str(item_id).encode(),
        "word": word.encode(),
        **{name: key.hex().encode() for name, key in hashed.items()},
    }


async def _plant(way: Way, caller: Caller, lang: str, level: str) -> list[Planted]:
    """A file that was read, changed, tagged and failed; a note; one under way; one cancelled."""
    word = f"{CANARY[lang]}{len(level)}"
    vault = caller.vault
    text = f"# {word}\n\n{word} 180 дней" * 3
    draft = FileDraft(
        f"{word}.md",
        text.encode(),
        title=word,
        external_id=f"{word}/id",
        target=Target(level),
        tags=(word,),
    )
    replies = Replies(way.database, SystemClock())
    await replies.claim(caller, f"add\0{level}{lang}", b"x")
    receipt = replies.receipt(caller, f"add\0{level}{lang}")
    file = (await way.items.add_file(caller, draft, receipt=receipt)).item
    await replies.keep(caller, f"add\0{level}{lang}", Reply(201, {}, f'{{"title": "{word}"}}'))
    note = await way.note(caller, f"{word} заметка 180 дней", target=Target(level))
    await way.run()
    assert await _search_rows(way, caller) > 0
    broken = FileDraft(f"{word}.md", b"PK\x03\x04", external_id=f"{word}/id", target=Target(level))
    await way.items.add_file(caller, broken)
    await way.run()
    assert (await way.items.get(caller, file.item_id)).failure is not None
    many = '{"split_mode": "fixed-size", "chunk_size": 50}'
    words = " ".join(f"{word} слово{n} другое" for n in range(400))
    under_way = await way.note(caller, words, split=many, target=Target(level))
    changed = await way.note(caller, f"{word} одно", target=Target(level))
    await way.run("ingest")
    await _embed_a_slice(way, under_way.item_id)
    await _embed_a_slice(way, changed.item_id)
    change = ItemChange(text=f"{word} иначе {words}", split=many)
    await way.items.change(caller, changed.item_id, change)
    await way.run("ingest")
    await _embed_a_slice(way, changed.item_id)
    assert await way.count("embedding_cache", changed.item_id) == 64
    assert await way.count("item_split", under_way.item_id) == 1
    queued = await way.note(caller, f"{word} ждёт", target=Target(level))
    return [
        Planted(item.item_id, _marks(vault, item.item_id, word, text))
        for item in (file, note, under_way, changed, queued)
    ]


async def _embed_a_slice(way: Way, item_id: ItemId) -> None:
    job = next(
        one
        for one in way.jobs.waiting
        if (one.name, one.arguments.get("item_id")) == ("embed", item_id)
    )
    way.jobs.waiting.remove(job)
    await way.embedding(job.arguments)


async def _search_rows(way: Way, caller: Caller) -> int:
    sql = (
        "select (select count(*) from chunk where workspace_id = %(w)s)"
        " + (select count(*) from chunk_vector where workspace_id = %(w)s)"
        " + (select count(*) from term_segment where workspace_id = %(w)s)"
        " + (select count(*) from embedding_cache where workspace_id = %(w)s)"
        " + (select count(*) from item_split where workspace_id = %(w)s)"
        " + (select count(*) from job_step where workspace_id = %(w)s)"
    )
    async with way.database.transaction() as tx:
        cursor = await tx.connection.execute(sql.encode(), {"w": caller.own.workspace_id})
        row = await cursor.fetchone()
    assert row is not None
    return row[0]


@pytest.mark.spec("K19", "X16", "N-13")
@pytest.mark.parametrize("lang", BOTH)
@pytest.mark.parametrize("how", ["item", "bulk", "level", "workspace"])
async def test_no_table_and_no_file_holds_a_mark_of_what_was_deleted(
    way: Way, tenant: Caller, looked_through: "Looked", delete: Delete, lang: str, how: str
) -> None:
    planted = await _plant(way, tenant, lang, LEVEL)
    marks = {name: mark for one in planted for name, mark in one.marks.items()}
    # The looking finds what is there, else it would prove nothing.
    found = {where.split(": ")[1] for where in looked_through.for_marks(planted[0].marks)}
    assert found >= {"id", "external id", "name", "tag", "blob"}
    ids = tuple(one.item_id for one in planted)
    await delete(how, ids)
    # Files are refused at once; what was queued for the items ends without a word.
    for item_id in ids:
        with pytest.raises(Exception, match="no such item"):
            await way.items.source(tenant, item_id)
    await way.run()
    for one in planted:
        assert looked_through.for_marks({"id": str(one.item_id).encode()}) == []
    assert looked_through.for_marks(marks) == []
    assert await _search_rows(way, tenant) == 0
    assert await way.texts(tenant, CANARY[lang]) == []


@pytest.mark.spec("K19", "N-20")
@pytest.mark.parametrize("stage", ["ingest", "embed"])
@pytest.mark.parametrize("how", ["item", "level", "workspace"])
async def test_what_is_deleted_while_it_is_read_or_embedded_stays_deleted(
    way: Way, tenant: Caller, looked_through: "Looked", delete: Delete, stage: str, how: str
) -> None:
    text = "\n\n".join(f"Пункт {n} канарейка дней. " * 40 for n in range(9))
    file = (
        await way.items.add_file(tenant, FileDraft("a.md", text.encode(), target=Target(LEVEL)))
    ).item
    if stage == "embed":
        await way.run("ingest")
    job = next(one for one in way.jobs.waiting if one.name == stage)
    way.jobs.waiting.remove(job)
    way.embedder.held = asyncio.Event()
    reading = _Gate(way.ingesting.reader)
    object.__setattr__(way.ingesting, "reader", reading)
    handler = way.ingesting if stage == "ingest" else way.embedding
    running = asyncio.create_task(handler(job.arguments))
    await (reading if stage == "ingest" else way.embedder).began.wait()
    await delete(how, [file.item_id])
    reading.opened.set()
    way.embedder.held.set()
    await running
    await way.run()
    assert looked_through.for_marks({"id": str(file.item_id).encode()}) == []
    assert await _search_rows(way, tenant) == 0


class _Gate:
    """A reader that waits until it may."""

    def __init__(self, inner: object) -> None:
        self._inner = inner
        self.began, self.opened = asyncio.Event(), asyncio.Event()

    async def read(self, kind: str, source: object) -> object:
        self.began.set()
        await self.opened.wait()
        return await self._inner.read(kind, source)  # type: ignore[attr-defined]


@pytest.mark.spec("K19", "X9")
async def test_deleters_and_readers_at_once_leave_nothing_and_do_not_deadlock(
    way: Way, tenant: Caller, registry: Registry
) -> None:
    async def live(number: int) -> None:
        note = await way.note(tenant, f"канарейка {number} " * 60, target=Target(LEVEL))
        await way.run()
        await way.items.change(tenant, note.item_id, ItemChange(text=f"снова {number}"))
        await way.run()

    async with asyncio.TaskGroup() as group:
        for number in range(10):
            group.create_task(live(number))
    (domain,) = (await registry.domains(tenant)).domains
    more = [await way.note(tenant, f"ещё {n}", target=Target(LEVEL)) for n in range(5)]
    async with asyncio.TaskGroup() as group:
        group.create_task(registry.delete_domain(tenant, domain.domain_id))
        group.create_task(way.run())
        group.create_task(
            way.items.bulk(tenant, BulkOrder(BulkAction.DELETE, tuple(one.item_id for one in more)))
        )
    await way.run()
    assert await _search_rows(way, tenant) == 0


@pytest.mark.spec("K19")
async def test_jobs_of_deleted_items_leave_the_queue_with_them(way: Way, tenant: Caller) -> None:
    jobs = Jobs(way.database)
    object.__setattr__(way.items, "jobs", jobs)
    object.__setattr__(way.ingesting, "jobs", jobs)
    drafts = [NoteDraft(f"канарейка {n}") for n in range(5)]
    results = await way.items.add_notes(tenant, Target(), drafts)
    ids = [one.item_id for one in results if one.item_id is not None]
    sql = "select count(*) from procrastinate_jobs where args->>'item_id' = any(%s)"
    assert await way.value(sql, [str(one) for one in ids]) == 5
    await way.items.bulk(tenant, BulkOrder(BulkAction.DELETE, tuple(ids[:3])))
    assert await way.value(sql, [str(one) for one in ids]) == 2
    await way.items.bulk(tenant, BulkOrder(BulkAction.DELETE, tuple(ids[3:])))
    assert await way.value(sql, [str(one) for one in ids]) == 0


@pytest.mark.spec("N-14")
async def test_a_level_of_400_items_is_gone_from_search_with_one_call(
    way: Way, tenant: Caller, registry: Registry
) -> None:
    drafts = [NoteDraft(f"канарейка {n}, хранение {n} дней") for n in range(400)]
    results = await way.items.add_notes(tenant, Target(LEVEL), drafts)
    assert len({one.item_id for one in results}) == 400
    await way.run("ingest", at_once=4)
    assert len(await way.texts(tenant, "канарейка")) > 0
    (domain,) = (await registry.domains(tenant)).domains
    await registry.delete_domain(tenant, domain.domain_id)
    assert await way.texts(tenant, "канарейка") == []
    assert await _search_rows(way, tenant) == 0
