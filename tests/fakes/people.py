"""Rooms of domains, members and workspaces that answer from memory."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from svod.foundation.errors import Language
from svod.foundation.ids import LevelId, PrincipalId, WorkspaceId
from svod.knowledge.workspaces import Caller, KeyView, NewKey, Permission, Role
from svod.knowledge.workspaces.domains import Address, Addresses, Domain, Domains
from svod.knowledge.workspaces.domains.errors import (
    AddressNotFound,
    AddressOutside,
    DomainNotFound,
    DomainTaken,
)
from svod.knowledge.workspaces.members import (
    UNCHANGED,
    Invited,
    Member,
    MemberChange,
    Members,
)
from svod.knowledge.workspaces.members.errors import (
    EmailTaken,
    LastOwner,
    MemberMoved,
    MemberNotFound,
)
from svod.knowledge.workspaces.names import is_platform, read_address, read_domain, show_domain
from svod.knowledge.workspaces.tenants import NewTenant, Tenant, TenantPage
from svod.knowledge.workspaces.tenants.errors import (
    NotConfirmed,
    WorkspaceMoved,
    WorkspaceNotFound,
)

NOW = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)


@dataclass
class ScriptedDomains:
    """Domains and addresses in dictionaries; `held.example` is another workspace's."""

    domain_by_id: dict[LevelId, Domain] = field(default_factory=dict)
    address_by_id: dict[LevelId, Address] = field(default_factory=dict)

    async def add_domain(self, caller: Caller, name: str) -> Domain:
        caller.need(Permission.ADMIN)
        name = read_domain(name)
        if name in {"held.example", *(one.name for one in self.domain_by_id.values())}:
            raise DomainTaken(name=name)
        number = LevelId(10 + len(self.domain_by_id))
        domain = Domain(number, name, show_domain(name), is_platform(name), 0, 0, NOW)
        self.domain_by_id[number] = domain
        return domain

    async def domain(self, caller: Caller, domain_id: LevelId) -> Domain:
        caller.need(Permission.ADMIN)
        if domain_id not in self.domain_by_id:
            raise DomainNotFound
        return self.domain_by_id[domain_id]

    async def domains(self, caller: Caller, *, after: LevelId, limit: int) -> Domains:
        caller.need(Permission.ADMIN)
        found = [one for number, one in sorted(self.domain_by_id.items()) if number > after]
        more = found[limit - 1].domain_id if len(found) > limit else None
        return Domains(tuple(found[:limit]), more)

    async def delete_domain(self, caller: Caller, domain_id: LevelId) -> None:
        await self.domain(caller, domain_id)
        del self.domain_by_id[domain_id]

    async def add_address(self, caller: Caller, name: str) -> Address:
        caller.need(Permission.ADMIN)
        address = read_address(name)
        if address.domain not in {one.name for one in self.domain_by_id.values()}:
            raise AddressOutside(domain=address.domain)
        number = LevelId(100 + len(self.address_by_id))
        made = Address(number, address.name, address.domain, address.base, 0, NOW)
        self.address_by_id[number] = made
        return made

    async def address(self, caller: Caller, address_id: LevelId) -> Address:
        caller.need(Permission.ADMIN)
        if address_id not in self.address_by_id:
            raise AddressNotFound
        return self.address_by_id[address_id]

    async def addresses(
        self, caller: Caller, *, domain: str | None, after: LevelId, limit: int
    ) -> Addresses:
        caller.need(Permission.ADMIN)
        found = [
            one
            for number, one in sorted(self.address_by_id.items())
            if number > after and domain in {None, one.domain}
        ]
        more = found[limit - 1].address_id if len(found) > limit else None
        return Addresses(tuple(found[:limit]), more)

    async def delete_address(self, caller: Caller, address_id: LevelId) -> None:
        await self.address(caller, address_id)
        del self.address_by_id[address_id]


def _an_owner() -> Member:
    return Member(PrincipalId(1), None, "owner", Role.OWNER, None, True, None, NOW, 1, 1)


