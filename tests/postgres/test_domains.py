"""Domains and addresses, and what a read for one covers, on a real database."""

import asyncio

import pytest
import pytest_asyncio

from svod.foundation.clock import SystemClock
from svod.foundation.facts import Facts
from svod.foundation.ids import LevelId
from svod.foundation.storage import Database, Transaction, Vaults
from svod.knowledge.workspaces import (
    Caller,
    LevelNotFound,
    Permission,
    PermissionMissing,
    Workspaces,
)
from svod.knowledge.workspaces.domains import Registry
from svod.knowledge.workspaces.domains.errors import (
    AddressNotFound,
    AddressOutside,
    AddressTaken,
    BaseInUse,
    DomainNotFound,
    DomainTaken,
)
from svod.knowledge.workspaces.facts import LevelsDeleted
from svod.knowledge.workspaces.first_run import OWNER, make_workspace
from svod.knowledge.workspaces.grants import Grant, Limit

READ = frozenset({Permission.KNOWLEDGE_READ})


@pytest.fixture
def registry(workspaces: Workspaces, facts: Facts) -> Registry:
    return Registry(workspaces.database, workspaces.clock, facts, workspaces.ground.system)


@pytest_asyncio.fixture
async def caller(workspaces: Workspaces) -> Caller:
    """The owner of a workspace of the test's own."""
    return await _a_tenant(workspaces)


async def _a_tenant(workspaces: Workspaces) -> Caller:
    async with workspaces.database.transaction() as tx:
        workspace_id = await make_workspace(
            tx, workspaces.vaults, workspaces.clock, kind="tenant", name="Лавка", language="ru"
        )
    return await workspaces.member(workspace_id, OWNER)


def _name(word: str) -> str:
    """A domain of one test: they are unique on the server."""
    return f"{word}.example"


@pytest.mark.spec("K1", "K5")
async def test_a_domain_and_its_addresses_become_levels(
    workspaces: Workspaces, registry: Registry, caller: Caller
) -> None:
    domain = await registry.add_domain(caller, "Лавка.Example")
    assert (domain.shown_as, domain.platform) == ("лавка.example", False)
    assert domain.name.startswith("xn--")
    address = await registry.add_address(caller, "Support@ЛАВКА.example.")
    assert address.name == f"support@{domain.name}"
    assert (address.domain, address.base) == (domain.name, None)
    channel = await registry.add_domain(caller, "Telegram:Lavka_Bot")
    assert (channel.name, channel.platform) == ("telegram:lavka_bot", True)
    account = await registry.add_address(caller, "+79990001122@telegram:lavka_bot")
    assert account.base is None
    names = {level.name: level.may_change for level in await workspaces.levels(caller)}
    assert names == {
        "workspace": True,
        domain.level: True,
        channel.level: True,
        address.level: True,
        account.level: True,
        "global": False,
    }
    page = await registry.domains(caller, limit=1)
    assert [one.name for one in page.domains] == [domain.name]
    assert page.next_after is not None
    rest = await registry.domains(caller, after=page.next_after)
    assert [one.name for one in rest.domains] == [channel.name]
    assert rest.next_after is None
    listed = await registry.addresses(caller, domain="лавка.example")
    assert [one.name for one in listed.addresses] == [address.name]


@pytest.mark.spec("K1")
async def test_a_domain_is_held_by_one_workspace_and_nobody_is_told_which(
    workspaces: Workspaces, registry: Registry, caller: Caller
) -> None:
    other = await _a_tenant(workspaces)
    name = _name("held")
    held = await registry.add_domain(caller, name)
    with pytest.raises(DomainTaken) as own:
        await registry.add_domain(caller, name.upper())
    with pytest.raises(DomainTaken) as foreign:
        await registry.add_domain(other, name)
    assert str(own.value) == str(foreign.value)
    with pytest.raises(AddressOutside):
        await registry.add_address(other, f"support@{name}")
    with pytest.raises(DomainNotFound):
        await registry.delete_domain(other, LevelId(held.domain_id + 1))
    await registry.delete_domain(caller, held.domain_id)
    assert (await registry.add_domain(other, name)).name == name


@pytest.mark.spec("K4")
async def test_a_plus_address_brings_its_base_and_keeps_it(
    registry: Registry, caller: Caller
) -> None:
    name = _name("plus")
    domain = await registry.add_domain(caller, name)
    plus = await registry.add_address(caller, f"support+eu@{name}")
    assert plus.base == f"support@{name}"
    with pytest.raises(AddressTaken):
        await registry.add_address(caller, f"support@{name}")
    base, shown = (await registry.addresses(caller)).addresses
    assert (base.name, shown.name) == (plus.base, plus.name)
    assert (await registry.domain(caller, domain.domain_id)).addresses == 2
    with pytest.raises(BaseInUse):
        await registry.delete_address(caller, base.address_id)
    await registry.delete_address(caller, plus.address_id)
    await registry.delete_address(caller, base.address_id)
    with pytest.raises(AddressNotFound):
        await registry.delete_address(caller, base.address_id)


