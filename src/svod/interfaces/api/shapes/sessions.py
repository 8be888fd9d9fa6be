"""Signing in, and the log of who did what."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from svod.foundation.ids import write_id
from svod.interfaces.api.shapes.strict import Asked, Moment, Told
from svod.knowledge.workspaces.audit import Action, AuditPage, AuditQuery, Done
from svod.knowledge.workspaces.sign_in import Entered, Invitation
from svod.knowledge.workspaces.sign_in.sessions import csrf_token

_Password = Annotated[str, Field(min_length=1, max_length=1000)]
_Email = Annotated[str, Field(min_length=1, max_length=300)]
_Secret = Annotated[str, Field(min_length=1, max_length=200)]
_SECRET_EXAMPLE = "svod_0000000000001_…"  # noqa: S105 - the form of a secret
_PASSWORD_EXAMPLE = "четыре случайных слова подряд"  # noqa: S105 - an example


class SignInAsked(Asked):
    """An e-mail and a password."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"email": "anna@example.com", "password": _PASSWORD_EXAMPLE}]
        }
    )

    email: _Email
    password: _Password


class SetUpAsked(Asked):
    """The set-up link's token, and what the owner signs in with from then on."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "token": _SECRET_EXAMPLE,
                    "email": "anna@example.com",
                    "password": _PASSWORD_EXAMPLE,
                }
            ]
        }
    )

    token: _Secret
    email: _Email
    password: _Password


class AcceptAsked(Asked):
    """An invitation's token, and the password that the member chooses."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"token": _SECRET_EXAMPLE, "password": _PASSWORD_EXAMPLE}]}
    )

    token: _Secret
    password: _Password


class PasswordAsked(Asked):
    """The password now, and the one from now on."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"current": "старый длинный пароль", "new": _PASSWORD_EXAMPLE}]
        }
    )

    current: _Password
    new: _Password


class EnteredTold(Told):
    """A workspace that the session leads to."""

    workspace_id: str
    name: str
    member_id: str


class SessionTold(Told):
    """A session. `csrf_token` goes along as `X-CSRF-Token` with whatever changes something.

    Of several workspaces the first is entered; `X-Svod-Workspace` chooses another.
    """

    csrf_token: str
    expires_at: Moment
    workspaces: list[EnteredTold]

    @classmethod
    def of(cls, entered: Entered) -> "SessionTold":
        """The session as it is told; its secret stays in the cookie."""
        return cls(
            csrf_token=csrf_token(entered.secret),
            expires_at=entered.expires_at,
            workspaces=[
                EnteredTold(
                    workspace_id=write_id(one.workspace_id),
                    name=one.workspace_name,
                    member_id=write_id(one.principal_id),
                )
                for one in entered.memberships
            ],
        )


SESSION_EXAMPLE: dict[str, Any] = {
    "csrf_token": "q1w2e3r4t5y6u7i8o9p0a1s2d3f4g5h6",
    "expires_at": "2026-12-30T12:00:00Z",
    "workspaces": [
        {"workspace_id": "0000000000001", "name": "Прокат", "member_id": "0000000000002"}
    ],
}


class InvitationTold(Told):
    """A link by which a member sets his password; shown this once, to be handed over."""

    token: str
    path: str
    expires_at: Moment

    @classmethod
    def of(cls, invitation: Invitation) -> "InvitationTold":
        """The invitation as it is told."""
        return cls(
            token=invitation.secret,
            path=f"/invitation#{invitation.secret}",
            expires_at=invitation.expires_at,
        )


INVITATION_EXAMPLE: dict[str, Any] = {
    "token": _SECRET_EXAMPLE,
    "path": f"/invitation#{_SECRET_EXAMPLE}",
    "expires_at": "2026-12-07T12:00:00Z",
}


class AuditAsked(Asked):
    """Which entries of the log."""

    action: Action | None = None
    since: Moment | None = None
    until: Moment | None = None
    cursor: Annotated[str | None, Field(max_length=13)] = None
    limit: Annotated[int, Field(ge=1, le=500)] = 100

    def query(self, before: int | None) -> AuditQuery:
        """As the room takes it."""
        return AuditQuery(self.action, self.since, self.until, before, self.limit)


class DoneTold(Told):
    """One thing that was done. `by` is the name of who did it, null once he is gone."""

    audit_id: str
    at: Moment
    principal_id: str
    by: str | None
    action: Action
    subject_id: str | None
    facts: dict[str, str | int]

    @classmethod
    def of(cls, done: Done) -> "DoneTold":
        """The entry as it is told."""
        return cls(
            audit_id=write_id(done.audit_id),
            at=done.at,
            principal_id=write_id(done.principal_id),
            by=done.by,
            action=done.action,
            subject_id=None if done.subject_id is None else write_id(done.subject_id),
            facts=done.facts,
        )


DONE_EXAMPLE: dict[str, Any] = {
    "audit_id": "0000000000009",
    "at": "2026-11-30T12:00:00Z",
    "principal_id": "0000000000001",
    "by": "Анна Лесная",
    "action": "key_made",
    "subject_id": "0000000000004",
    "facts": {},
}


class AuditTold(Told):
    """Entries, newest first."""

    entries: list[DoneTold]
    next_cursor: str | None

    @classmethod
    def of(cls, page: AuditPage) -> "AuditTold":
        """The page as it is told."""
        return cls(
            entries=[DoneTold.of(entry) for entry in page.entries],
            next_cursor=None if page.next_before is None else write_id(page.next_before),
        )


AUDIT_EXAMPLE: dict[str, Any] = {"entries": [DONE_EXAMPLE], "next_cursor": None}
