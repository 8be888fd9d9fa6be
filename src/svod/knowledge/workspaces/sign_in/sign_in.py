"""From an e-mail and a password, or a link that was handed over, to a session."""

from dataclasses import dataclass, field

from svod.foundation.clock import Clock
from svod.foundation.ids import PrincipalId
from svod.foundation.storage import Database, Transaction, Vaults
from svod.knowledge.workspaces import keys
from svod.knowledge.workspaces.audit import Action, record
from svod.knowledge.workspaces.caller import Caller, Reading
from svod.knowledge.workspaces.errors import SetupLinkSpent
from svod.knowledge.workspaces.first_run import OWNER, Ground
from svod.knowledge.workspaces.members import Team, email_key
from svod.knowledge.workspaces.members import postgres as members
from svod.knowledge.workspaces.members.errors import (
    BadEmail,
    EmailTaken,
    OperatorStays,
    OwnersOnly,
)
from svod.knowledge.workspaces.members.team import read_email
from svod.knowledge.workspaces.roles import Role
from svod.knowledge.workspaces.secrets import new_secret, secret_hash, workspace_of
from svod.knowledge.workspaces.sign_in import postgres
from svod.knowledge.workspaces.sign_in.attempts import Attempts
from svod.knowledge.workspaces.sign_in.browsers import Browsers
from svod.knowledge.workspaces.sign_in.errors import (
    InvitationSpent,
    NoEmail,
    SessionNeeded,
    WrongPassword,
)
from svod.knowledge.workspaces.sign_in.passwords import Passwords
from svod.knowledge.workspaces.sign_in.sessions import INVITATION_LIFE, Entered, Invitation

MOST_WORKSPACES = 10
"""Of one e-mail: each costs a check of the password."""


