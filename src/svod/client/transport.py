"""Sending a request, again where that does no harm, and making failures of what comes back."""

import json
import secrets
import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from svod.client.errors import (
    BY_STATUS,
    FieldProblem,
    NotAllowed,
    NotAvailable,
    ServerFailed,
    SvodFailed,
)
from svod.client.saying import hint, say
from svod.client.settings import Door, host_of

_FIRST_DELAY_S = 0.2
_GROWTH = 2.5
_LONGEST_DELAY_S = 10.0
_AGAIN = frozenset({429, 502, 503, 504})
_STILL_RUNNING = "workspaces.request_running"
_PROBLEM = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Call:
    """A request. `repeatable` says that sending it twice does what sending it once does."""

    method: str
    path: str
    query: Mapping[str, object] = field(default_factory=dict[str, object])
    body: Any = None
    form: Mapping[str, str] | None = None
    file: Path | bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeatable: bool = True
    takes: frozenset[int] = frozenset()
    """Statuses that are no failure although they look like one."""


class Transport:
    """One server, spoken to by any number of threads."""

    def __init__(
        self,
        door: Door,
        *,
        language: str,
        timeout_s: float,
        retries: int,
        inner: httpx2.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.door = door
        self._language = language
        if host_of(door.url) is None:
            raise self._failed("client.bad_url", url=door.url)
        if door.key and not (door.key.isascii() and door.key.isprintable()):
            code = "client.bad_key"
            raise NotAllowed(say(code, language), code=code, hint=hint(code, language))
        self._timeout_s = timeout_s
        self._retries = retries
        self._sleep = sleep
        headers = {"Accept-Language": language, "Accept": "application/json"}
        if door.key:
            headers["Authorization"] = f"Bearer {door.key}"
        self._http = httpx2.Client(
            base_url=door.url,
            headers=headers,
            timeout=httpx2.Timeout(timeout_s, connect=5.0),
            # A proxy set for the internet has no business between this machine and itself.
            trust_env=not door.loopback,
            verify=_trust(door.url),
            transport=inner,
        )

    def close(self) -> None:
        """Let the connections go."""
        self._http.close()

    def send(self, call: Call, *, stream: bool = False) -> httpx2.Response:
        """The response of a call that succeeded; with `stream` its body is not read yet.

        Raises:
            SvodFailed: one of its kinds, after the repeats that the call allows.
        """
        for attempt in range(self._retries + 1):
            last = attempt == self._retries
            try:
                response = self._send_once(call, stream=stream)
                if stream and not response.is_success:
                    response.read()
            except httpx2.TransportError as error:
                if last or not _may_repeat(call, error):
                    raise self._broken(error) from None
                self._pause(attempt, None)
                continue
            if response.is_success or response.status_code in call.takes:
                return response
            if last or not (call.repeatable and _asks_again(response)):
                raise self._told(response)
            self._pause(attempt, response.headers.get("retry-after"))
        raise AssertionError("the last attempt returns or raises")

    def broken_off(self) -> SvodFailed:
        """The failure of a reply that did not come to its end."""
        return self._failed("client.broken_off", url=self.door.url)

    def told(self, problem: Mapping[str, Any], status: int) -> SvodFailed:
        """The failure that a problem tells of."""
        kind = BY_STATUS.get(status, ServerFailed)
        return kind(
            problem["detail"],
            code=problem["code"],
            hint=problem.get("hint"),
            status=status,
            request_id=problem.get("request_id"),
            errors=tuple(
                FieldProblem(one["field"], one["code"], one["message"])
                for one in problem.get("errors", [])
            ),
        )

    def _send_once(self, call: Call, *, stream: bool) -> httpx2.Response:
        query = {name: value for name, value in call.query.items() if value is not None}
        with ExitStack() as opened:
            files: list[tuple[str, Any]] | None = None
            if call.form is not None:
                files = [(name, (None, value)) for name, value in call.form.items()]
                if call.file is not None:
                    content = (
                        opened.enter_context(call.file.open("rb"))
                        if isinstance(call.file, Path)
                        else call.file
                    )
                    # The true name travels as a field: header encodings of names vary.
                    files.append(("file", ("file", content, "application/octet-stream")))
            request = self._http.build_request(
                call.method,
                call.path,
                params=query,  # pyright: ignore[reportArgumentType] - plain values
                json=call.body,
                files=files,
                headers=dict(call.headers),
            )
            return self._http.send(request, stream=stream)

    def _pause(self, attempt: int, retry_after: str | None) -> None:
        if retry_after is not None and retry_after.isdecimal():
            delay = float(retry_after)
        else:
            # Spread out, so that many clients do not come back in the same instant.
            delay = _FIRST_DELAY_S * _GROWTH**attempt * (0.5 + secrets.randbelow(1000) / 1000)
        self._sleep(min(delay, _LONGEST_DELAY_S))

    def _broken(self, error: httpx2.TransportError) -> SvodFailed:
        url = self.door.url
        if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
            return self._failed("client.unreachable", url=url)
        if isinstance(error, httpx2.TimeoutException):
            return self._failed("client.timed_out", url=url, seconds=round(self._timeout_s))
        return self.broken_off()

    def _failed(self, code: str, **facts: object) -> NotAvailable:
        language = self._language
        return NotAvailable(say(code, language, **facts), code=code, hint=hint(code, language))

    def _told(self, response: httpx2.Response) -> SvodFailed:
        status = response.status_code
        problem = _problem(response)
        if problem is None:
            return self._failed("client.not_svod", url=self.door.url, status=status)
        return self.told(problem, status)


def _trust(url: str) -> ssl.SSLContext | bool:
    if url.lower().startswith("https:"):
        return True
    # Reading every certificate of the machine costs a quarter of a second, for nothing here: this
    # context trusts none, so it could not be used by mistake.
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _may_repeat(call: Call, error: httpx2.TransportError) -> bool:
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
        return True  # nothing was sent
    return call.repeatable and isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError)


def _asks_again(response: httpx2.Response) -> bool:
    if response.status_code in _AGAIN:
        return True
    problem = _problem(response) if response.status_code == 409 else None  # noqa: PLR2004
    return problem is not None and problem["code"] == _STILL_RUNNING


def _problem(response: httpx2.Response) -> dict[str, Any] | None:
    if not response.headers.get("content-type", "").startswith(_PROBLEM):
        return None
    try:
        return json.loads(response.content)
    except ValueError:
        return None
