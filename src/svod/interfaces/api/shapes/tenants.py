"""Workspaces as wholes."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from svod.foundation.errors import Language
from svod.foundation.ids import write_id
from svod.interfaces.api.shapes.strict import Asked, Moment, Told
from svod.interfaces.api.shapes.workspaces import NEW_KEY_EXAMPLE, NewKeyTold
from svod.knowledge.workspaces.tenants import NewTenant, Tenant, TenantPage

Name = Annotated[str, Field(min_length=1, max_length=100)]


class WorkspaceAsked(Asked):
    """A workspace to make; `language` is that of what it says by itself."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"name": "Лесная полка", "language": "ru"}]}
    )

    name: Name
    language: Language = Language.EN


class WorkspaceChangeAsked(Asked):
    """What to change; what is left out stays."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Лесная полка"}]})

    name: Name | None = None
    language: Language | None = None


class WorkspaceDeletionAsked(Asked):
    """A deletion is confirmed by the name of the workspace."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"confirm": "Лесная полка"}]})

    confirm: Annotated[str, Field(max_length=100)]


class WorkspaceTold(Told):
    """A workspace; `is_first` is the operator's own, with which the server began."""

    workspace_id: str
    name: str
    language: Language
    is_first: bool
    created_at: Moment
    revision: int

    @classmethod
    def of(cls, tenant: Tenant) -> "WorkspaceTold":
        """The workspace as it is told."""
        return cls(
            workspace_id=write_id(tenant.workspace_id),
            name=tenant.name,
            language=tenant.language,
            is_first=tenant.is_first,
            created_at=tenant.created_at,
            revision=tenant.revision,
        )


WORKSPACE_EXAMPLE: dict[str, Any] = {
    "workspace_id": "3h8vq1m2k0c7d",
    "name": "Лесная полка",
    "language": "ru",
    "is_first": False,
    "created_at": "2026-11-30T12:00:00Z",
    "revision": 1,
}


class WorkspacesTold(Told):
    """Workspaces, by id."""

    workspaces: list[WorkspaceTold]
    next_cursor: str | None

    @classmethod
    def of(cls, page: TenantPage) -> "WorkspacesTold":
        """The page as it is told."""
        return cls(
            workspaces=[WorkspaceTold.of(tenant) for tenant in page.tenants],
            next_cursor=write_id(page.next_after) if page.next_after else None,
        )


WORKSPACES_EXAMPLE: dict[str, Any] = {"workspaces": [WORKSPACE_EXAMPLE], "next_cursor": None}


class NewWorkspaceTold(Told):
    """A workspace just made, and its owner's first key, whose secret is shown this once."""

    workspace: WorkspaceTold
    key: NewKeyTold

    @classmethod
    def of(cls, made: NewTenant) -> "NewWorkspaceTold":
        """The new workspace as it is told."""
        return cls(workspace=WorkspaceTold.of(made.tenant), key=NewKeyTold.of(made.key))


NEW_WORKSPACE_EXAMPLE: dict[str, Any] = {"workspace": WORKSPACE_EXAMPLE, "key": NEW_KEY_EXAMPLE}
