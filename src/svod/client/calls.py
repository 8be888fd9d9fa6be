"""What every group of calls stands on."""

import secrets
from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import quote

from svod.client.decoding import decode
from svod.client.transport import Call, Transport

Result = TypeVar("Result")


class Calls:
    """Sends calls and reads what comes back."""

    def __init__(self, transport: Transport, language: str) -> None:
        self._transport = transport
        self._language = language

    def _get(self, kind: type[Result], call: Call) -> Result:
        return decode(kind, self._json(call))

    def _json(self, call: Call) -> Any:
        return self._transport.send(call).json()


def creation(path: str, body: Mapping[str, object]) -> Call:
    """A call that makes something, and makes it once however often it is sent."""
    given = {field: value for field, value in body.items() if value is not None}
    return Call("POST", path, body=given, headers=once())


def once() -> dict[str, str]:
    """The header by which a repeat is recognised."""
    return {"Idempotency-Key": secrets.token_hex(16)}


def part(name: str) -> str:
    """A part of a path; an empty one would name something else."""
    return quote(name, safe="") or "-"


def item_path(item_id: str, rest: str = "") -> str:
    """The path of an item, or of something about it."""
    return f"/api/knowledge/items/{part(item_id)}{rest}"


def changing(
    method: str,
    path: str,
    expected_revision: int | None,
    body: Mapping[str, object] | None = None,
) -> Call:
    """A call that changes an item, if it is still at the expected revision."""
    headers = {} if expected_revision is None else {"If-Match": f'"{expected_revision}"'}
    # Sent twice it would fail against the revision that it made itself.
    repeatable = expected_revision is None
    return Call(method, path, body=body, headers=headers, repeatable=repeatable)
