"""Workspaces as wholes: made, renamed, and deleted so that nothing is left, on a real database."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from fakes.planted import PlantedEmbedder, direction
from svod.assembly import join
from svod.foundation.clock import SystemClock
from svod.foundation.errors import Language
from svod.foundation.facts import Facts
from svod.foundation.ids import ItemId, WorkspaceId
from svod.foundation.jobs import Arguments, Job, Jobs, Steps
from svod.foundation.jobs.running import Done, Kind, Running
from svod.foundation.storage import Blobs, Database, MasterKey, Transaction, Vaults
from svod.knowledge.ingestion import Embedding, Ingesting, Reader
from svod.knowledge.items import FileDraft, ItemQuery, Items, NoteDraft, Target
from svod.knowledge.items.errors import ItemNotFound
from svod.knowledge.items.jobs import Unlinking, unlink
from svod.knowledge.parsing import Parsers
from svod.knowledge.retrieval import Retrieval, RetrievalPlan
from svod.knowledge.workspaces import (
    Caller,
    LevelNotFound,
    Permission,
    PermissionMissing,
    Role,
    Unauthenticated,
    Workspaces,
)
from svod.knowledge.workspaces.caller import OperatorNeeded
from svod.knowledge.workspaces.domains import Registry
from svod.knowledge.workspaces.errors import LevelReadOnly
from svod.knowledge.workspaces.facts import WorkspaceDeleted
from svod.knowledge.workspaces.grants import Grant, Limit
from svod.knowledge.workspaces.members import Invited, MemberChange, Team
from svod.knowledge.workspaces.members.errors import BadName, OwnersOnly
from svod.knowledge.workspaces.replies import Replies, Reply
from svod.knowledge.workspaces.tenants import Tenants
from svod.knowledge.workspaces.tenants.errors import (
    FirstWorkspaceStays,
    NotConfirmed,
    WorkspaceMoved,
    WorkspaceNotFound,
)
from svod.knowledge.workspaces.tenants.jobs import REMOVE_FILES, RemovingFiles

READ = frozenset({Permission.KNOWLEDGE_READ})
WRITE = frozenset({Permission.KNOWLEDGE_WRITE})


class HeldJobs(Jobs):
    """The queue, with what is put in kept for the test to run when it likes."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.waiting: list[Job] = []

    async def queue(self, tx: Transaction, job: Job) -> int | None:  # noqa: ARG002
        self.waiting.append(job)
        return None


@dataclass
class Server:
    """The rooms of one process."""

    workspaces: Workspaces
    tenants: Tenants
    registry: Registry
    team: Team
    items: Items
    ingesting: Ingesting
    embedding: Embedding
    retrieval: Retrieval
    jobs: HeldJobs
    blobs: Blobs
    facts: Facts

    async def work(self) -> None:
        """Do every job that waits, and those they queue."""
        handlers = {"ingest": self.ingesting, "embed": self.embedding}
        while self.jobs.waiting:
            job = self.jobs.waiting.pop(0)
            if job.name in handlers:
                await handlers[job.name](job.arguments)


@pytest_asyncio.fixture
async def server(
    database: Database, vaults: Vaults, workspaces: Workspaces, tmp_path: Path
) -> AsyncGenerator[Server]:
    facts, jobs, clock = Facts(), HeldJobs(database), SystemClock()
    blobs, system = Blobs(tmp_path / "blobs"), workspaces.ground.system
    embedder = PlantedEmbedder(дней=direction(1.0))
    parsers = Parsers(children=1, memory_mb=1500, timeout_s=60)
    ingesting = Ingesting(database, vaults, blobs, jobs, Reader(parsers), embedder)
    items = Items(database, blobs, jobs, facts, clock)
    join(facts, items, ingesting)
    yield Server(
        workspaces,
        Tenants(database, vaults, clock, facts, jobs, workspaces.ground),
        Registry(database, clock, facts, system),
        Team(database, clock),
        items,
        ingesting,
        Embedding(database, vaults, blobs, jobs, clock, embedder),
        Retrieval(database, embedder, clock),
        jobs,
        blobs,
        facts,
    )
    await parsers.close()


async def _rows(database: Database, workspace_id: WorkspaceId) -> dict[str, int]:
    """How many rows of a workspace each table holds; every table of ours is looked at."""
    found: dict[str, int] = {}
    async with database.transaction() as tx:
        cursor = await tx.connection.execute(
            "select table_name from information_schema.columns"
            " where table_schema = current_schema() and column_name = 'workspace_id'"
        )
        for (table,) in await cursor.fetchall():
            counted = await tx.connection.execute(
                f"select count(*) from {table} where workspace_id = %s",  # noqa: S608 - ours
                (workspace_id,),
            )
            row = await counted.fetchone()
            assert row is not None
            if row[0]:
                found[table] = row[0]
    return found


