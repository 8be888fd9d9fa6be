"""The port: taken before anything else is started, so that a taken one is said at once."""

import contextlib
import errno
import socket
from dataclasses import dataclass
from pathlib import Path

import psutil

from svod.foundation.errors import Conflict, Says

_EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened on


class PortTaken(Conflict):
    """Another program listens where we would."""

    code = "serve.port_taken"
    says = Says(
        "Port {port} of {host} is taken by {holder}.",
        "Порт {port} на {host} занят: {holder}.",
    )
    hint = Says(
        "Stop it, or choose another port: `svod up --port {other}` or SVOD_PORT.",
        "Остановите её или выберите другой порт: `svod up --port {other}` или SVOD_PORT.",
    )


class AddressNotOurs(Conflict):
    """The address is none of this machine's, or the port needs more rights."""

    code = "serve.address_not_ours"
    says = Says(
        "Cannot listen on {host}:{port}: {why}.", "Не удаётся слушать {host}:{port}: {why}."
    )
    hint = Says("Check SVOD_HOST and SVOD_PORT.", "Проверьте SVOD_HOST и SVOD_PORT.")


def take_port(host: str, port: int) -> socket.socket:
    """A bound socket that does not listen yet; port 0 takes any free one.

    Raises:
        PortTaken: with who holds it, as far as this user may know.
        AddressNotOurs: it cannot be bound for another reason.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
        _refuse_if_listening(host, port)
    except PortTaken:
        taken.close()
        raise
    except OSError as error:
        taken.close()
        if error.errno == errno.EADDRINUSE:
            raise _port_taken(host, port) from None
        raise AddressNotOurs(host=host, port=port, why=error.strerror or str(error)) from None
    return taken


def url_of(taken: socket.socket) -> str:
    """Where a browser finds it."""
    host, port = taken.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{shown}:{port}"


@dataclass(frozen=True, slots=True)
class _Listener:
    host: str
    port: int
    pid: int | None


def _refuse_if_listening(host: str, port: int) -> None:
    """Two sockets may be bound to one address as long as none listens; one that does is a taker."""
    if any(one.port == port and one.host in {host, *_EVERY_ADDRESS} for one in _listeners()):
        raise _port_taken(host, port)


def _port_taken(host: str, port: int) -> PortTaken:
    return PortTaken(host=host, port=port, holder=_holder(port), other=port + 1)


def _holder(port: int) -> str:
    for one in _listeners():
        if one.port == port and one.pid:
            with contextlib.suppress(psutil.Error):
                process = psutil.Process(one.pid)
                command = " ".join(Path(part).name for part in process.cmdline()[:3])
                return f"{command or process.name()} (pid {one.pid})"
    return "another program / другая программа"


def _listeners() -> list[_Listener]:
    with contextlib.suppress(psutil.Error, OSError):
        return [
            _Listener(one.laddr[0], one.laddr[1], one.pid)
            for one in psutil.net_connections("tcp")
            if one.status == psutil.CONN_LISTEN and one.laddr
        ]
    return []
