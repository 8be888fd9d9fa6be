"""Members, their keys and what both lose, on a real database."""

import asyncio

import pytest
import pytest_asyncio

from svod.foundation.facts import Facts
from svod.foundation.ids import PrincipalId
from svod.knowledge.workspaces import (
    Caller,
    LevelNotFound,
    Permission,
    PermissionMissing,
    Role,
    Unauthenticated,
    Workspaces,
)
from svod.knowledge.workspaces.domains import Registry
from svod.knowledge.workspaces.errors import AdminLimited
from svod.knowledge.workspaces.first_run import OWNER, make_workspace
from svod.knowledge.workspaces.grants import BadLimit, Grant, Limit
from svod.knowledge.workspaces.members import Invited, Member, MemberChange, Team
from svod.knowledge.workspaces.members.errors import (
    BadEmail,
    BadName,
    EmailTaken,
    LastOwner,
    MemberMoved,
    MemberNotFound,
    OperatorStays,
    OwnersOnly,
)
from svod.knowledge.workspaces.roles import every

WRITE = frozenset({Permission.KNOWLEDGE_WRITE})


@pytest.fixture
def team(workspaces: Workspaces) -> Team:
    return Team(workspaces.database, workspaces.clock)


@pytest_asyncio.fixture
async def boss(workspaces: Workspaces) -> Caller:
    """The owner of a workspace of the test's own."""
    async with workspaces.database.transaction() as tx:
        workspace_id = await make_workspace(
            tx, workspaces.vaults, workspaces.clock, kind="tenant", name="Лавка", language="ru"
        )
    return await workspaces.member(workspace_id, OWNER)


@pytest_asyncio.fixture
async def domain(workspaces: Workspaces, boss: Caller) -> str:
    """The name of a domain with one address, `support`."""
    registry = Registry(workspaces.database, workspaces.clock, Facts(), workspaces.ground.system)
    name = f"w{boss.own.workspace_id}.example"
    await registry.add_domain(boss, name)
    await registry.add_address(boss, f"support@{name}")
    return name


async def _a_member(team: Team, by: Caller, role: Role, **given: object) -> Member:
    email = f"{role}{given.pop('number', 0)}@mail.example"
    return await team.invite(by, Invited(email, "Кто-то", role, **given))  # type: ignore[arg-type]


async def _as(workspaces: Workspaces, boss: Caller, member: Member) -> Caller:
    return await workspaces.member(boss.own.workspace_id, member.member_id)


async def _may(workspaces: Workspaces, caller: Caller) -> dict[str, bool]:
    told = await workspaces.whoami(caller)
    return {level.name: level.may_change for level in told.levels}


@pytest.mark.spec("X1", "I7a")
@pytest.mark.parametrize(
    ("role", "reads", "writes", "admin"),
    [
        (Role.OWNER, True, True, True),
        (Role.ADMIN, True, True, True),
        (Role.MEMBER, True, True, False),
        (Role.DEVELOPER, True, True, False),
        (Role.VIEWER, True, False, False),
        (Role.BILLING, False, False, False),
    ],
)
async def test_a_role_is_its_permissions(
    workspaces: Workspaces,
    team: Team,
    boss: Caller,
    role: Role,
    *,
    reads: bool,
    writes: bool,
    admin: bool,
) -> None:
    caller = await _as(workspaces, boss, await _a_member(team, boss, role))
    held = every(caller.permissions)
    for area in ("knowledge", "threads", "projects"):
        assert (Permission(f"{area}:read") in held) is reads
        assert (Permission(f"{area}:write") in held) is writes
    assert (Permission.ADMIN in held) is admin
    told = await workspaces.whoami(caller)
    assert (told.role, told.limits, told.operator) == (role, None, False)
    expected = {"workspace": writes, "global": False} if reads else {}
    assert {level.name: level.may_change for level in told.levels} == expected


