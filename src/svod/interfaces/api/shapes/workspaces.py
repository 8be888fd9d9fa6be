"""Who the caller is, levels, and keys."""

from typing import Annotated, Any

from pydantic import AwareDatetime, ConfigDict, Field

from svod.foundation.ids import write_id
from svod.interfaces.api.shapes.members import (
    LIMIT_EXAMPLE,
    LimitsAsked,
    LimitTold,
    limits_told,
)
from svod.interfaces.api.shapes.strict import Asked, Moment, Told
from svod.knowledge.workspaces import KeyView, LevelView, NewKey, Permission, Role, Whoami


class LevelTold(Told):
    """A level that the caller may read."""

    name: str
    kind: str
    items: int
    may_change: bool

    @classmethod
    def of(cls, level: LevelView) -> "LevelTold":
        """The level as it is told."""
        return cls(name=level.name, kind=level.kind, items=level.items, may_change=level.may_change)


LEVEL_EXAMPLE: dict[str, Any] = {
    "name": "workspace",
    "kind": "workspace",
    "items": 12,
    "may_change": True,
}


class LevelsTold(Told):
    """The levels that the caller may read, his own workspace first."""

    levels: list[LevelTold]


LEVELS_EXAMPLE: dict[str, Any] = {"levels": [LEVEL_EXAMPLE]}


class WhoamiTold(Told):
    """Who the caller is, and what he may do where (I7a).

    `role` is the member's, of a key that of the member whose it is; `limits` is null for one who is
    not limited; `levels` are all that he may read.
    """

    workspace_id: str
    workspace_name: str
    principal_id: str
    kind: str
    name: str
    role: Role | None
    permissions: list[Permission]
    operator: bool
    limits: list[LimitTold] | None
    expires_at: Moment | None
    levels: list[LevelTold]

    @classmethod
    def of(cls, who: Whoami) -> "WhoamiTold":
        """The caller as he is told."""
        return cls(
            workspace_id=write_id(who.workspace_id),
            workspace_name=who.workspace_name,
            principal_id=write_id(who.principal_id),
            kind=who.kind,
            name=who.name,
            role=who.role,
            permissions=list(who.permissions),
            operator=who.operator,
            limits=limits_told(who.limits),
            expires_at=who.expires_at,
            levels=[LevelTold.of(level) for level in who.levels],
        )


WHOAMI_EXAMPLE: dict[str, Any] = {
    "workspace_id": "3h8vq1m2k0c7d",
    "workspace_name": "Лесная полка",
    "principal_id": "0000000000002",
    "kind": "key",
    "name": "nightly import",
    "role": "owner",
    "permissions": ["knowledge:write"],
    "operator": False,
    "limits": None,
    "expires_at": None,
    "levels": [LEVEL_EXAMPLE],
}


class KeyAsked(Asked):
    """A key to make: no stronger than its maker.

    With `limits` it reads the workspace level, what is named and what lies above that; an empty list
    names nothing.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "nightly import",
                    "permissions": ["knowledge:write"],
                    "expires_at": "2027-01-31T00:00:00Z",
                    "limits": [LIMIT_EXAMPLE],
                }
            ]
        }
    )

    name: Annotated[str, Field(min_length=1, max_length=100)]
    permissions: Annotated[list[Permission], Field(min_length=1)]
    expires_at: AwareDatetime | None = None
    limits: LimitsAsked | None = None


class KeyTold(Told):
    """A key without its secret; `member_id` is the member whose it is, `made_by` who made it."""

    principal_id: str
    name: str
    permissions: list[Permission]
    operator: bool
    limits: list[LimitTold] | None
    member_id: str | None
    made_by: str | None
    created_at: Moment
    expires_at: Moment | None
    revoked_at: Moment | None
    last_used_at: Moment | None

    @classmethod
    def of(cls, key: KeyView) -> "KeyTold":
        """The key as it is told."""
        return cls(
            principal_id=write_id(key.principal_id),
            name=key.name,
            permissions=list(key.permissions),
            operator=key.operator,
            limits=limits_told(key.limits),
            member_id=write_id(key.member_id) if key.member_id else None,
            made_by=write_id(key.made_by) if key.made_by else None,
            created_at=key.created_at,
            expires_at=key.expires_at,
            revoked_at=key.revoked_at,
            last_used_at=key.last_used_at,
        )


KEY_EXAMPLE: dict[str, Any] = {
    "principal_id": "0000000000002",
    "name": "nightly import",
    "permissions": ["knowledge:write"],
    "operator": False,
    "limits": [LIMIT_EXAMPLE],
    "member_id": "0000000000001",
    "made_by": "0000000000001",
    "created_at": "2026-11-30T12:00:00Z",
    "expires_at": "2027-01-31T00:00:00Z",
    "revoked_at": None,
    "last_used_at": None,
}


class KeysTold(Told):
    """The keys of the workspace, oldest first."""

    keys: list[KeyTold]


KEYS_EXAMPLE: dict[str, Any] = {"keys": [KEY_EXAMPLE]}


class NewKeyTold(Told):
    """A key just made; the secret is shown this once."""

    key: KeyTold
    secret: str

    @classmethod
    def of(cls, made: NewKey) -> "NewKeyTold":
        """The new key as it is told."""
        return cls(key=KeyTold.of(made.key), secret=made.secret)


NEW_KEY_EXAMPLE: dict[str, Any] = {"key": KEY_EXAMPLE, "secret": "svod_3h8vq1m2k0c7d_…"}
