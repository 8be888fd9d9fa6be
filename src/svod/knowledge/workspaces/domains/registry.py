"""Domains and addresses of a workspace: registered, listed, deleted with everything on them."""

from collections.abc import Sequence
from dataclasses import dataclass

from svod.foundation.clock import Clock
from svod.foundation.facts import Facts
from svod.foundation.ids import LevelId, WorkspaceId
from svod.foundation.storage import Database, Transaction
from svod.knowledge.workspaces.audit import Action, record
from svod.knowledge.workspaces.caller import Caller
from svod.knowledge.workspaces.domains import postgres
from svod.knowledge.workspaces.domains.errors import (
    AddressNotFound,
    AddressOutside,
    AddressTaken,
    BaseInUse,
    DomainNotFound,
    DomainTaken,
)
from svod.knowledge.workspaces.domains.views import Address, Addresses, Domain, Domains
from svod.knowledge.workspaces.facts import LevelsDeleted
from svod.knowledge.workspaces.grants import limited_to, lock_people, settle
from svod.knowledge.workspaces.levels import make_level
from svod.knowledge.workspaces.names import (
    BadDomain,
    is_platform,
    read_address,
    read_domain,
    show_domain,
)
from svod.knowledge.workspaces.roles import Permission

_START = LevelId(0)


