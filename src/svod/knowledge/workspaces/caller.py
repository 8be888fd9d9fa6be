"""Who asks, and what he may do. Every read takes one."""

from dataclasses import dataclass
from enum import StrEnum

from svod.foundation.errors import Denied, Says
from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.foundation.storage import Vault


class Permission(StrEnum):
    """What a principal may do in its workspace (X1). Writing includes reading."""

    KNOWLEDGE_READ = "knowledge:read"
    KNOWLEDGE_WRITE = "knowledge:write"
    THREADS_READ = "threads:read"
    THREADS_WRITE = "threads:write"
    PROJECTS_READ = "projects:read"
    PROJECTS_WRITE = "projects:write"
    ADMIN = "admin"


class PermissionMissing(Denied):
    """The key or member lacks the permission that this needs."""

    code = "workspaces.permission_missing"
    says = Says("This needs the permission {permission}.", "Для этого нужно право {permission}.")
    hint = Says("Ask an admin for a key that has it.", "Попросите у администратора ключ с ним.")


@dataclass(frozen=True, slots=True)
class Reading:
    """One workspace that a read covers, as whom it is read, and what opens it."""

    workspace_id: WorkspaceId
    principal_id: PrincipalId
    vault: Vault

    @property
    def sql(self) -> dict[str, int]:
        """The parameters from which a statement resolves what may be read."""
        return {"workspace_id": self.workspace_id, "principal_id": self.principal_id}


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated principal.

    What he may read is not held here: statements resolve it from his grants, so that a grant taken
    back counts from the next statement on. `own` is his workspace; `system` the global level.
    """

    own: Reading
    system: Reading
    permissions: frozenset[Permission]
    name: str
    kind: str
    operator: bool = False

    @property
    def readings(self) -> tuple[Reading, Reading]:
        """The workspaces that a read covers: his own, then the system's."""
        return (self.own, self.system)

    @property
    def vault(self) -> Vault:
        """Opens and seals in his own workspace."""
        return self.own.vault

    def may(self, permission: Permission) -> bool:
        """Whether he has a permission; `admin` has all, writing includes reading."""
        held = self.permissions
        if permission in held or Permission.ADMIN in held:
            return True
        area, _, action = permission.partition(":")
        return action == "read" and Permission(f"{area}:write") in held

    def need(self, permission: Permission) -> None:
        """Go on only with a permission.

        Raises:
            PermissionMissing: he has not got it.
        """
        if not self.may(permission):
            raise PermissionMissing(permission=permission.value)