@pytest.mark.spec("K3", "K4")
async def test_a_read_path_goes_from_the_address_to_the_global_level(
    workspaces: Workspaces, registry: Registry, caller: Caller
) -> None:
    name = _name("path")
    await registry.add_domain(caller, name)
    await registry.add_address(caller, f"support+eu@{name}")
    whole = (
        f"address:support+eu@{name}",
        f"address:support@{name}",
        f"domain:{name}",
        "workspace",
        "global",
    )
    for step, level in enumerate(whole):
        assert await workspaces.read_path(caller, level) == whole[step:]
    assert await workspaces.read_path(caller, f"domain:{name.upper()}.") == whole[2:]
    for missing in (f"address:nobody@{name}", "domain:elsewhere.example", "", "somewhere:x"):
        with pytest.raises(LevelNotFound):
            await workspaces.read_path(caller, missing)


@pytest.mark.spec("X3", "K3")
async def test_a_read_path_ends_where_nothing_may_be_read(
    workspaces: Workspaces, registry: Registry, caller: Caller
) -> None:
    name = _name("seen")
    await registry.add_domain(caller, name)
    for local in ("sales", "support"):
        await registry.add_address(caller, f"{local}@{name}")
    limits = [Limit(f"address:sales@{name}", Grant.READ)]
    made = await workspaces.make_key(caller, name="sales", permissions=READ, limits=limits)
    key = await workspaces.authenticate(made.secret)
    seen = await workspaces.read_path(key, f"address:sales@{name}")
    assert seen == (f"address:sales@{name}", f"domain:{name}", "workspace", "global")
    with pytest.raises(LevelNotFound) as hidden:
        await workspaces.read_path(key, f"address:support@{name}")
    with pytest.raises(LevelNotFound) as missing:
        await workspaces.read_path(key, f"address:missing@{name}")
    assert str(hidden.value).replace("support", "missing") == str(missing.value)


@pytest.mark.spec("K1")
async def test_a_domain_goes_with_its_addresses_and_says_so_before(
    workspaces: Workspaces, registry: Registry, caller: Caller, facts: Facts, database: Database
) -> None:
    name = _name("gone")
    domain = await registry.add_domain(caller, name)
    await registry.add_address(caller, f"support+eu@{name}")
    heard: list[tuple[LevelsDeleted, int]] = []

    async def hear(tx: Transaction, fact: LevelsDeleted) -> None:
        cursor = await tx.connection.execute(
            "select count(*) from level where workspace_id = %s and level_id = any(%s)",
            (fact.workspace_id, list(fact.level_ids)),
        )
        row = await cursor.fetchone()
        assert row is not None
        heard.append((fact, row[0]))

    facts.listen(LevelsDeleted, hear)
    await registry.delete_domain(caller, domain.domain_id)
    ((fact, there),) = heard
    assert (fact.workspace_id, len(fact.level_ids), there) == (caller.own.workspace_id, 3, 3)
    assert fact.level_ids[0] == domain.domain_id
    names = {level.name for level in await workspaces.levels(caller)}
    assert names == {"workspace", "global"}
    async with database.transaction() as tx:
        cursor = await tx.connection.execute(
            "select count(*) from namespace where workspace_id = %s", (caller.own.workspace_id,)
        )
        assert await cursor.fetchone() == (1,)


@pytest.mark.spec("X1", "K1")
async def test_domains_are_an_admins(
    workspaces: Workspaces, registry: Registry, caller: Caller
) -> None:
    permissions = frozenset({Permission.KNOWLEDGE_WRITE})
    made = await workspaces.make_key(caller, name="writer", permissions=permissions)
    writer = await workspaces.authenticate(made.secret)
    for refused in (
        registry.domains(writer),
        registry.addresses(writer),
        registry.add_domain(writer, _name("writer")),
        registry.add_address(writer, f"support@{_name('writer')}"),
        registry.delete_domain(writer, LevelId(1)),
        registry.delete_address(writer, LevelId(1)),
    ):
        with pytest.raises(PermissionMissing):
            await refused


@pytest.mark.spec("K1")
async def test_two_workspaces_at_once_do_not_both_get_a_domain(
    database: Database, vaults: Vaults, workspaces: Workspaces, registry: Registry
) -> None:

    assert (await Workspaces.open(database, vaults, SystemClock())).ground == workspaces.ground
    callers = [await _a_tenant(workspaces) for _ in range(4)]
    name, got = _name("raced"), []

    async def race(caller: Caller) -> None:
        try:
            await registry.add_domain(caller, name)
        except DomainTaken:
            return
        got.append(caller)

    async with asyncio.TaskGroup() as group:
        for caller in callers:
            group.create_task(race(caller))
    assert len(got) == 1
