"""Signing in on a real database: passwords, invitations, sessions, attempts, and the log."""

from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest
import pytest_asyncio

from svod.foundation.facts import Facts
from svod.foundation.ids import PrincipalId
from svod.foundation.jobs import Jobs
from svod.knowledge.workspaces import Caller, Role, Unauthenticated, Workspaces
from svod.knowledge.workspaces.audit import Action, Audit, AuditQuery
from svod.knowledge.workspaces.errors import SetupLinkSpent
from svod.knowledge.workspaces.first_run import OWNER, make_workspace
from svod.knowledge.workspaces.members import Invited, MemberChange, Team
from svod.knowledge.workspaces.members.errors import EmailTaken, OwnersOnly
from svod.knowledge.workspaces.sign_in import Attempts, Browsers, SignIn
from svod.knowledge.workspaces.sign_in.attempts import MOST_OF_EMAIL
from svod.knowledge.workspaces.sign_in.errors import (
    BadPassword,
    InvitationSpent,
    SessionNeeded,
    TooManyAttempts,
    WrongPassword,
)
from svod.knowledge.workspaces.sign_in.sessions import IDLE, LIFE
from svod.knowledge.workspaces.tenants import Tenants

PASSWORD = "четыре слова подряд"
OTHER = "four other words here"
HERE = "127.0.0.1"


class Moved:
    """A clock that can be set forward."""

    def __init__(self, clock: object) -> None:
        self._clock = clock
        self.ahead = timedelta()

    def now(self) -> object:
        return self._clock.now() + self.ahead


@pytest.fixture
def clock(workspaces: Workspaces) -> Moved:
    return Moved(workspaces.clock)


@pytest.fixture
def sign_in(workspaces: Workspaces, clock: Moved) -> SignIn:
    rooms = (workspaces.database, workspaces.vaults, clock)
    return SignIn(
        *rooms,
        workspaces.ground,
        Team(workspaces.database, clock),
        Browsers(*rooms, replace(workspaces, clock=clock)),
        Attempts(*rooms, workspaces.ground.system),
    )


@pytest_asyncio.fixture
async def boss(workspaces: Workspaces) -> Caller:
    return await _boss(workspaces)


async def _boss(workspaces: Workspaces) -> Caller:
    async with workspaces.database.transaction() as tx:
        workspace_id = await make_workspace(
            tx, workspaces.vaults, workspaces.clock, kind="tenant", name="Лавка", language="ru"
        )
    return await workspaces.member(workspace_id, OWNER)


def _email(boss: Caller) -> str:
    return f"anna{boss.own.workspace_id}@example.com"


async def _joined(
    sign_in: SignIn, boss: Caller, *, email: str | None = None, password: str = PASSWORD
) -> PrincipalId:
    invited = Invited(email or _email(boss), "Анна", Role.MEMBER)
    member = await sign_in.team.invite(boss, invited)
    invitation = await sign_in.invite(boss, member.member_id)
    await sign_in.accept(invitation.secret, password=password, client=HERE)
    return member.member_id


async def _actions(boss: Caller, sign_in: SignIn) -> list[Action]:
    audit = Audit(sign_in.database, sign_in.clock)
    return [one.action for one in (await audit.entries(boss, AuditQuery())).entries]


@pytest.mark.spec("X4", "X12")
async def test_an_invited_member_chooses_a_password_and_signs_in(
    sign_in: SignIn, boss: Caller
) -> None:
    member_id = await _joined(sign_in, boss)
    entered = await sign_in.enter(f"  {_email(boss).upper()}", password=PASSWORD, client=HERE)
    caller = await sign_in.browsers.authenticate(entered.secret)
    assert (caller.own.principal_id, caller.role) == (member_id, Role.MEMBER)
    assert [one.workspace_name for one in entered.memberships] == ["Лавка"]
    assert (await _actions(boss, sign_in))[:3] == [
        Action.SIGNED_IN,
        Action.SIGNED_IN,
        Action.MEMBER_INVITED,
    ]


@pytest.mark.spec("X4")
async def test_an_invitation_works_once_and_for_a_week(
    sign_in: SignIn, boss: Caller, clock: Moved
) -> None:
    member = await sign_in.team.invite(boss, Invited(_email(boss), "Анна", Role.VIEWER))
    first = await sign_in.invite(boss, member.member_id)
    second = await sign_in.invite(boss, member.member_id)
    with pytest.raises(InvitationSpent):
        await sign_in.accept(first.secret, password=PASSWORD, client=HERE)
    with pytest.raises(BadPassword):
        await sign_in.accept(second.secret, password="short", client=HERE)
    await sign_in.accept(second.secret, password=PASSWORD, client=HERE)
    with pytest.raises(InvitationSpent):
        await sign_in.accept(second.secret, password=OTHER, client=HERE)
    third = await sign_in.invite(boss, member.member_id)
    clock.ahead = timedelta(days=8)
    with pytest.raises(InvitationSpent):
        await sign_in.accept(third.secret, password=OTHER, client=HERE)


