"""Grants that follow from limits, against a model of their own; and what they cost."""

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import svod
from svod.foundation.facts import Facts
from svod.foundation.ids import LevelId, PrincipalId
from svod.foundation.storage import Database, Statements
from svod.knowledge.workspaces import (
    Caller,
    LevelNotFound,
    Permission,
    Role,
    Unauthenticated,
    Workspaces,
)
from svod.knowledge.workspaces import postgres as statements
from svod.knowledge.workspaces.domains import Registry
from svod.knowledge.workspaces.domains.errors import AddressTaken, BaseInUse
from svod.knowledge.workspaces.errors import AdminLimited
from svod.knowledge.workspaces.first_run import OWNER, make_workspace
from svod.knowledge.workspaces.grants import Grant, Limit
from svod.knowledge.workspaces.members import Invited, MemberChange, Team

WRITE = frozenset({Permission.KNOWLEDGE_WRITE})
LOCALS = ("a", "b", "a+x", "a+y", "b+x")
ROLES = (Role.ADMIN, Role.MEMBER, Role.DEVELOPER, Role.VIEWER, Role.BILLING)
Limits = dict[str, bool]
"""Level -> whether he may send there."""


@dataclass
class Someone:
    """A member or key as the model knows him; `member` is whose key it is."""

    limits: Limits | None
    member: "Someone | None" = None
    role: Role = Role.OWNER
    gone: bool = False
    secret: str = ""

    def sees(self, levels: dict[str, LevelId]) -> dict[str, bool]:
        """Level -> whether he may change items there: said as the specification says it (X2, X3)."""
        if self.gone:
            return {}
        seen: dict[str, bool] = {}
        for level in levels:
            if self.limits is None:
                seen[level] = True
            elif any(_covers(given, level) for given in self.limits):
                seen[level] = any(
                    may for given, may in self.limits.items() if _covers(given, level)
                )
            elif level == "workspace" or any(level in _wider(given) for given in self.limits):
                seen[level] = False
        if self.member is None:
            return seen
        his = self.member.sees(levels)
        return {level: may and his[level] for level, may in seen.items() if level in his}


def _covers(given: str, level: str) -> bool:
    """Whether what is given is this level, or the domain of this address."""
    kind, _, name = given.partition(":")
    return given == level or (kind == "domain" and level.endswith(f"@{name}"))


def _wider(level: str) -> set[str]:
    """What lies between an address and the workspace: its base address and its domain."""
    kind, _, name = level.partition(":")
    if kind != "address":
        return set()
    local, _, domain = name.partition("@")
    return {f"domain:{domain}", f"address:{local.partition('+')[0]}@{domain}"}


