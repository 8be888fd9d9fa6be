"""Members of a workspace: invited, listed, changed, removed (X1)."""

import unicodedata
from dataclasses import dataclass

from svod.foundation.clock import Clock
from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.foundation.storage import Database, Transaction, Vault
from svod.knowledge.workspaces import postgres as principals
from svod.knowledge.workspaces.audit import Action, record
from svod.knowledge.workspaces.caller import Caller, PermissionMissing
from svod.knowledge.workspaces.errors import AdminLimited, Unauthenticated
from svod.knowledge.workspaces.grants import Limit, limits_of, lock_people, set_limits, settle
from svod.knowledge.workspaces.members import postgres
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
from svod.knowledge.workspaces.members.member import (
    UNCHANGED,
    Invited,
    Member,
    MemberChange,
    Members,
)
from svod.knowledge.workspaces.names import BadAddress, is_platform, read_address
from svod.knowledge.workspaces.roles import PERMISSIONS_OF, Permission, Role

LONGEST_NAME = 100
LONGEST_EMAIL = 254
_START = PrincipalId(-1)


@dataclass(frozen=True, slots=True)
class Team:
    """The members of every workspace; all of it is an admin's, and owners are an owner's."""

    database: Database
    clock: Clock

    async def invite(self, caller: Caller, invited: Invited) -> Member:
        """Make a member, who has no way in yet: neither a password nor a key.

        Raises:
            BadEmail, BadName: he has no e-mail, or no name of 1 to 100 characters.
            EmailTaken: another member of the workspace has this e-mail.
            OwnersOnly: an owner was to be made by someone who is none.
            AdminLimited, BadLimit, LevelNotFound: these limits cannot be his.
        """
        caller.need(Permission.ADMIN)
        email, name = read_email(invited.email), read_name(invited.name)
        _check_limits(invited.role, limited=invited.limits is not None)
        workspace_id, vault = caller.own.workspace_id, caller.vault
        async with self.database.transaction() as tx:
            by = await self._admin(tx, caller)
            if invited.role is Role.OWNER and by.role != Role.OWNER:
                raise OwnersOnly
            await self._need_free(tx, vault, email)
            number = PrincipalId(await principals.draw_number(tx, workspace_id, "principal"))
            new = postgres.NewMember(
                number,
                invited.role,
                caller.own.principal_id,
                sealed_name=vault.seal_text(name, "principal", number),
                sealed_email=vault.seal_text(email, "email", number),
                email_key=email_key(vault, email),
            )
            await postgres.insert_member(tx, workspace_id, new, now=self.clock.now())
            if invited.limits is not None:
                await set_limits(tx, caller.own, number, invited.limits)
            await settle(tx, workspace_id, principals=[number])
            await record(tx, self.clock, caller.own, Action.MEMBER_ADDED, subject=number)
            return await self._member(tx, vault, number)

    async def member(self, caller: Caller, member_id: PrincipalId) -> Member:
        """A member.

        Raises:
            MemberNotFound: there is none of this id.
        """
        caller.need(Permission.ADMIN)
        async with self.database.transaction() as tx:
            return await self._member(tx, caller.vault, member_id)

    async def members(
        self, caller: Caller, *, after: PrincipalId = _START, limit: int = 100
    ) -> Members:
        """A page of members, in the order they came."""
        caller.need(Permission.ADMIN)
        workspace_id = caller.own.workspace_id
        async with self.database.transaction() as tx:
            rows = await postgres.list_members(
                tx, workspace_id, now=self.clock.now(), after=after, limit=limit + 1
            )
            shown = rows[:limit]
            limits = await limits_of(tx, workspace_id, [row.principal_id for row in shown])
        members = tuple(_member(row, caller.vault, limits[row.principal_id]) for row in shown)
        return Members(members, shown[-1].principal_id if len(rows) > limit else None)

    async def change(
        self,
        caller: Caller,
        member_id: PrincipalId,
        change: MemberChange,
        *,
        expected_revision: int | None = None,
    ) -> Member:
        """Change a member; what he may do changes for him and his keys from the next statement on.

        Raises:
            MemberNotFound, MemberMoved: there is none of this id, or not at this revision.
            OwnersOnly: he is an owner, or would be, and the caller is none.
            OperatorStays, LastOwner: he has to stay what he is.
            BadEmail, BadName, EmailTaken: they cannot be his.
            AdminLimited, BadLimit, LevelNotFound: these limits cannot be his.
        """
        caller.need(Permission.ADMIN)
        email = None if change.email is None else read_email(change.email)
        name = None if change.name is None else read_name(change.name)
        workspace_id, vault = caller.own.workspace_id, caller.vault
        async with self.database.transaction() as tx:
            by = await self._admin(tx, caller)
            before = await self._member(tx, vault, member_id)
            if expected_revision not in {None, before.revision}:
                raise MemberMoved(revision=before.revision)
            role = change.role or before.role
            limited = (before if change.limits is UNCHANGED else change).limits is not None
            disabled = before.disabled_at is not None
            disabled = disabled if change.disabled is None else change.disabled
            _check_hand(by, before, role)
            if before.operator and change.of_rights:
                raise OperatorStays
            _check_limits(role, limited=limited)
            if role is not Role.OWNER or disabled:
                await self._need_other_owner(tx, workspace_id, before)
            if email is not None and email != before.email:
                await self._need_free(tx, vault, email)
            changed = postgres.ChangedMember(
                disabled_at=(before.disabled_at or self.clock.now()) if disabled else None,
                role=role,
                sealed_name=None if name is None else vault.seal_text(name, "principal", member_id),
                sealed_email=None if email is None else vault.seal_text(email, "email", member_id),
                email_key=None if email is None else email_key(vault, email),
            )
            await postgres.change_member(tx, workspace_id, member_id, changed)
            if email is not None:
                # He signs in with the new one, and his password stays.
                await postgres.rename_login(
                    tx, caller.system, email_key(caller.system.vault, email), caller.own, member_id
                )
            if change.limits is not UNCHANGED:
                await set_limits(tx, caller.own, member_id, change.limits)
            if change.of_rights:
                await settle(tx, workspace_id, principals=[member_id])
            await record(tx, self.clock, caller.own, Action.MEMBER_CHANGED, subject=member_id)
            return await self._member(tx, vault, member_id)

    async def remove(self, caller: Caller, member_id: PrincipalId) -> None:
        """Remove a member with his keys, at once; what he added to the workspace stays.

        Raises:
            MemberNotFound: there is none of this id.
            OwnersOnly: he is an owner, and the caller is none.
            OperatorStays, LastOwner: he cannot be done without.
        """
        caller.need(Permission.ADMIN)
        workspace_id = caller.own.workspace_id
        async with self.database.transaction() as tx:
            by = await self._admin(tx, caller)
            member = await self._member(tx, caller.vault, member_id)
            _check_hand(by, member, member.role)
            if member.operator:
                raise OperatorStays
            await self._need_other_owner(tx, workspace_id, member)
            await postgres.delete_member(tx, workspace_id, member_id)
            await record(tx, self.clock, caller.own, Action.MEMBER_REMOVED, subject=member_id)

    async def _admin(self, tx: Transaction, caller: Caller) -> principals.PrincipalRow:
        """The caller as he stands now that nobody else changes members: he may have lost his role."""
        await lock_people(tx, caller.own.workspace_id)
        by = await principals.find_principal(tx, caller.own.workspace_id, caller.own.principal_id)
        if by is None:
            raise Unauthenticated
        if Permission.ADMIN not in PERMISSIONS_OF[Role(by.role)]:
            raise PermissionMissing(permission=Permission.ADMIN.value)
        return by

    async def _member(self, tx: Transaction, vault: Vault, number: PrincipalId) -> Member:
        rows = await postgres.list_members(
            tx, vault.workspace_id, now=self.clock.now(), principal_id=number
        )
        if not rows:
            raise MemberNotFound
        limits = await limits_of(tx, vault.workspace_id, [number])
        return _member(rows[0], vault, limits[number])

    @staticmethod
    async def _need_free(tx: Transaction, vault: Vault, email: str) -> None:
        if (
            await postgres.find_by_email(tx, vault.workspace_id, email_key(vault, email))
            is not None
        ):
            raise EmailTaken

    @staticmethod
    async def _need_other_owner(tx: Transaction, workspace_id: WorkspaceId, member: Member) -> None:
        was = member.role is Role.OWNER and member.disabled_at is None
        if was and not await postgres.other_owners(tx, workspace_id, member.member_id):
            raise LastOwner