@pytest.mark.spec("X4")
async def test_a_wrong_password_and_an_unknown_email_look_alike(
    sign_in: SignIn, boss: Caller
) -> None:
    await _joined(sign_in, boss)
    with pytest.raises(WrongPassword) as wrong:
        await sign_in.enter(_email(boss), password=OTHER, client=HERE)
    with pytest.raises(WrongPassword) as unknown:
        await sign_in.enter(f"no{_email(boss)}", password=OTHER, client=HERE)
    with pytest.raises(WrongPassword):
        await sign_in.enter("not an e-mail", password=OTHER, client=HERE)
    assert wrong.value.message() == unknown.value.message()
    assert (await _actions(boss, sign_in))[0] is Action.SIGN_IN_FAILED


@pytest.mark.spec("X4")
async def test_guessing_is_refused_and_the_right_password_waits_too(
    sign_in: SignIn, boss: Caller, clock: Moved
) -> None:
    await _joined(sign_in, boss)
    for _ in range(MOST_OF_EMAIL):
        with pytest.raises(WrongPassword):
            await sign_in.enter(_email(boss), password=OTHER, client="198.51.100.7")
    with pytest.raises(TooManyAttempts):
        await sign_in.enter(_email(boss), password=PASSWORD, client="198.51.100.8")
    clock.ahead = timedelta(minutes=16)
    assert await sign_in.enter(_email(boss), password=PASSWORD, client="198.51.100.8")


@pytest.mark.spec("X4", "X3")
async def test_one_email_leads_to_each_workspace_that_has_this_password(
    sign_in: SignIn, workspaces: Workspaces, boss: Caller
) -> None:
    other, third = await _boss(workspaces), await _boss(workspaces)
    for at, password in ((boss, PASSWORD), (other, PASSWORD), (third, OTHER)):
        await _joined(sign_in, at, email=_email(boss), password=password)
    entered = await sign_in.enter(_email(boss), password=PASSWORD, client=HERE)
    led = {one.workspace_id for one in entered.memberships}
    assert led == {boss.own.workspace_id, other.own.workspace_id}
    again = await sign_in.browsers.where(entered.secret)
    assert {one.workspace_id for one in again.memberships} == led
    for workspace_id in led:
        caller = await sign_in.browsers.authenticate(entered.secret, workspace=workspace_id)
        assert caller.own.workspace_id == workspace_id
    with pytest.raises(Unauthenticated):
        await sign_in.browsers.authenticate(entered.secret, workspace=third.own.workspace_id)
    await sign_in.browsers.leave(entered.secret)
    for workspace_id in led:
        with pytest.raises(Unauthenticated):
            await sign_in.browsers.authenticate(entered.secret, workspace=workspace_id)


@pytest.mark.spec("X4")
async def test_a_session_ends_when_unused_old_or_its_member_disabled(
    sign_in: SignIn, boss: Caller, clock: Moved
) -> None:
    member_id = await _joined(sign_in, boss)

    async def entered() -> str:
        return (await sign_in.enter(_email(boss), password=PASSWORD, client=HERE)).secret

    unused = await entered()
    clock.ahead = IDLE + timedelta(minutes=1)
    with pytest.raises(Unauthenticated):
        await sign_in.browsers.authenticate(unused)
    used = await entered()
    began = clock.ahead
    while clock.ahead < began + LIFE:
        await sign_in.browsers.authenticate(used)
        clock.ahead += timedelta(days=5)
    with pytest.raises(Unauthenticated):
        await sign_in.browsers.authenticate(used)
    last = await entered()
    await sign_in.team.change(boss, member_id, MemberChange(disabled=True))
    with pytest.raises(Unauthenticated):
        await sign_in.browsers.authenticate(last)
    with pytest.raises(WrongPassword):
        await sign_in.enter(_email(boss), password=PASSWORD, client=HERE)