@dataclass
class World:
    """A workspace and the model of it, changed together."""

    workspaces: Workspaces
    registry: Registry
    team: Team
    owner: Caller
    levels: dict[str, LevelId] = field(default_factory=lambda: {"workspace": LevelId(1)})
    people: dict[PrincipalId, Someone] = field(
        default_factory=lambda: {OWNER: Someone(limits=None)}
    )
    ending: str = field(default_factory=lambda: secrets.token_hex(6))

    @classmethod
    async def made(cls, workspaces: Workspaces) -> "World":
        async with workspaces.database.transaction() as tx:
            workspace_id = await make_workspace(
                tx, workspaces.vaults, workspaces.clock, kind="tenant", name="W", language="en"
            )
        registry = Registry(
            workspaces.database, workspaces.clock, Facts(), workspaces.ground.system
        )
        team = Team(workspaces.database, workspaces.clock)
        return cls(workspaces, registry, team, await workspaces.member(workspace_id, OWNER))

    def named(self, kind: str) -> list[str]:
        return [level for level in self.levels if level.startswith(f"{kind}:")]

    def members(self) -> list[PrincipalId]:
        return [number for number, one in self.people.items() if one.member is None]

    async def add_domain(self, draw: st.DataObject) -> None:
        name = f"{draw.draw(st.sampled_from('de'))}.{self.ending}.example"
        if f"domain:{name}" not in self.levels:
            domain = await self.registry.add_domain(self.owner, name)
            self.levels[domain.level] = domain.domain_id

    async def add_address(self, draw: st.DataObject) -> None:
        if not self.named("domain"):
            return
        domain = draw.draw(st.sampled_from(self.named("domain"))).removeprefix("domain:")
        name = f"{draw.draw(st.sampled_from(LOCALS))}@{domain}"
        try:
            made = await self.registry.add_address(self.owner, name)
        except AddressTaken:
            assert f"address:{name}" in self.levels
            return
        for address in (await self.registry.addresses(self.owner)).addresses:
            if address.name in {made.name, made.base}:
                self.levels[address.level] = address.address_id

    async def delete_domain(self, draw: st.DataObject) -> None:
        if not self.named("domain"):
            return
        level = draw.draw(st.sampled_from(self.named("domain")))
        await self.registry.delete_domain(self.owner, self.levels[level])
        name = level.removeprefix("domain:")
        self._forget([one for one in self.levels if one == level or one.endswith(f"@{name}")])

    async def delete_address(self, draw: st.DataObject) -> None:
        if not self.named("address"):
            return
        level = draw.draw(st.sampled_from(self.named("address")))
        try:
            await self.registry.delete_address(self.owner, self.levels[level])
        except BaseInUse:
            assert any(level in _wider(other) - {other} for other in self.levels)
            return
        self._forget([level])

    async def invite(self, draw: st.DataObject) -> None:
        role, limits = draw.draw(st.sampled_from(ROLES)), self._limits(draw)
        email = f"{secrets.token_hex(4)}@mail.example"
        try:
            made = await self.team.invite(self.owner, Invited(email, "M", role, _told(limits)))
        except AdminLimited:
            assert role is Role.ADMIN
            return
        self.people[made.member_id] = Someone(limits, role=role)

    async def change(self, draw: st.DataObject) -> None:
        number = draw.draw(st.sampled_from(self.members()))
        if number == OWNER:
            return
        someone = self.people[number]
        role, limits = draw.draw(st.sampled_from(ROLES)), self._limits(draw)
        disabled = draw.draw(st.booleans())
        change = MemberChange(role=role, limits=_told(limits), disabled=disabled)
        try:
            await self.team.change(self.owner, number, change)
        except AdminLimited:
            assert role is Role.ADMIN
            return
        someone.role, someone.limits, someone.gone = role, limits, disabled

    async def make_key(self, draw: st.DataObject) -> None:
        makers = [
            number
            for number in self.members()
            if self.people[number].role in {Role.OWNER, Role.ADMIN} and not self.people[number].gone
        ]
        number = draw.draw(st.sampled_from(makers[1:] or makers))
        maker = await self.workspaces.member(self.owner.own.workspace_id, number)
        limits = self._limits(draw)
        made = await self.workspaces.make_key(
            maker, name="k", permissions=WRITE, limits=_told(limits)
        )
        key = Someone(limits, member=self.people[number], secret=made.secret)
        self.people[made.key.principal_id] = key

    async def revoke(self, draw: st.DataObject) -> None:
        keys = [number for number, one in self.people.items() if one.member is not None]
        if keys:
            number = draw.draw(st.sampled_from(keys))
            await self.workspaces.revoke_key(self.owner, number)
            self.people[number].gone = True

    async def remove(self, draw: st.DataObject) -> None:
        number = draw.draw(st.sampled_from(self.members()))
        if number != OWNER:
            await self.team.remove(self.owner, number)
            member = self.people.pop(number)
            keys = [key for key, one in self.people.items() if one.member is member]
            for key in keys:
                del self.people[key]

    async def check(self) -> None:
        """Every principal has just the grants that the model gives him."""
        workspace_id = self.owner.own.workspace_id
        async with self.workspaces.database.transaction() as tx:
            for number, someone in self.people.items():
                rows = await statements.list_levels(tx, workspace_id, number)
                found = {f"{row.kind}:{row.name}".removesuffix(":"): row.may_send for row in rows}
                assert found == someone.sees(self.levels), number

    async def check_keys(self) -> None:
        """Each key reads and changes through the room what the model gives it, or is refused."""
        for someone in self.people.values():
            if someone.member is None:
                continue
            if someone.gone or someone.member.gone:
                with pytest.raises(Unauthenticated):
                    await self.workspaces.authenticate(someone.secret)
                continue
            key = await self.workspaces.authenticate(someone.secret)
            if not key.may(Permission.KNOWLEDGE_READ):
                assert someone.member.role is Role.BILLING
                continue
            seen = someone.sees(self.levels)
            writes = key.may(Permission.KNOWLEDGE_WRITE)
            told = {level.name: level.may_change for level in await self.workspaces.levels(key)}
            expected = {level: may and writes for level, may in seen.items()}
            assert told == {**expected, "global": False}
            for level in self.levels:
                if level in seen:
                    path = await self.workspaces.read_path(key, level)
                    assert set(path) == {level, "workspace", "global"} | (_wider(level) & set(seen))
                else:
                    with pytest.raises(LevelNotFound):
                        await self.workspaces.read_path(key, level)

    def _limits(self, draw: st.DataObject) -> Limits | None:
        levels = [*self.named("domain"), *self.named("address")]
        some = st.dictionaries(st.sampled_from(levels), st.booleans(), max_size=3)
        return draw.draw(st.none() | (some if levels else st.just({})))

    def _forget(self, levels: list[str]) -> None:
        for level in levels:
            del self.levels[level]
            for someone in self.people.values():
                if someone.limits is not None:
                    someone.limits.pop(level, None)