@dataclass
class ScriptedMembers:
    """Members in a dictionary, the owner first."""

    kept: dict[PrincipalId, Member] = field(default_factory=lambda: {PrincipalId(1): _an_owner()})

    async def invite(self, caller: Caller, invited: Invited) -> Member:
        caller.need(Permission.ADMIN)
        if invited.email in {member.email for member in self.kept.values()}:
            raise EmailTaken
        member = replace(
            _an_owner(),
            member_id=PrincipalId(len(self.kept) + 1),
            email=invited.email,
            name=invited.name,
            role=invited.role,
            limits=None if invited.limits is None else tuple(invited.limits),
            operator=False,
            keys=0,
        )
        self.kept[member.member_id] = member
        return member

    async def member(self, caller: Caller, member_id: PrincipalId) -> Member:
        caller.need(Permission.ADMIN)
        if member_id not in self.kept:
            raise MemberNotFound
        return self.kept[member_id]

    async def members(self, caller: Caller, *, after: PrincipalId, limit: int) -> Members:
        caller.need(Permission.ADMIN)
        found = [one for number, one in sorted(self.kept.items()) if number > after]
        more = found[limit - 1].member_id if len(found) > limit else None
        return Members(tuple(found[:limit]), more)

    async def change(
        self,
        caller: Caller,
        member_id: PrincipalId,
        change: MemberChange,
        *,
        expected_revision: int | None,
    ) -> Member:
        member = await self.member(caller, member_id)
        if expected_revision not in {None, member.revision}:
            raise MemberMoved(revision=member.revision)
        if member.role is Role.OWNER and change.of_rights:
            raise LastOwner
        limits = member.limits
        if change.limits is not UNCHANGED:
            limits = None if change.limits is None else tuple(change.limits)
        disabled_at = member.disabled_at
        if change.disabled is not None:
            disabled_at = NOW if change.disabled else None
        self.kept[member_id] = replace(
            member,
            name=change.name or member.name,
            email=change.email or member.email,
            role=change.role or member.role,
            limits=limits,
            disabled_at=disabled_at,
            revision=member.revision + 1,
        )
        return self.kept[member_id]

    async def remove(self, caller: Caller, member_id: PrincipalId) -> None:
        member = await self.member(caller, member_id)
        if member.role is Role.OWNER:
            raise LastOwner
        del self.kept[member_id]


@dataclass
class ScriptedTenants:
    """Workspaces in a dictionary; 77 is the caller's own and the first."""

    kept: dict[WorkspaceId, Tenant] = field(
        default_factory=lambda: {
            WorkspaceId(77): Tenant(
                WorkspaceId(77),
                "Лесная полка",
                Language.RU,
                is_first=True,
                created_at=NOW,
                revision=1,
            )
        }
    )

    async def create(self, caller: Caller, *, name: str, language: Language) -> NewTenant:
        caller.need_operator()
        number = WorkspaceId(1000 + len(self.kept))
        tenant = Tenant(number, name, language, is_first=False, created_at=NOW, revision=1)
        self.kept[number] = tenant
        view = KeyView(
            principal_id=PrincipalId(2),
            name="first",
            permissions=(Permission.ADMIN,),
            operator=False,
            created_at=NOW,
            expires_at=None,
            revoked_at=None,
            last_used_at=None,
        )
        return NewTenant(tenant, NewKey(view, f"svod_first_{number}"))

    async def list(self, caller: Caller, *, after: WorkspaceId, limit: int) -> TenantPage:
        caller.need_operator()
        found = [one for number, one in sorted(self.kept.items()) if number > after]
        more = found[limit - 1].workspace_id if len(found) > limit else None
        return TenantPage(tuple(found[:limit]), more)

    async def get(self, caller: Caller, workspace_id: WorkspaceId) -> Tenant:
        own = workspace_id == caller.own.workspace_id
        if workspace_id not in self.kept or not (own or caller.operator):
            raise WorkspaceNotFound
        return self.kept[workspace_id]

    async def change(
        self,
        caller: Caller,
        workspace_id: WorkspaceId,
        *,
        name: str | None,
        language: Language | None,
        expected_revision: int | None,
    ) -> Tenant:
        tenant = await self.get(caller, workspace_id)
        caller.need(Permission.ADMIN)
        if expected_revision not in {None, tenant.revision}:
            raise WorkspaceMoved(revision=tenant.revision)
        self.kept[workspace_id] = replace(
            tenant,
            name=name or tenant.name,
            language=language or tenant.language,
            revision=tenant.revision + 1,
        )
        return self.kept[workspace_id]

    async def delete(self, caller: Caller, workspace_id: WorkspaceId, *, confirm: str) -> None:
        caller.need_operator()
        tenant = await self.get(caller, workspace_id)
        if confirm != tenant.name:
            raise NotConfirmed
        del self.kept[workspace_id]