async def _filled(server: Server, database: Database, owner: Caller, word: str) -> Caller:
    """A workspace with something of every kind, as its owner."""
    made = await server.tenants.create(owner, name=f"Лавка {word}", language=Language.RU)
    boss = await server.workspaces.authenticate(made.key.secret)
    name = f"{word}.example"
    await server.registry.add_domain(boss, name)
    await server.registry.add_address(boss, f"support+eu@{name}")
    limits = [Limit(f"domain:{name}", Grant.SEND)]
    await server.team.invite(boss, Invited("a@mail.example", "А", Role.MEMBER, limits))
    await server.workspaces.make_key(boss, name="k", permissions=READ, limits=limits)
    await server.items.add_note(boss, NoteDraft(f"Срок {word} 180 дней"))
    await server.items.add_file(boss, FileDraft("a.md", f"# {word}\n\nВозврат".encode()))
    await server.work()
    # Left as they are in the middle of their work.
    await server.items.add_note(boss, NoteDraft(f"Ещё {word}"))
    async with database.transaction() as tx:
        await Steps(database, boss.vault, "step").store(tx, "one", b"1")
    replies = Replies(database, SystemClock())
    await replies.claim(boss, "r", b"f")
    await replies.keep(boss, "r", Reply(201, {}, "{}"))
    return boss


@pytest.mark.spec("K1", "X1")
async def test_a_workspace_is_made_with_an_owner_whose_key_opens_it_and_nothing_else(
    server: Server, owner: Caller
) -> None:
    made = await server.tenants.create(owner, name=" Лавка ", language=Language.RU)
    boss = await server.workspaces.authenticate(made.key.secret)
    told = await server.workspaces.whoami(boss)
    assert (told.workspace_name, told.role, told.operator) == ("Лавка", Role.OWNER, False)
    assert told.permissions == (Permission.ADMIN,)
    assert boss.own.workspace_id == made.tenant.workspace_id != owner.own.workspace_id
    for refused in (
        server.tenants.create(boss, name="Own", language=Language.EN),
        server.tenants.list(boss),
        server.tenants.delete(boss, boss.own.workspace_id, confirm="Лавка"),
    ):
        with pytest.raises(OperatorNeeded):
            await refused
    with pytest.raises(WorkspaceNotFound):
        await server.tenants.get(boss, owner.own.workspace_id)
    with pytest.raises(BadName):
        await server.tenants.create(owner, name="  ", language=Language.EN)


@pytest.mark.spec("K1")
async def test_an_owner_renames_his_own_workspace_and_the_operator_any(
    server: Server, owner: Caller
) -> None:
    made = await server.tenants.create(owner, name="Before", language=Language.EN)
    boss = await server.workspaces.authenticate(made.key.secret)
    number = made.tenant.workspace_id
    renamed = await server.tenants.change(boss, number, name="После", language=Language.RU)
    assert (renamed.name, renamed.language, renamed.revision) == ("После", Language.RU, 2)
    with pytest.raises(WorkspaceMoved):
        await server.tenants.change(owner, number, name="Late", expected_revision=1)
    assert (await server.tenants.change(owner, number, name="Later")).name == "Later"
    with pytest.raises(WorkspaceNotFound):
        await server.tenants.change(boss, owner.own.workspace_id, name="Mine")
    admin = await server.team.invite(boss, Invited("a@mail.example", "А", Role.ADMIN))
    with pytest.raises(OwnersOnly):
        await server.tenants.change(
            await server.workspaces.member(number, admin.member_id), number, name="Mine"
        )
    viewer = await server.workspaces.make_key(boss, name="v", permissions=READ)
    reader = await server.workspaces.authenticate(viewer.secret)
    with pytest.raises(PermissionMissing):
        await server.tenants.change(reader, number, name="Mine")


@pytest.mark.spec("K1")
async def test_workspaces_are_listed_page_by_page_without_the_systems(
    server: Server, owner: Caller
) -> None:
    for number in range(3):
        await server.tenants.create(owner, name=f"W{number}", language=Language.EN)
    found: list[WorkspaceId] = []
    after: WorkspaceId | None = WorkspaceId(0)
    while after is not None:
        page = await server.tenants.list(owner, after=after, limit=2)
        found += [tenant.workspace_id for tenant in page.tenants]
        after = page.next_after
    assert len(found) == len(set(found)) >= 4
    assert server.workspaces.ground.system not in found
    assert server.workspaces.ground.first in found