@pytest.mark.spec("X4")
async def test_a_new_password_ends_the_other_sessions(sign_in: SignIn, boss: Caller) -> None:
    await _joined(sign_in, boss)
    mine = await sign_in.enter(_email(boss), password=PASSWORD, client=HERE)
    other = await sign_in.enter(_email(boss), password=PASSWORD, client=HERE)
    caller = await sign_in.browsers.authenticate(mine.secret)
    with pytest.raises(WrongPassword):
        await sign_in.change_password(caller, current=OTHER, new=OTHER, secret=mine.secret)
    await sign_in.change_password(caller, current=PASSWORD, new=OTHER, secret=mine.secret)
    assert await sign_in.browsers.authenticate(mine.secret)
    with pytest.raises(Unauthenticated):
        await sign_in.browsers.authenticate(other.secret)
    with pytest.raises(WrongPassword):
        await sign_in.enter(_email(boss), password=PASSWORD, client=HERE)
    assert await sign_in.enter(_email(boss), password=OTHER, client=HERE)
    with pytest.raises(SessionNeeded):
        await sign_in.change_password(boss, current=OTHER, new=PASSWORD, secret="")


@pytest.mark.spec("X4")
async def test_who_gets_another_email_signs_in_with_it(sign_in: SignIn, boss: Caller) -> None:
    member_id = await _joined(sign_in, boss)
    await sign_in.team.change(boss, member_id, MemberChange(email=f"new-{_email(boss)}"))
    assert await sign_in.enter(f"new-{_email(boss)}", password=PASSWORD, client=HERE)
    with pytest.raises(WrongPassword):
        await sign_in.enter(_email(boss), password=PASSWORD, client=HERE)


@pytest.mark.spec("X1", "X4")
async def test_an_admin_makes_no_way_in_as_an_owner(sign_in: SignIn, boss: Caller) -> None:
    admin = await sign_in.team.invite(boss, Invited(_email(boss), "Анна", Role.ADMIN))
    owner = await sign_in.team.invite(boss, Invited(f"o{_email(boss)}", "Олег", Role.OWNER))
    joined = await sign_in.invite(boss, admin.member_id)
    entered = await sign_in.accept(joined.secret, password=PASSWORD, client=HERE)
    caller = await sign_in.browsers.authenticate(entered.secret)
    with pytest.raises(OwnersOnly):
        await sign_in.invite(caller, owner.member_id)


@pytest.mark.spec("X4")
async def test_the_setup_link_gives_the_owner_a_password_once(
    sign_in: SignIn, workspaces: Workspaces
) -> None:
    operator = await workspaces.owner()
    await sign_in.team.invite(operator, Invited("held@example.com", "Анна", Role.MEMBER))
    secret = await workspaces.make_setup_link()
    assert secret
    with pytest.raises(EmailTaken):
        await sign_in.set_up(secret, email="held@example.com", password=PASSWORD, client=HERE)
    entered = await sign_in.set_up(
        secret, email="owner@example.com", password=PASSWORD, client=HERE
    )
    assert (await sign_in.browsers.authenticate(entered.secret)).operator
    with pytest.raises(SetupLinkSpent):
        await sign_in.set_up(secret, email="e@example.com", password=PASSWORD, client=HERE)


@pytest.mark.spec("X12")
@pytest.mark.parametrize("change", ["update audit set action = 'x'", "delete from audit"])
async def test_the_log_is_append_only(sign_in: SignIn, boss: Caller, change: str) -> None:
    await _joined(sign_in, boss)
    with pytest.raises(psycopg.errors.RaiseException):
        async with sign_in.database.transaction() as tx:
            await tx.connection.execute(
                f"{change} where workspace_id = %s", (boss.own.workspace_id,)
            )


@pytest.mark.spec("K1", "X4", "X12")
async def test_nothing_of_signing_in_outlives_its_workspace(
    sign_in: SignIn, workspaces: Workspaces
) -> None:
    operator = await workspaces.owner()
    tenants = Tenants(
        workspaces.database,
        workspaces.vaults,
        workspaces.clock,
        Facts(),
        Jobs(workspaces.database),
        workspaces.ground,
    )
    boss = await _boss(workspaces)
    workspace_id = boss.own.workspace_id
    await _joined(sign_in, boss)
    entered = await sign_in.enter(_email(boss), password=PASSWORD, client=HERE)
    await tenants.delete(operator, workspace_id, confirm="Лавка")
    with pytest.raises(Unauthenticated):
        await sign_in.browsers.authenticate(entered.secret)
    with pytest.raises(WrongPassword):
        await sign_in.enter(_email(boss), password=PASSWORD, client=HERE)
    async with workspaces.database.transaction() as tx:
        for table in ("web_session", "invitation", "audit"):
            rows = await tx.connection.execute(
                f"select count(*) from {table} where workspace_id = %s",  # noqa: S608
                (workspace_id,),
            )
            assert (await rows.fetchone())[0] == 0, table
        rows = await tx.connection.execute(
            "select count(*) from login where holder_id = %s", (workspace_id,)
        )
        assert (await rows.fetchone())[0] == 0