def email_key(vault: Vault, email: str) -> bytes:
    """The keyed hash by which a member is found from his e-mail, within his workspace."""
    return vault.key_for("email", email)


def read_name(text: str) -> str:
    """The name of a person or a workspace, without white space around it.

    Raises:
        BadName: it is empty or too long.
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise BadName
    return name


def read_email(text: str) -> str:
    """An e-mail as it is kept: in one form, however it was typed.

    Raises:
        BadEmail: it is none.
    """
    try:
        address = read_address(text)
    except BadAddress:
        raise BadEmail from None
    if is_platform(address.domain) or len(address.name) > LONGEST_EMAIL:
        raise BadEmail
    return address.name


def _check_limits(role: Role, *, limited: bool) -> None:
    if limited and Permission.ADMIN in PERMISSIONS_OF[role]:
        raise AdminLimited


def _check_hand(by: principals.PrincipalRow, member: Member, role: Role) -> None:
    """An admin keeps his hands off owners, and everyone off the operator."""
    if Role.OWNER in {member.role, role} and by.role != Role.OWNER:
        raise OwnersOnly
    if member.operator and by.member_id != member.member_id:
        raise OperatorStays


def _member(row: postgres.MemberRow, vault: Vault, limits: tuple[Limit, ...]) -> Member:
    number = row.principal_id
    sealed_email = row.sealed_email
    return Member(
        member_id=number,
        email=None if sealed_email is None else vault.open_text(sealed_email, "email", number),
        name=vault.open_text(row.sealed_name, "principal", number),
        role=Role(row.role),
        limits=limits if row.limited else None,
        operator=row.operator,
        disabled_at=row.disabled_at,
        created_at=row.created_at,
        revision=row.revision,
        keys=row.keys,
    )
