"""Calls about domains, addresses, members and workspaces."""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, TypeVar

from svod.client.calls import Calls, creation, part
from svod.client.decoding import decode, encode
from svod.client.people import Address, Domain, Limit, Member, NewWorkspace, Workspace
from svod.client.transport import Call

Result = TypeVar("Result")
_PAGE = 200


class Unchanged(Enum):
    """Stands for limits that are left as they are: None lifts them."""

    UNCHANGED = "unchanged"


UNCHANGED = Unchanged.UNCHANGED


class PeopleCalls(Calls):
    """Domains, addresses, members and workspaces: made, listed, changed, deleted."""

    def domains(self) -> Iterator[Domain]:
        """Every domain of the workspace, in the order registered, page after page."""
        return self._every(Domain, "domains")

    def add_domain(self, name: str) -> Domain:
        """Register a mail domain (`example.com`) or a channel of a platform (`telegram:bot`)."""
        return self._get(Domain, creation("/api/domains", {"name": name}))

    def delete_domain(self, domain_id: str) -> None:
        """Delete a domain, its addresses, and everything on them."""
        self._delete(f"/api/domains/{part(domain_id)}")

    def addresses(self, domain: str | None = None) -> Iterator[Address]:
        """Every address of the workspace or of one domain, in the order registered."""
        return self._every(Address, "addresses", domain=domain)

    def add_address(self, name: str) -> Address:
        """Register an address of a registered domain; the base of a plus-address comes with it."""
        return self._get(Address, creation("/api/addresses", {"name": name}))

    def delete_address(self, address_id: str) -> None:
        """Delete an address and everything on it."""
        self._delete(f"/api/addresses/{part(address_id)}")

    def members(self) -> Iterator[Member]:
        """Every member of the workspace, in the order they came."""
        return self._every(Member, "members")

    def member(self, member_id: str) -> Member:
        """A member."""
        return self._get(Member, Call("GET", f"/api/members/{part(member_id)}"))

    def add_member(
        self, email: str, name: str, role: str, *, limits: Sequence[Limit] | None = None
    ) -> Member:
        """Make a member; `limits` names the domains and addresses that he is limited to."""
        told = None if limits is None else encode(list(limits))
        body = {"email": email, "name": name, "role": role, "limits": told}
        return self._get(Member, creation("/api/members", body))

    def change_member(
        self,
        member_id: str,
        *,
        email: str | None = None,
        name: str | None = None,
        role: str | None = None,
        limits: Sequence[Limit] | Unchanged | None = UNCHANGED,
        disabled: bool | None = None,
        expected_revision: int | None = None,
    ) -> Member:
        """Change what is named; limits are replaced whole, and None lifts them."""
        named = {"email": email, "name": name, "role": role, "disabled": disabled}
        body: dict[str, Any] = {field: value for field, value in named.items() if value is not None}
        if not isinstance(limits, Unchanged):
            body["limits"] = None if limits is None else encode(list(limits))
        path = f"/api/members/{part(member_id)}"
        return self._get(Member, _change(path, body, expected_revision))

    def remove_member(self, member_id: str) -> None:
        """Remove a member and his keys; the items that he added stay."""
        self._delete(f"/api/members/{part(member_id)}")

    def workspaces(self) -> Iterator[Workspace]:
        """Every workspace of the server, by id; the operator's."""
        return self._every(Workspace, "workspaces")

    def workspace(self, workspace_id: str) -> Workspace:
        """A workspace: one's own, or to the operator any."""
        return self._get(Workspace, Call("GET", f"/api/workspaces/{part(workspace_id)}"))

    def make_workspace(self, name: str, *, language: str = "en") -> NewWorkspace:
        """Make a workspace; the secret of its owner's first key is given only here."""
        body = {"name": name, "language": language}
        return self._get(NewWorkspace, creation("/api/workspaces", body))

    def change_workspace(
        self,
        workspace_id: str,
        *,
        name: str | None = None,
        language: str | None = None,
        expected_revision: int | None = None,
    ) -> Workspace:
        """Rename a workspace, or change its language."""
        named = {"name": name, "language": language}
        body = {field: value for field, value in named.items() if value is not None}
        path = f"/api/workspaces/{part(workspace_id)}"
        return self._get(Workspace, _change(path, body, expected_revision))

    def delete_workspace(self, workspace_id: str, *, confirm: str) -> None:
        """Delete a workspace with everything in it, for good; `confirm` is its name."""
        self._delete(f"/api/workspaces/{part(workspace_id)}", {"confirm": confirm})

    def _every(self, kind: type[Result], what: str, **filters: object) -> Iterator[Result]:
        cursor = None
        while True:
            query = {**filters, "limit": _PAGE, "cursor": cursor}
            page = self._json(Call("GET", f"/api/{what}", query=query))
            yield from (decode(kind, one) for one in page[what])
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def _delete(self, path: str, body: object = None) -> None:
        # A repeat of one that was done would say that there is no such thing.
        self._transport.send(Call("DELETE", path, body=body, repeatable=False))


def _change(path: str, body: dict[str, Any], expected_revision: int | None) -> Call:
    headers = {} if expected_revision is None else {"If-Match": f'"{expected_revision}"'}
    # Sent twice it would fail against the revision that it made itself.
    return Call("PATCH", path, body=body, headers=headers, repeatable=expected_revision is None)
