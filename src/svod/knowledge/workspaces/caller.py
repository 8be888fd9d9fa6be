"""Who asks, and what he may do. Every read takes one."""

from dataclasses import dataclass

from svod.foundation.errors import Denied, Says
from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.foundation.storage import Vault
from svod.knowledge.workspaces.roles import Permission, Role, every


class PermissionMissing(Denied):
    """The key or member lacks the permission that this needs."""

    code = "workspaces.permission_missing"
    says = Says("This needs the permission {permission}.", "Для этого нужно право {permission}.")
    hint = Says("Ask an admin for a key that has it.", "Попросите у администратора ключ с ним.")


class OperatorNeeded(Denied):
    """Only the operator of the server may do this, whatever his role in a workspace."""

    code = "workspaces.operator_needed"
    says = Says(
        "Only the operator of this server may do this.",
        "Это может только оператор этого сервера.",
    )
    hint = Says(
        "On the server's machine, `svod` runs with the operator's key.",
        "На машине сервера `svod` работает с ключом оператора.",
    )


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
    role: Role | None = None
    """A member's role; of a key, that of the member whose it is."""
    member_id: PrincipalId | None = None
    """The member: himself, or of a key the one whose it is."""

    @property
    def readings(self) -> tuple[Reading, Reading]:
        """The workspaces that a read covers: his own, then the system's."""
        return (self.own, self.system)

    @property
    def vault(self) -> Vault:
        """Opens and seals in his own workspace."""
        return self.own.vault

    def reading_of(self, level: str) -> Reading:
        """As whom he reads and writes a level, given as in the API: `global` is the system's."""
        return self.system if level == "global" else self.own

    def may(self, permission: Permission) -> bool:
        """Whether he has a permission; `admin` has all, writing includes reading."""
        return permission in every(self.permissions)

    def need_operator(self) -> None:
        """Go on only as the operator of the server.

        Raises:
            OperatorNeeded: he is not.
        """
        if not self.operator:
            raise OperatorNeeded

    def need(self, permission: Permission) -> None:
        """Go on only with a permission.

        Raises:
            PermissionMissing: he has not got it.
        """
        if not self.may(permission):
            raise PermissionMissing(permission=permission.value)
