"""Calls about who asks, where, and with which key."""

from collections.abc import Sequence
from datetime import datetime

from svod.client.calls import Calls, creation, part
from svod.client.decoding import decode, encode
from svod.client.people import Key, Level, Limit, NewKey, Whoami
from svod.client.results import Ready
from svod.client.transport import Call


class PrincipalCalls(Calls):
    """Who asks, where, and with which key."""

    def ready(self) -> Ready:
        """What the server still waits for."""
        return self._get(Ready, Call("GET", "/ready", takes=frozenset({503})))

    def whoami(self) -> Whoami:
        """Who the key belongs to, and what it may do where."""
        return self._get(Whoami, Call("GET", "/api/whoami"))

    def levels(self) -> tuple[Level, ...]:
        """The levels that the key reads."""
        found = self._json(Call("GET", "/api/knowledge/levels"))
        return tuple(decode(Level, level) for level in found["levels"])

    def keys(self) -> tuple[Key, ...]:
        """The keys of the workspace, oldest first."""
        found = self._json(Call("GET", "/api/keys"))
        return tuple(decode(Key, key) for key in found["keys"])

    def make_key(
        self,
        name: str,
        permissions: Sequence[str],
        *,
        expires_at: datetime | None = None,
        limits: Sequence[Limit] | None = None,
    ) -> NewKey:
        """A key no stronger than this one; its secret is given only here.

        `limits` names the domains and addresses that it is limited to; None limits it to none.
        """
        body = {
            "name": name,
            "permissions": list(permissions),
            "expires_at": encode(expires_at),
            "limits": None if limits is None else encode(list(limits)),
        }
        return self._get(NewKey, creation("/api/keys", body))

    def revoke_key(self, principal_id: str) -> None:
        """Make a key invalid at once."""
        self._transport.send(Call("DELETE", f"/api/keys/{part(principal_id)}"))
