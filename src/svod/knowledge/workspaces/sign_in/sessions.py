"""What is told of a session, and how long it lives."""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta

from svod.foundation.ids import PrincipalId, WorkspaceId

LIFE = timedelta(days=30)
IDLE = timedelta(days=7)
"""Unused that long, a session ends before its life is over."""
INVITATION_LIFE = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Membership:
    """A workspace that one signed in to, and as whom."""

    workspace_id: WorkspaceId
    principal_id: PrincipalId
    workspace_name: str


@dataclass(frozen=True, slots=True)
class Entered:
    """A session just begun: its secret for the cookie, and where it leads."""

    secret: str
    expires_at: datetime
    memberships: tuple[Membership, ...]


@dataclass(frozen=True, slots=True)
class Invitation:
    """A link's secret, shown this once to the admin who hands it over."""

    secret: str
    expires_at: datetime


def csrf_token(secret: str) -> str:
    """What a page of ours sends along, and no other page can know: it follows from the cookie."""
    digest = hashlib.blake2b(b"csrf", key=secret.encode()[-43:], digest_size=24).digest()
    return base64.urlsafe_b64encode(digest).decode()


def is_csrf_token(secret: str, given: str | None) -> bool:
    """Whether it is the token of this session."""
    return given is not None and hmac.compare_digest(
        csrf_token(secret).encode(), given.encode("utf-8", "replace")
    )