@pytest.mark.spec("X1")
async def test_an_admin_makes_changes_and_removes_no_owner(
    workspaces: Workspaces, team: Team, boss: Caller
) -> None:
    admin = await _as(workspaces, boss, await _a_member(team, boss, Role.ADMIN))
    other = await _a_member(team, admin, Role.VIEWER)
    second = await _a_member(team, boss, Role.OWNER)
    for refused in (
        _a_member(team, admin, Role.OWNER, number=1),
        team.change(admin, other.member_id, MemberChange(role=Role.OWNER)),
        team.change(admin, second.member_id, MemberChange(email="mine@mail.example")),
        team.change(admin, OWNER, MemberChange(role=Role.VIEWER)),
        team.remove(admin, second.member_id),
    ):
        with pytest.raises(OwnersOnly):
            await refused
    assert (await team.change(boss, second.member_id, MemberChange(role=Role.VIEWER))).revision == 2
    with pytest.raises(PermissionMissing):
        await team.members(await _as(workspaces, boss, second))


@pytest.mark.spec("X1")
async def test_a_workspace_keeps_an_owner(workspaces: Workspaces, team: Team, boss: Caller) -> None:
    for refused in (
        team.remove(boss, OWNER),
        team.change(boss, OWNER, MemberChange(role=Role.ADMIN)),
        team.change(boss, OWNER, MemberChange(disabled=True)),
    ):
        with pytest.raises(LastOwner):
            await refused
    second = await _as(workspaces, boss, await _a_member(team, boss, Role.OWNER))

    async def demote(by: Caller, whom: PrincipalId | None) -> bool:
        assert whom is not None
        try:
            await team.change(by, whom, MemberChange(role=Role.VIEWER))
        except (PermissionMissing, OwnersOnly, LastOwner):
            return False
        return True

    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(demote(boss, second.member_id)),
            group.create_task(demote(second, boss.member_id)),
        ]
    assert sorted(task.result() for task in tasks) == [False, True]


@pytest.mark.spec("X1")
async def test_the_operator_stays_an_owner_and_is_changed_by_himself_alone(
    workspaces: Workspaces, team: Team, owner: Caller
) -> None:
    second = await _as(workspaces, owner, await _a_member(team, owner, Role.OWNER))
    for refused in (
        team.change(second, OWNER, MemberChange(email="stolen@mail.example")),
        team.change(second, OWNER, MemberChange(role=Role.VIEWER)),
        team.change(owner, OWNER, MemberChange(disabled=True)),
        team.remove(second, OWNER),
        team.remove(owner, OWNER),
    ):
        with pytest.raises(OperatorStays):
            await refused
    changed = await team.change(owner, OWNER, MemberChange(email="Boss@Mail.Example", name="Я"))
    assert (changed.email, changed.name, changed.operator) == ("boss@mail.example", "Я", True)


@pytest.mark.spec("X1", "X5")
async def test_members_are_told_apart_by_their_e_mail_which_is_kept_sealed(
    workspaces: Workspaces, team: Team, boss: Caller
) -> None:
    anna = await team.invite(boss, Invited("Anna@Почта.рф", " Анна ", Role.VIEWER))
    assert (anna.name, anna.keys, anna.disabled_at) == ("Анна", 0, None)
    with pytest.raises(EmailTaken):
        await team.invite(boss, Invited("anna@почта.РФ.", "Б", Role.VIEWER))
    for bad in ("anna", "a@b", "a b@mail.example", "a@telegram:bot"):
        with pytest.raises(BadEmail):
            await team.invite(boss, Invited(bad, "Б", Role.VIEWER))
    for name in ("", "  ", "x" * 101):
        with pytest.raises(BadName):
            await team.invite(boss, Invited("b@mail.example", name, Role.VIEWER))
    with pytest.raises(MemberMoved):
        await team.change(boss, anna.member_id, MemberChange(name="В"), expected_revision=9)
    assert (await team.change(boss, anna.member_id, MemberChange(email=anna.email))).revision == 2
    async with workspaces.database.transaction() as tx:
        cursor = await tx.connection.execute(
            "select p::text from principal p where workspace_id = %s", (boss.own.workspace_id,)
        )
        stored = repr(await cursor.fetchall())
    assert b"anna".hex() not in stored
    assert "Анна".encode().hex() not in stored
    await team.remove(boss, anna.member_id)
    with pytest.raises(MemberNotFound):
        await team.member(boss, anna.member_id)
    with pytest.raises(Unauthenticated):
        await workspaces.member(boss.own.workspace_id, anna.member_id)