@pytest.mark.spec("K1", "X9", "X16")
async def test_of_a_deleted_workspace_nothing_is_left_and_the_others_stay(
    server: Server, database: Database, owner: Caller, tmp_path: Path
) -> None:
    gone = await _filled(server, database, owner, "один")
    kept = await _filled(server, database, owner, "два")
    heard: list[tuple[object, int]] = []

    async def hear(tx: Transaction, fact: WorkspaceDeleted) -> None:
        cursor = await tx.connection.execute(
            "select count(*) from workspace where workspace_id = %s", (fact.workspace_id,)
        )
        row = await cursor.fetchone()
        assert row is not None
        heard.append((fact, row[0]))

    server.facts.listen(WorkspaceDeleted, hear)
    number = gone.own.workspace_id
    before, others = await _rows(database, number), await _rows(database, kept.own.workspace_id)
    assert set(before) == set(others) >= {"chunk", "term_segment", "chunk_vector", "api_key"}
    with pytest.raises(NotConfirmed):
        await server.tenants.delete(owner, number, confirm="Лавка два")
    assert await _rows(database, number) == before
    await server.tenants.delete(owner, number, confirm="Лавка один")

    assert heard == [(WorkspaceDeleted(number), 1)]
    assert await _rows(database, number) == {}
    assert await _rows(database, kept.own.workspace_id) == others
    with pytest.raises(WorkspaceNotFound):
        await server.tenants.delete(owner, number, confirm="Лавка один")
    (removing,) = [job for job in server.jobs.waiting if job.name == REMOVE_FILES]
    folder = tmp_path / "blobs" / str(number)
    assert folder.exists()
    for _ in range(2):
        await RemovingFiles(database, server.blobs)(removing.arguments)
    assert not folder.exists()
    assert (tmp_path / "blobs" / str(kept.own.workspace_id)).exists()
    # The domain is free, and its holder elsewhere is not troubled.
    await server.registry.add_domain(kept, "один.example")


@pytest.mark.spec("K1", "X14")
async def test_another_process_serves_nothing_of_a_deleted_workspace(
    server: Server, database: Database, master_key: MasterKey, owner: Caller
) -> None:
    boss = await _filled(server, database, owner, "три")
    made = await server.workspaces.make_key(boss, name="k", permissions=READ)
    number = boss.own.workspace_id
    elsewhere = await Workspaces.open(database, Vaults(database, master_key), SystemClock())
    caller = await elsewhere.authenticate(made.secret)
    assert (await server.retrieval.search(caller, RetrievalPlan("180 дней"))).hits
    await server.tenants.delete(owner, number, confirm="Лавка три")
    with pytest.raises(Unauthenticated):
        await elsewhere.authenticate(made.secret)
    # One who was let in before finds nothing either, although the keys are still in memory.
    assert not (await server.retrieval.search(caller, RetrievalPlan("180 дней"))).hits
    assert [level.name for level in await elsewhere.levels(caller)] == ["global"]
    with pytest.raises(Unauthenticated):
        await elsewhere.whoami(caller)


@pytest.mark.spec("K1", "X9")
async def test_jobs_of_a_deleted_workspace_end_quietly(
    server: Server, database: Database, master_key: MasterKey, owner: Caller
) -> None:
    boss = await _filled(server, database, owner, "четыре")
    number = boss.own.workspace_id
    (waiting,) = [job for job in server.jobs.waiting if job.arguments["workspace_id"] == number]
    await server.tenants.delete(owner, number, confirm="Лавка четыре")
    fresh = Vaults(database, master_key)
    parsers, embedder = Parsers(children=1, memory_mb=1500, timeout_s=60), PlantedEmbedder()
    given_up: list[Exception | None] = []

    async def gave_up(_: Arguments, error: Exception | None) -> None:  # noqa: RUF029 - awaited
        given_up.append(error)

    for vaults in (fresh, server.tenants.vaults):
        reader = Reader(parsers)
        ingesting = Ingesting(database, vaults, server.blobs, server.jobs, reader, embedder)
        embedding = Embedding(database, vaults, server.blobs, server.jobs, SystemClock(), embedder)
        unlinking = Unlinking(database, server.blobs)
        moments: Arguments = {"workspace_id": number, "card_id": 1}
        for handler, arguments in (
            (ingesting, waiting.arguments),
            (embedding, waiting.arguments),
            (embedding.take_moments, moments),
            (unlinking, unlink(number, [bytes(16)]).arguments),
        ):
            kind = Kind(handler, gave_up)
            assert await Running().run(1, "job", kind, arguments, 4) == Done()
    assert given_up == []
    await parsers.close()


@pytest.mark.spec("K1")
async def test_the_first_workspace_and_the_systems_stay(server: Server, owner: Caller) -> None:
    ground = server.workspaces.ground
    with pytest.raises(FirstWorkspaceStays):
        await server.tenants.delete(owner, ground.first, confirm="Workspace")
    with pytest.raises(WorkspaceNotFound):
        await server.tenants.delete(owner, ground.system, confirm="global")


