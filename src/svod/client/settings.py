"""Where the server is and which key to show, when the program does not say."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

DEFAULT_PORT = "8765"
KEY_FILE = "cli.key"
SERVER_FILE = "server.json"
_EVERY_ADDRESS = {"0.0.0.0", "::", ""}  # noqa: S104 - compared with, not listened on


@dataclass(frozen=True, slots=True)
class Door:
    """An address and the key for it, if there is one."""

    url: str
    key: str | None

    @property
    def loopback(self) -> bool:
        """Whether the address is this very machine's."""
        return is_loopback(self.url)


def find_door(
    url: str | None, key: str | None, environment: Mapping[str, str] | None = None
) -> Door:
    """What was given; else `SVOD_URL` and `SVOD_API_KEY`; else this machine and its own key.

    The address of this machine's server is `SVOD_PORT` where that is set, else what the server
    wrote down in `SVOD_DATA`. The key file there belongs to that server, so it is read for
    loopback addresses only and sent nowhere else.
    """
    env = environment if environment is not None else os.environ  # noqa: TID251 - one place
    data = Path(env.get("SVOD_DATA") or "data").expanduser()
    found = (url or env.get("SVOD_URL") or _own_address(env, data)).rstrip("/")
    shown = key or env.get("SVOD_API_KEY") or None
    if shown is None and is_loopback(found):
        shown = _key_file(data)
    return Door(found, shown)


def is_loopback(url: str) -> bool:
    """Whether an address is this very machine's."""
    host = host_of(url) or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def host_of(url: str) -> str | None:
    """The host of an address that can be spoken to over HTTP, None when it is no such address."""
    try:
        parts = urlsplit(url)
        return parts.hostname if parts.scheme in {"http", "https"} and parts.port != 0 else None
    except ValueError:
        return None


def _own_address(env: Mapping[str, str], data: Path) -> str:
    port = env.get("SVOD_PORT") or "0"
    if port == "0":
        running = _running(data)
        if running is not None:
            return running
        port = DEFAULT_PORT
    host = env.get("SVOD_HOST", "")
    host = "127.0.0.1" if host in _EVERY_ADDRESS else host
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def _running(data: Path) -> str | None:
    try:
        return str(json.loads((data / SERVER_FILE).read_text(encoding="utf-8"))["url"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _key_file(data: Path) -> str | None:
    try:
        return (data / KEY_FILE).read_text(encoding="ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None