@pytest.mark.spec("X2", "X2a")
async def test_limits_are_domains_and_addresses_of_the_workspace_and_not_for_admins(
    workspaces: Workspaces, team: Team, boss: Caller, domain: str
) -> None:
    given = [Limit(f"domain:{domain.upper()}", Grant.READ), Limit(f"domain:{domain}", Grant.SEND)]
    member = await _a_member(team, boss, Role.MEMBER, limits=given)
    assert member.limits == (Limit(f"domain:{domain}", Grant.SEND),)
    for role in (Role.ADMIN, Role.OWNER):
        with pytest.raises(AdminLimited):
            await _a_member(team, boss, role, limits=[])
    with pytest.raises(AdminLimited):
        await team.change(boss, member.member_id, MemberChange(role=Role.ADMIN))
    admin = frozenset({Permission.ADMIN})
    with pytest.raises(AdminLimited):
        await workspaces.make_key(boss, name="k", permissions=admin, limits=given)
    for level, failure in (
        ("workspace", BadLimit),
        ("global", BadLimit),
        ("", BadLimit),
        ("domain:elsewhere.example", LevelNotFound),
        (f"address:nobody@{domain}", LevelNotFound),
    ):
        with pytest.raises(failure):
            await workspaces.make_key(
                boss, name="k", permissions=WRITE, limits=[Limit(level, Grant.READ)]
            )
    many = [Limit(f"address:{n}@{domain}", Grant.READ) for n in range(1001)]
    with pytest.raises(BadLimit):
        await workspaces.make_key(boss, name="k", permissions=WRITE, limits=many)
    assert await workspaces.keys(boss) == ()


@pytest.mark.spec("X2", "X4", "N-61")
async def test_what_a_member_loses_his_keys_lose_at_once(
    workspaces: Workspaces, team: Team, boss: Caller, domain: str
) -> None:
    member = await _a_member(team, boss, Role.ADMIN)
    number, address = member.member_id, f"address:support@{domain}"
    his = await _as(workspaces, boss, member)
    whole = await workspaces.make_key(his, name="whole", permissions=frozenset(Permission))
    narrow = await workspaces.make_key(
        his, name="narrow", permissions=WRITE, limits=[Limit(f"domain:{domain}", Grant.SEND)]
    )
    assert (await team.member(boss, number)).keys == 2
    key = await workspaces.authenticate(whole.secret)
    other = await workspaces.authenticate(narrow.secret)
    assert await _may(workspaces, key) == {
        "workspace": True,
        f"domain:{domain}": True,
        address: True,
        "global": False,
    }
    limits = [Limit(address, Grant.READ)]
    await team.change(boss, number, MemberChange(role=Role.MEMBER, limits=limits))
    # The callers were found before the change: grants count from the next statement on.
    expected = {"workspace": False, f"domain:{domain}": False, address: False, "global": False}
    for caller in (key, other):
        assert await _may(workspaces, caller) == expected
    key = await workspaces.authenticate(whole.secret)
    assert not key.may(Permission.ADMIN)
    assert key.may(Permission.THREADS_WRITE)
    assert (await workspaces.whoami(key)).limits == tuple(limits)
    await team.change(boss, number, MemberChange(disabled=True))
    for secret in (whole.secret, narrow.secret):
        with pytest.raises(Unauthenticated):
            await workspaces.authenticate(secret)
    with pytest.raises(LevelNotFound):
        await workspaces.read_path(key, "workspace")
    await team.change(boss, number, MemberChange(disabled=False, limits=None))
    assert (await _may(workspaces, other))[address] is True
    await team.remove(boss, number)
    assert await workspaces.keys(boss) == ()
    with pytest.raises(Unauthenticated):
        await workspaces.authenticate(narrow.secret)
    with pytest.raises(LevelNotFound):
        await workspaces.read_path(other, address)


@pytest.mark.spec("X4")
async def test_a_key_made_by_a_key_is_the_members(
    workspaces: Workspaces, team: Team, boss: Caller
) -> None:
    his = await _as(workspaces, boss, await _a_member(team, boss, Role.ADMIN))
    old = await workspaces.make_key(his, name="old", permissions=frozenset({Permission.ADMIN}))
    caller = await workspaces.authenticate(old.secret)
    new = await workspaces.make_key(caller, name="new", permissions=WRITE)
    assert (new.key.member_id, new.key.made_by) == (his.member_id, old.key.principal_id)
    await workspaces.revoke_key(boss, old.key.principal_id)
    assert (await workspaces.authenticate(new.secret)).permissions == WRITE
    with pytest.raises(LevelNotFound):
        await workspaces.read_path(caller, "workspace")
