"""Keys, levels and the first run, on a real database."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from svod.foundation.clock import SystemClock
from svod.foundation.storage import Database, Vaults
from svod.knowledge.workspaces import (
    Caller,
    Permission,
    PermissionMissing,
    Role,
    Unauthenticated,
    Workspaces,
)
from svod.knowledge.workspaces.errors import (
    BadKeyRequest,
    KeyNotFound,
    KeyTooStrong,
    OwnKeyRevoked,
    SetupLinkSpent,
)

READ = frozenset({Permission.KNOWLEDGE_READ})


@pytest.mark.spec("K1", "K2")
async def test_opening_again_finds_the_same_ground(
    database: Database, vaults: Vaults, workspaces: Workspaces
) -> None:
    again = await Workspaces.open(database, vaults, SystemClock())
    assert again.ground == workspaces.ground
    assert again.ground.system != again.ground.first


@pytest.mark.spec("I7a", "K5")
async def test_whoami_tells_the_owner_what_he_may(workspaces: Workspaces, owner: Caller) -> None:
    told = await workspaces.whoami(owner)
    assert (told.name, told.kind, told.operator) == ("owner", "member", True)
    assert told.permissions == (Permission.ADMIN,)
    levels = {level.name: level.may_change for level in told.levels}
    assert levels == {"workspace": True, "global": True}
    assert (told.role, told.limits) == (Role.OWNER, None)


@pytest.mark.spec("K2")
async def test_only_the_operator_may_change_the_global_level(
    workspaces: Workspaces, owner: Caller
) -> None:
    made = await workspaces.make_key(owner, name="admin", permissions=frozenset(Permission))
    admin = await workspaces.authenticate(made.secret)
    for caller, may in ((owner, True), (admin, False)):
        levels = {level.name: level.may_change for level in await workspaces.levels(caller)}
        assert levels["global"] is may
        assert caller.reading_of("global") is caller.system
        assert caller.reading_of("workspace") is caller.own
    assert owner.system.principal_id != admin.system.principal_id


@pytest.mark.spec("X4")
async def test_a_key_is_shown_once_and_works_until_it_is_revoked(
    workspaces: Workspaces, owner: Caller
) -> None:
    made = await workspaces.make_key(owner, name="Поддержка", permissions=READ)
    caller = await workspaces.authenticate(made.secret)
    assert (caller.name, caller.permissions) == ("Поддержка", READ)
    listed = {key.name: key for key in await workspaces.keys(owner)}
    assert listed["Поддержка"].last_used_at is not None
    assert made.secret not in repr(listed)
    with pytest.raises(PermissionMissing):
        await workspaces.keys(caller)
    await workspaces.revoke_key(owner, made.key.principal_id)
    with pytest.raises(Unauthenticated):
        await workspaces.authenticate(made.secret)


@pytest.mark.spec("X4")
@pytest.mark.parametrize("token", ["", "x", "svod_", "svod_0000000000000_" + "a" * 43, "svod_я"])
async def test_what_is_no_key_opens_nothing(workspaces: Workspaces, token: str) -> None:
    with pytest.raises(Unauthenticated):
        await workspaces.authenticate(token)


@pytest.mark.spec("X4")
async def test_an_expired_key_opens_nothing(
    workspaces: Workspaces, owner: Caller, database: Database
) -> None:
    soon = SystemClock().now() + timedelta(hours=1)
    made = await workspaces.make_key(owner, name="brief", permissions=READ, expires_at=soon)
    await workspaces.authenticate(made.secret)
    async with database.transaction() as tx:
        await tx.connection.execute(
            "update principal set expires_at = now() - interval '1 second'"
            " where workspace_id = %s and principal_id = %s",
            (owner.own.workspace_id, made.key.principal_id),
        )
    with pytest.raises(Unauthenticated):
        await workspaces.authenticate(made.secret)


@pytest.mark.spec("X1", "X4")
async def test_no_key_is_stronger_than_its_maker(workspaces: Workspaces, owner: Caller) -> None:
    with pytest.raises(BadKeyRequest):
        await workspaces.make_key(owner, name=" ", permissions=READ)
    with pytest.raises(BadKeyRequest):
        await workspaces.make_key(owner, name="none", permissions=frozenset())
    past = SystemClock().now() - timedelta(seconds=1)
    with pytest.raises(BadKeyRequest):
        await workspaces.make_key(owner, name="past", permissions=READ, expires_at=past)
    for never in (
        datetime.max.replace(tzinfo=timezone(-timedelta(hours=23, minutes=59))),
        datetime.max.replace(tzinfo=UTC),
    ):
        with pytest.raises(BadKeyRequest):
            await workspaces.make_key(owner, name="never", permissions=READ, expires_at=never)
    assert "never" not in {key.name for key in await workspaces.keys(owner)}
    with pytest.raises(KeyNotFound):
        await workspaces.revoke_key(owner, type(owner.own.principal_id)(10_000))
    with pytest.raises(OwnKeyRevoked):
        await workspaces.revoke_key(owner, owner.own.principal_id)
    assert issubclass(KeyTooStrong, Exception)


@pytest.mark.spec("X4")
async def test_a_setup_link_makes_an_owner_once(workspaces: Workspaces) -> None:
    first = await workspaces.make_setup_link()
    second = await workspaces.make_setup_link()
    assert first is not None
    assert second is not None
    with pytest.raises(SetupLinkSpent):
        await workspaces.use_setup_link(first)
    made = await workspaces.use_setup_link(second)
    assert (await workspaces.authenticate(made.secret)).operator
    with pytest.raises(SetupLinkSpent):
        await workspaces.use_setup_link(second)
    assert await workspaces.make_setup_link() is None