@dataclass(frozen=True, slots=True)
class Registry:
    """The domains and addresses of every workspace; all of it is an admin's.

    `system` is the workspace in which a server notes who holds which domain.
    """

    database: Database
    clock: Clock
    facts: Facts
    system: WorkspaceId

    async def add_domain(self, caller: Caller, name: str) -> Domain:
        """Register a domain: a level between the workspace and its addresses.

        Raises:
            BadDomain: it is neither a mail domain nor a channel on a platform.
            DomainTaken: it is registered already, here or in another workspace.
        """
        caller.need(Permission.ADMIN)
        name, workspace_id = read_domain(name), caller.own.workspace_id
        async with self.database.transaction() as tx:
            await lock_people(tx, workspace_id)
            if not await postgres.hold_domain(tx, self.system, name, workspace_id):
                raise DomainTaken(name=name)
            (top,) = await postgres.find_levels(tx, workspace_id, [("workspace", "")])
            level_id = await make_level(
                tx, self.clock, workspace_id, kind="domain", name=name, parent=top.level_id
            )
            await record(tx, self.clock, caller.own, Action.DOMAIN_ADDED, subject=level_id)
            return await self._domain(tx, workspace_id, level_id)

    async def domain(self, caller: Caller, domain_id: LevelId) -> Domain:
        """A domain.

        Raises:
            DomainNotFound: there is none of this id.
        """
        caller.need(Permission.ADMIN)
        async with self.database.transaction() as tx:
            return await self._domain(tx, caller.own.workspace_id, domain_id)

    async def domains(
        self, caller: Caller, *, after: LevelId = _START, limit: int = 100
    ) -> Domains:
        """A page of domains, in the order registered."""
        caller.need(Permission.ADMIN)
        async with self.database.transaction() as tx:
            rows = await postgres.list_domains(
                tx, caller.own.workspace_id, after=after, limit=limit + 1
            )
        shown = tuple(_domain(row) for row in rows[:limit])
        return Domains(shown, shown[-1].domain_id if len(rows) > limit else None)

    async def delete_domain(self, caller: Caller, domain_id: LevelId) -> None:
        """Delete a domain, its addresses, and everything on them, in one transaction.

        Raises:
            DomainNotFound: there is none of this id.
        """
        caller.need(Permission.ADMIN)
        workspace_id = caller.own.workspace_id
        async with self.database.transaction() as tx:
            await lock_people(tx, workspace_id)
            levels = await postgres.levels_below(tx, workspace_id, domain_id, kind="domain")
            if not levels:
                raise DomainNotFound
            await self._drop(tx, workspace_id, [level.level_id for level in levels])
            await postgres.release_domain(tx, self.system, levels[0].name, workspace_id)
            await record(tx, self.clock, caller.own, Action.DOMAIN_DELETED, subject=domain_id)

    async def add_address(self, caller: Caller, name: str) -> Address:
        """Register an address of a registered domain; the base of a plus-address comes with it.

        Raises:
            BadAddress: it is no address.
            AddressOutside: its domain is not registered in this workspace.
            AddressTaken: it is registered already.
        """
        caller.need(Permission.ADMIN)
        address, workspace_id = read_address(name), caller.own.workspace_id
        async with self.database.transaction() as tx:
            await lock_people(tx, workspace_id)
            wanted = [("address", address.name), ("domain", address.domain)]
            if address.base is not None:
                wanted.append(("address", address.base))
            found = {
                (level.kind, level.name): level.level_id
                for level in await postgres.find_levels(tx, workspace_id, wanted)
            }
            if ("address", address.name) in found:
                raise AddressTaken(name=address.name)
            parent = found.get(("domain", address.domain))
            if parent is None:
                raise AddressOutside(domain=address.domain)
            if address.base is not None:
                base = found.get(("address", address.base))
                parent = base or await self._make(tx, workspace_id, address.base, parent)
            level_id = await self._make(tx, workspace_id, address.name, parent)
            await record(tx, self.clock, caller.own, Action.ADDRESS_ADDED, subject=level_id)
            return await self._address(tx, workspace_id, level_id)

    async def address(self, caller: Caller, address_id: LevelId) -> Address:
        """An address.

        Raises:
            AddressNotFound: there is none of this id.
        """
        caller.need(Permission.ADMIN)
        async with self.database.transaction() as tx:
            return await self._address(tx, caller.own.workspace_id, address_id)

    async def addresses(
        self,
        caller: Caller,
        *,
        domain: str | None = None,
        after: LevelId = _START,
        limit: int = 100,
    ) -> Addresses:
        """A page of addresses, in the order registered; of one domain where it is named."""
        caller.need(Permission.ADMIN)
        async with self.database.transaction() as tx:
            rows = await postgres.list_addresses(
                tx,
                caller.own.workspace_id,
                after=after,
                limit=limit + 1,
                domain=None if domain is None else _known_as(domain),
            )
        shown = tuple(_address(row) for row in rows[:limit])
        return Addresses(shown, shown[-1].address_id if len(rows) > limit else None)

    async def delete_address(self, caller: Caller, address_id: LevelId) -> None:
        """Delete an address and everything on it, in one transaction.

        Raises:
            AddressNotFound: there is none of this id.
            BaseInUse: plus-addresses stand on it, which would lose what they read.
        """
        caller.need(Permission.ADMIN)
        workspace_id = caller.own.workspace_id
        async with self.database.transaction() as tx:
            await lock_people(tx, workspace_id)
            levels = await postgres.levels_below(tx, workspace_id, address_id, kind="address")
            if not levels:
                raise AddressNotFound
            if standing := levels[1:]:
                raise BaseInUse(count=len(standing), first=standing[0].name)
            await self._drop(tx, workspace_id, [address_id])
            await record(tx, self.clock, caller.own, Action.ADDRESS_DELETED, subject=address_id)

    async def _make(
        self, tx: Transaction, workspace_id: WorkspaceId, name: str, parent: LevelId
    ) -> LevelId:
        return await make_level(
            tx, self.clock, workspace_id, kind="address", name=name, parent=parent
        )

    async def _drop(
        self, tx: Transaction, workspace_id: WorkspaceId, level_ids: Sequence[LevelId]
    ) -> None:
        # Who was limited to an address read its domain through it.
        lose = await limited_to(tx, workspace_id, level_ids)
        await self.facts.announce(tx, LevelsDeleted(workspace_id, tuple(level_ids)))
        await postgres.delete_levels(tx, workspace_id, level_ids)
        await settle(tx, workspace_id, principals=lose)

    @staticmethod
    async def _domain(tx: Transaction, workspace_id: WorkspaceId, level_id: LevelId) -> Domain:
        rows = await postgres.list_domains(tx, workspace_id, level_id=level_id)
        if not rows:
            raise DomainNotFound
        return _domain(rows[0])

    @staticmethod
    async def _address(tx: Transaction, workspace_id: WorkspaceId, level_id: LevelId) -> Address:
        rows = await postgres.list_addresses(tx, workspace_id, level_id=level_id)
        if not rows:
            raise AddressNotFound
        return _address(rows[0])


def _known_as(domain: str) -> str:
    try:
        return read_domain(domain)
    except BadDomain:
        return domain


def _domain(row: postgres.DomainRow) -> Domain:
    return Domain(
        domain_id=row.level_id,
        name=row.name,
        shown_as=show_domain(row.name),
        platform=is_platform(row.name),
        addresses=row.addresses,
        items=row.items,
        created_at=row.created_at,
    )


def _address(row: postgres.AddressRow) -> Address:
    return Address(
        address_id=row.level_id,
        name=row.name,
        domain=row.domain,
        base=row.base,
        items=row.items,
        created_at=row.created_at,
    )