def _told(limits: Limits | None) -> list[Limit] | None:
    if limits is None:
        return None
    return [Limit(level, Grant.SEND if may else Grant.READ) for level, may in limits.items()]


STEPS = (
    "add_domain",
    "add_address",
    "add_address",
    "add_address",
    "invite",
    "invite",
    "change",
    "change",
    "make_key",
    "make_key",
    "delete_address",
    "delete_domain",
    "revoke",
    "remove",
)


@pytest.mark.spec("X2", "X2a", "X3", "N-61")
@pytest.mark.timeout(120)
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
async def test_grants_are_at_every_moment_what_roles_limits_and_levels_make_them(
    workspaces: Workspaces, data: st.DataObject
) -> None:
    world = await World.made(workspaces)
    steps = data.draw(st.lists(st.sampled_from(STEPS), min_size=8, max_size=24))
    for step in ("add_domain", "add_address", *steps):
        await getattr(world, step)(data)
        await world.check()
    await world.check_keys()


@pytest.mark.spec("X14", "X2")
async def test_grants_are_resolved_through_keys_however_many_people_and_places_there_are(
    workspaces: Workspaces, database: Database, database_dsn: str
) -> None:
    """No statement that asks for a grant, a principal or a key reads the whole table for it."""
    world = await World.made(workspaces)
    workspace_id = world.owner.own.workspace_id
    fill = (
        "insert into level (workspace_id, level_id, kind, name, parent_level_id, created_at)"
        " select %(w)s, n, 'address', 'a' || n, 1, now() from generate_series(100, 400) n",
        "insert into principal (workspace_id, principal_id, kind, permissions, role, sealed_name,"
        " created_at)"
        " select %(w)s, n, 'member', '{}', 'member', 'x', now() from generate_series(100, 400) n",
        "insert into level_grant (workspace_id, principal_id, level_id, may_read, may_send)"
        " select %(w)s, p, l, true, true from generate_series(100, 400) p,"
        " generate_series(100, 400) l",
        "insert into api_key (workspace_id, secret_hash, principal_id)"
        " select %(w)s, sha256(n::text::bytea), n from generate_series(100, 400) n",
    )
    async with database.transaction() as tx:
        for statement in fill:
            await tx.connection.execute(statement.encode(), {"w": workspace_id})
    with psycopg.connect(database_dsn, autocommit=True) as connection:
        connection.execute("analyze")
        connection.execute("set plan_cache_mode = force_generic_plan")
        scanned: dict[str, list[str]] = {}
        for name, sql in _resolving():
            numbered, parameters = _numbered(sql)
            connection.execute(f"prepare asked as {numbered}".encode())
            nulls = ", ".join(["null"] * parameters)
            call = f"explain execute asked({nulls})" if parameters else "explain execute asked"
            plan = [row[0] for row in connection.execute(call.encode()).fetchall()]
            connection.execute("deallocate asked")
            whole = [line.strip() for line in plan if _WHOLE_TABLE.search(line)]
            if whole:
                scanned[name] = whole
    assert not scanned


_WHOLE_TABLE = re.compile(r"Seq Scan on (level_grant|principal|api_key)\b")
_PARAMETER = re.compile(r"%(?:%|\(([a-z_][a-z0-9_]*)\)[sbt])")


def _resolving() -> Iterator[tuple[str, str]]:
    root = Path(svod.__file__).parent
    for file in sorted(root.rglob("queries.sql")):
        package = ".".join(["svod", *file.parent.relative_to(root).parts])
        for statement in Statements(package).all():
            if re.search(r"\b(level_grant|api_key|principal)\b", statement.sql):
                yield f"{package}:{statement.name}", statement.sql


def _numbered(sql: str) -> tuple[str, int]:
    """The statement with `$1` for each named parameter, and how many there are."""
    names: list[str] = []

    def number(match: re.Match[str]) -> str:
        name = match.group(1)
        if name is None:
            return "%"
        if name not in names:
            names.append(name)
        return f"${names.index(name) + 1}"

    return _PARAMETER.sub(number, sql), len(names)