@pytest.mark.spec("X3", "X2", "N-61")
@pytest.mark.parametrize(("lang", "word"), [("ru", "канарейка"), ("en", "canary")])
async def test_a_limited_key_finds_nothing_of_a_level_that_it_may_not_see(
    server: Server, owner: Caller, lang: str, word: str
) -> None:
    made = await server.tenants.create(owner, name="Лавка", language=Language(lang))
    boss = await server.workspaces.authenticate(made.key.secret)
    name = f"seen-{lang}.example"
    for domain in (name, f"other-{name}"):
        await server.registry.add_domain(boss, domain)
        await server.registry.add_address(boss, f"support@{domain}")
    await server.registry.add_address(boss, f"hr@{name}")
    seen = ("workspace", f"domain:{name}", f"address:support@{name}")
    hidden = (f"address:hr@{name}", f"domain:other-{name}", f"address:support@other-{name}")
    ids: dict[str, ItemId] = {}
    for level in (*seen, *hidden):
        kind, colon, rest = level.partition(":")
        draft = NoteDraft(f"{word} {level}", target=Target(f"{kind}{colon}{rest.upper()}"))
        ids[level] = (await server.items.add_note(boss, draft)).item.item_id
    await server.work()
    limits = [Limit(f"address:support@{name}", Grant.SEND)]
    key = await server.workspaces.make_key(boss, name="k", permissions=WRITE, limits=limits)
    caller = await server.workspaces.authenticate(key.secret)

    async def found() -> set[str]:
        hits = (await server.retrieval.search(caller, RetrievalPlan(word, limit=20))).hits
        listed = (await server.items.list(caller, ItemQuery(limit=50))).items
        assert {hit.level for hit in hits} == {item.level for item in listed}
        return {hit.level for hit in hits}

    assert await found() == set(seen)
    with pytest.raises(LevelNotFound):
        await server.retrieval.search(caller, RetrievalPlan(word, levels=(hidden[0],)))
    for level, item_id in ids.items():
        if level in hidden:
            with pytest.raises(ItemNotFound):
                await server.items.get(caller, item_id)
    for level, failure in (
        (hidden[0], LevelNotFound),
        (seen[0], LevelReadOnly),
        (seen[1], LevelReadOnly),
    ):
        with pytest.raises(failure):
            await server.items.add_note(caller, NoteDraft("x", target=Target(level)))
    await server.items.add_note(caller, NoteDraft("x", target=Target(seen[2])))
    addresses = (await server.registry.addresses(boss, domain=f"other-{name}")).addresses
    only = [Limit(addresses[0].level, Grant.READ)]
    member = await server.team.invite(boss, Invited("a@mail.example", "А", Role.ADMIN))
    his = await server.workspaces.member(boss.own.workspace_id, member.member_id)
    other = await server.workspaces.make_key(his, name="o", permissions=WRITE)
    caller = await server.workspaces.authenticate(other.secret)
    assert await found() == {*seen, *hidden}
    await server.team.change(boss, member.member_id, MemberChange(role=Role.VIEWER, limits=only))
    # The same caller, let in before: his next statement sees no more than his member does now.
    assert await found() == {"workspace", *hidden[1:]}


@pytest.mark.spec("K1", "K3", "X16")
async def test_a_domain_goes_with_its_addresses_and_every_item_on_them(
    server: Server, database: Database, owner: Caller
) -> None:
    made = await server.tenants.create(owner, name="Лавка", language=Language.RU)
    boss = await server.workspaces.authenticate(made.key.secret)
    domain = await server.registry.add_domain(boss, "going.example")
    await server.registry.add_address(boss, "support+eu@going.example")
    await server.items.add_note(boss, NoteDraft("остаётся 180 дней"))
    await server.work()
    before = await _rows(database, boss.own.workspace_id)
    for level in (domain.level, "address:support+eu@going.example"):
        target = Target(level, namespace="faq")
        await server.items.add_note(boss, NoteDraft("уходит 180 дней", target=target))
        await server.items.add_file(boss, FileDraft("a.md", b"going", target=target))
    await server.work()
    assert (await server.registry.domain(boss, domain.domain_id)).items == 4
    assert len((await server.retrieval.search(boss, RetrievalPlan("180 дней"))).hits) == 3
    await server.registry.delete_domain(boss, domain.domain_id)
    hits = (await server.retrieval.search(boss, RetrievalPlan("180 дней"))).hits
    assert [hit.text for hit in hits] == ["остаётся 180 дней"]
    after = await _rows(database, boss.own.workspace_id)
    for table in ("item", "item_version", "chunk", "chunk_vector", "term_segment", "blob"):
        assert after.get(table, 0) == before.get(table, 0), table
    assert (after["level"], after["namespace"]) == (1, 1)