@dataclass(frozen=True, slots=True)
class SignIn:
    """The doors for people; keys have theirs in `Workspaces`."""

    database: Database
    vaults: Vaults
    clock: Clock
    ground: Ground
    team: Team
    browsers: Browsers
    attempts: Attempts
    passwords: Passwords = field(default_factory=Passwords)

    async def invite(self, caller: Caller, member_id: PrincipalId) -> Invitation:
        """A link by which a member sets his password, in place of an earlier one; for an admin.

        Raises:
            MemberNotFound: there is none of this id.
            OwnersOnly, OperatorStays: his password is not the caller's business.
            NoEmail: he has no e-mail to sign in with.
        """
        member = await self.team.member(caller, member_id)
        if member.role is Role.OWNER and caller.role is not Role.OWNER:
            raise OwnersOnly
        if member.operator and caller.member_id != member_id:
            raise OperatorStays
        if member.email is None:
            raise NoEmail
        own = caller.own
        secret, expires_at = new_secret(own.workspace_id), self.clock.now() + INVITATION_LIFE
        async with self.database.transaction() as tx:
            await postgres.put_invitation(
                tx, own.workspace_id, member_id, secret_hash(secret), expires_at=expires_at
            )
            await record(tx, self.clock, own, Action.MEMBER_INVITED, subject=member_id)
        return Invitation(secret, expires_at)

    async def accept(self, secret: str, *, password: str, client: str) -> Entered:
        """Spend an invitation: the member has this password from now on, and is signed in.

        Raises:
            InvitationSpent: it is no invitation, too old, or used.
            BadPassword: it is too short or too long.
            TooManyAttempts: too much was tried from this address.
        """
        await self.attempts.count(client=client)
        workspace_id = workspace_of(secret)
        if workspace_id is None:
            raise InvitationSpent
        hashed, now = secret_hash(secret), self.clock.now()
        async with self.database.transaction() as tx:
            found = await postgres.find_invitation(tx, workspace_id, hashed, now=now)
            if found is None or found.sealed_email is None:
                raise InvitationSpent
            vault = await self.vaults.of(tx, workspace_id)
        email = vault.open_text(found.sealed_email, "email", found.principal_id)
        kept = await self.passwords.hash(password, email=email)
        reading = Reading(workspace_id, found.principal_id, vault)
        async with self.database.transaction() as tx:
            if not await postgres.spend_invitation(tx, workspace_id, hashed, now=now):
                raise InvitationSpent
            await self._keep(tx, reading, email, kept)
            return await self.browsers.begin(tx, [reading])

    async def set_up(self, secret: str, *, email: str, password: str, client: str) -> Entered:
        """Spend the set-up link: the owner has this e-mail and password, and is signed in.

        Raises:
            SetupLinkSpent: it is no link, too old, or used.
            BadEmail, BadPassword: they cannot be his.
            TooManyAttempts: too much was tried from this address.
        """
        await self.attempts.count(client=client)
        workspace_id = workspace_of(secret)
        if workspace_id is None or workspace_id != self.ground.first:
            raise SetupLinkSpent
        email = read_email(email)
        kept = await self.passwords.hash(password, email=email)
        async with self.database.transaction() as tx:
            vault = await self.vaults.of(tx, workspace_id)
            await keys.spend_setup_link(tx, self.clock, workspace_id, secret)
            if await members.find_by_email(tx, workspace_id, email_key(vault, email)) not in {
                None,
                OWNER,
            }:
                raise EmailTaken
            owner = members.ChangedMember(
                disabled_at=None,
                sealed_email=vault.seal_text(email, "email", OWNER),
                email_key=email_key(vault, email),
            )
            await members.change_member(tx, workspace_id, OWNER, owner)
            reading = Reading(workspace_id, OWNER, vault)
            await self._keep(tx, reading, email, kept)
            return await self.browsers.begin(tx, [reading])

    async def enter(self, email: str, *, password: str, client: str) -> Entered:
        """Sign in to every workspace where a member of this e-mail has this password.

        Raises:
            WrongPassword: there is none.
            TooManyAttempts: too much was tried with this e-mail or from this address.
        """
        try:
            email = read_email(email)
        except BadEmail:
            email = ""
        await self.attempts.count(client=client, email=email)
        logins = await self._logins(email)
        if not logins:
            await self.passwords.fits(password, None)
        fitting = [
            login for login in logins if await self.passwords.fits(password, login.password_hash)
        ]
        async with self.database.transaction() as tx:
            for login in [login for login in logins if login not in fitting]:
                reading = await self._reading(tx, login)
                await record(tx, self.clock, reading, Action.SIGN_IN_FAILED)
            entered = None
            if fitting:
                readings = [await self._reading(tx, login) for login in fitting]
                entered = await self.browsers.begin(tx, readings)
        if entered is None:
            raise WrongPassword
        await self.attempts.forget(email)
        return entered

    async def change_password(self, caller: Caller, *, current: str, new: str, secret: str) -> None:
        """Set another password in the caller's workspace; his other sessions there end.

        Raises:
            SessionNeeded: the caller is no member with a password.
            WrongPassword: the current one is another.
            BadPassword: the new one is too short or too long.
            TooManyAttempts: too much was tried.
        """
        own = caller.own
        async with self.database.transaction() as tx:
            found = await postgres.find_login(tx, self.ground.system, own)
        if found is None or found.sealed_email is None or caller.kind != "member":
            raise SessionNeeded
        email = own.vault.open_text(found.sealed_email, "email", own.principal_id)
        await self.attempts.count(email=email)
        if not await self.passwords.fits(current, found.password_hash):
            raise WrongPassword
        kept = await self.passwords.hash(new, email=email)
        async with self.database.transaction() as tx:
            await self._keep(tx, own, email, kept, but=secret)
            await record(tx, self.clock, own, Action.PASSWORD_CHANGED)
        await self.attempts.forget(email)

    async def _logins(self, email: str) -> list[postgres.LoginRow]:
        """Who may sign in with an e-mail, as members whose e-mail it still is."""
        async with self.database.transaction() as tx:
            key = email_key(await self.vaults.of(tx, self.ground.system), email)
            rows = await postgres.list_logins(tx, self.ground.system, key, most=MOST_WORKSPACES)
            return [
                row
                for row in rows
                if row.email_key == email_key(await self.vaults.of(tx, row.holder_id), email)
            ]

    async def _keep(
        self, tx: Transaction, reading: Reading, email: str, kept: str, *, but: str | None = None
    ) -> None:
        """Keep a member's password; every session of his ends, but the one named."""
        system = await self.vaults.of(tx, self.ground.system)
        await postgres.put_login(
            tx, self.ground.system, email_key(system, email), reading, kept, now=self.clock.now()
        )
        await postgres.end_sessions(tx, reading, but=but)

    async def _reading(self, tx: Transaction, login: postgres.LoginRow) -> Reading:
        vault = await self.vaults.of(tx, login.holder_id)
        return Reading(login.holder_id, login.principal_id, vault)
