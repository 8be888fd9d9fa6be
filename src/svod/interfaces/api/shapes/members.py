"""Members, their roles and limits."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from svod.foundation.ids import write_id
from svod.interfaces.api.shapes.strict import Asked, Moment, Told
from svod.knowledge.workspaces import Role
from svod.knowledge.workspaces.grants import Grant, Limit
from svod.knowledge.workspaces.members import (
    UNCHANGED,
    Invited,
    Member,
    MemberChange,
    Members,
)


class LimitAsked(Asked):
    """A domain or address, named as a level, and what is granted there."""

    level: Annotated[str, Field(min_length=1, max_length=400)]
    grant: Grant

    def limit(self) -> Limit:
        """As the room takes it."""
        return Limit(self.level, self.grant)


LimitsAsked = Annotated[list[LimitAsked], Field(max_length=1000)]


class LimitTold(Told):
    """A domain or address that someone is limited to."""

    level: str
    grant: Grant


def limits_told(limits: Sequence[Limit] | None) -> list[LimitTold] | None:
    """Limits as they are told; None for one who is not limited."""
    if limits is None:
        return None
    return [LimitTold(level=limit.level, grant=limit.grant) for limit in limits]


LIMIT_EXAMPLE: dict[str, Any] = {"level": "domain:example.com", "grant": "send"}


class MemberAsked(Asked):
    """A member to make. Without `limits` he is not limited; an empty list limits him to nothing."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "email": "anna@example.com",
                    "name": "Анна Лесная",
                    "role": "member",
                    "limits": [LIMIT_EXAMPLE],
                }
            ]
        }
    )

    email: Annotated[str, Field(min_length=3, max_length=300)]
    name: Annotated[str, Field(min_length=1, max_length=100)]
    role: Role
    limits: LimitsAsked | None = None

    def invited(self) -> Invited:
        """As the room takes it."""
        limits = None if self.limits is None else [limit.limit() for limit in self.limits]
        return Invited(self.email, self.name, self.role, limits)


class MemberChangeAsked(Asked):
    """What to change; what is left out stays. `limits` is replaced whole; null lifts it."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"role": "viewer", "limits": [LIMIT_EXAMPLE]}]}
    )

    email: Annotated[str, Field(min_length=3, max_length=300)] | None = None
    name: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    role: Role | None = None
    limits: LimitsAsked | None = None
    disabled: bool | None = None

    def change(self) -> MemberChange:
        """As the room takes it."""
        limits = None if self.limits is None else [limit.limit() for limit in self.limits]
        return MemberChange(
            email=self.email,
            name=self.name,
            role=self.role,
            limits=limits if "limits" in self.model_fields_set else UNCHANGED,
            disabled=self.disabled,
        )


class MemberTold(Told):
    """A member. `limits` is null for one who is not limited; `keys` counts those still usable."""

    member_id: str
    email: str | None
    name: str
    role: Role
    limits: list[LimitTold] | None
    operator: bool
    disabled_at: Moment | None
    created_at: Moment
    revision: int
    keys: int

    @classmethod
    def of(cls, member: Member) -> "MemberTold":
        """The member as he is told."""
        return cls(
            member_id=write_id(member.member_id),
            email=member.email,
            name=member.name,
            role=member.role,
            limits=limits_told(member.limits),
            operator=member.operator,
            disabled_at=member.disabled_at,
            created_at=member.created_at,
            revision=member.revision,
            keys=member.keys,
        )


MEMBER_EXAMPLE: dict[str, Any] = {
    "member_id": "0000000000004",
    "email": "anna@example.com",
    "name": "Анна Лесная",
    "role": "member",
    "limits": [LIMIT_EXAMPLE],
    "operator": False,
    "disabled_at": None,
    "created_at": "2026-11-30T12:00:00Z",
    "revision": 1,
    "keys": 0,
}


class MembersTold(Told):
    """Members, in the order they came."""

    members: list[MemberTold]
    next_cursor: str | None

    @classmethod
    def of(cls, page: Members) -> "MembersTold":
        """The page as it is told."""
        return cls(
            members=[MemberTold.of(member) for member in page.members],
            next_cursor=write_id(page.next_after) if page.next_after else None,
        )


MEMBERS_EXAMPLE: dict[str, Any] = {"members": [MEMBER_EXAMPLE], "next_cursor": None}
