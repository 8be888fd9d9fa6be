"""Which Host a request may name: a guard against DNS rebinding.

A page elsewhere can point its own name at this machine and have a browser here call us. It cannot
make that browser call us by an address or a loopback name, so those and configured names pass.
"""

from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from svod.interfaces.api.errors import HostRefused
from svod.interfaces.api.problems import problem_response

_LOOPBACK = "localhost"


class Hosts:
    """Refuses requests whose Host is none of ours."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http" and not self._is_ours(Headers(scope=scope).get("host", "")):
            await problem_response(HostRefused(), scope)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_ours(self, host: str) -> bool:
        name = without_port(host).lower().rstrip(".")
        if name in self._names or name == _LOOPBACK or name.endswith(".localhost"):
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


def without_port(host: str) -> str:
    """The name or address in a Host header."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def is_loopback(name: str) -> bool:
    """Whether a name or address is this machine's own."""
    if name == _LOOPBACK or name.endswith(f".{_LOOPBACK}"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
