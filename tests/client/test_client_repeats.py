"""What is repeated when the network or the server stumbles, and what is sent once."""

from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from svod.client import Client, Conflict, NotAllowed, NotAvailable, ServerFailed
from svod.client.calls import creation
from svod.client.settings import Door, find_door
from svod.client.transport import Call, Transport

Reply = httpx2.Response | Exception


class Script(httpx2.BaseTransport):
    """Answers with one reply after another, and remembers what was asked."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.requests: list[httpx2.Request] = []

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.read()
        self.requests.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


def problem(status: int, code: str, **headers: str) -> httpx2.Response:
    body = {"detail": "…", "code": code, "hint": None, "request_id": "r", "errors": []}
    headers = {"content-type": "application/problem+json", **headers}
    return httpx2.Response(status, json=body, headers=headers)


def done() -> httpx2.Response:
    return httpx2.Response(200, json={"levels": []})


def sent(script: Script, call: Call, *, retries: int = 3) -> tuple[httpx2.Response, list[float]]:
    pauses: list[float] = []
    transport = Transport(
        Door("http://127.0.0.1:1", "svod_k"),
        language="en",
        timeout_s=1,
        retries=retries,
        inner=script,
        sleep=pauses.append,
    )
    return transport.send(call), pauses


GET = Call("GET", "/api/knowledge/levels")
ONCE = Call("PATCH", "/api/knowledge/items/x", body={}, repeatable=False)
BROKEN = httpx2.RemoteProtocolError("gone")
STUMBLES: list[Callable[[], Reply]] = [
    lambda: problem(503, "svod.unavailable"),
    lambda: problem(429, "svod.exhausted"),
    lambda: problem(409, "workspaces.request_running"),
    lambda: BROKEN,
    lambda: httpx2.ReadError("reset"),
    lambda: httpx2.ConnectError("refused"),
]


@pytest.mark.spec("I5")
@pytest.mark.parametrize("stumble", STUMBLES)
def test_a_call_that_may_be_repeated_is_until_it_succeeds(stumble: Callable[[], Reply]) -> None:
    script = Script(stumble(), stumble(), done())
    _, pauses = sent(script, GET)
    assert len(script.requests) == 3
    assert len(pauses) == 2
    assert pauses[1] > 0


@pytest.mark.spec("I5")
@pytest.mark.parametrize("stumble", STUMBLES[:-1])
def test_a_call_that_may_not_be_repeated_is_sent_once(stumble: Callable[[], Reply]) -> None:
    script = Script(stumble(), done())
    with pytest.raises((NotAvailable, Conflict, Exception)):
        sent(script, ONCE)
    assert len(script.requests) == 1


@pytest.mark.spec("I5")
def test_what_was_never_sent_may_be_sent_again_whatever_it_is() -> None:
    script = Script(httpx2.ConnectError("refused"), done())
    sent(script, ONCE)
    assert len(script.requests) == 2


@pytest.mark.spec("I5")
def test_the_server_says_how_long_to_wait() -> None:
    _, pauses = sent(Script(problem(503, "x", **{"retry-after": "7"}), done()), GET)
    assert pauses == [7.0]


@pytest.mark.spec("I5")
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (lambda: problem(404, "items.not_found"), Exception),
        (lambda: problem(500, "api.unexpected"), ServerFailed),
        (lambda: problem(409, "items.changed_meanwhile"), Conflict),
        (lambda: httpx2.ReadTimeout("slow"), NotAvailable),
    ],
)
def test_what_would_fail_again_is_not_repeated(
    reply: Callable[[], Reply], kind: type[Exception]
) -> None:
    script = Script(reply(), done())
    with pytest.raises(kind):
        sent(script, GET)
    assert len(script.requests) == 1


@pytest.mark.spec("I5")
def test_after_the_last_repeat_the_failure_is_told() -> None:
    script = Script(*(problem(503, "svod.unavailable") for _ in range(4)))
    with pytest.raises(NotAvailable) as gone:
        sent(script, GET)
    assert gone.value.code == "svod.unavailable"


@pytest.mark.spec("I1", "I5")
def test_a_repeated_creation_carries_the_same_key_and_the_next_one_another() -> None:
    made = {"key": None, "secret": "s"}
    script = Script(BROKEN, httpx2.Response(201, json=made), httpx2.Response(201, json=made))
    with Client("http://127.0.0.1:1", "k", transport=script) as client:
        client._transport._sleep = lambda _: None
        for _ in range(2):
            client._transport.send(creation("/api/keys", {"name": "k"}))
    keys = [request.headers["idempotency-key"] for request in script.requests]
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.spec("I5", "I4")
@pytest.mark.parametrize(("language", "word"), [("en", "./svod up"), ("ru", "Запустите")])
def test_a_server_that_is_down_is_told_with_what_to_do(language: str, word: str) -> None:
    with (
        Client("http://127.0.0.1:1", "k", language=language, retries=0) as client,
        pytest.raises(NotAvailable) as gone,
    ):
        client.whoami()
    assert gone.value.code == "client.unreachable"
    assert word in (gone.value.hint or "")


@pytest.mark.spec("I5")
def test_something_else_on_the_port_is_not_taken_for_svod() -> None:
    script = Script(httpx2.Response(404, text="<h1>nginx</h1>"))
    with pytest.raises(NotAvailable) as other:
        sent(script, GET)
    assert other.value.code == "client.not_svod"


@pytest.mark.spec("I5")
@pytest.mark.parametrize(
    "url", ["ftp://127.0.0.1", "127.0.0.1:8765", "http://", "http://[::1", "nonsense"]
)
def test_an_address_that_is_none_is_told_so(url: str) -> None:
    with pytest.raises(NotAvailable) as odd, Client(url, "k", retries=0) as client:
        client.whoami()
    assert odd.value.code == "client.bad_url"


@pytest.mark.spec("I5", "X4")
@pytest.mark.parametrize("key", ["svod_ключ", "svod_a\nX-Other: b", "svod_\x00", "svod_\udcff"])
def test_a_key_that_no_header_can_hold_is_refused_before_anything_is_sent(key: str) -> None:
    with pytest.raises(NotAllowed) as odd:
        Client("http://127.0.0.1:1", key, retries=0)
    assert odd.value.code == "client.bad_key"


@pytest.mark.spec("I4", "X4")
def test_the_address_and_the_key_come_from_the_environment(tmp_path: Path) -> None:
    (tmp_path / "cli.key").write_text("svod_file\n")
    data = {"SVOD_DATA": str(tmp_path)}
    assert find_door(None, None, data) == Door("http://127.0.0.1:8765", "svod_file")
    assert find_door(None, None, data | {"SVOD_PORT": "9000"}).url == "http://127.0.0.1:9000"
    assert find_door(None, None, data | {"SVOD_HOST": "::"}).url == "http://127.0.0.1:8765"
    assert find_door(None, None, data | {"SVOD_HOST": "::1"}).url == "http://[::1]:8765"
    assert find_door(None, None, data | {"SVOD_API_KEY": "svod_env"}).key == "svod_env"
    assert find_door("http://localhost:1/", "svod_given", data) == Door(
        "http://localhost:1", "svod_given"
    )


@pytest.mark.spec("I4")
def test_a_server_on_another_port_is_found_where_it_wrote_itself_down(tmp_path: Path) -> None:
    data = {"SVOD_DATA": str(tmp_path)}
    (tmp_path / "server.json").write_text('{"url": "http://127.0.0.1:34567", "pid": 1}')
    assert find_door(None, None, data).url == "http://127.0.0.1:34567"
    assert find_door(None, None, data | {"SVOD_PORT": "0"}).url == "http://127.0.0.1:34567"
    assert find_door(None, None, data | {"SVOD_PORT": "9000"}).url == "http://127.0.0.1:9000"
    (tmp_path / "server.json").write_text("{")
    assert find_door(None, None, data).url == "http://127.0.0.1:8765"


@pytest.mark.spec("X4")
@pytest.mark.parametrize(
    "url", ["https://svod.example", "http://192.168.1.7:8765", "http://localhost.evil.example"]
)
def test_the_key_file_of_this_machine_is_sent_to_no_other(tmp_path: Path, url: str) -> None:
    (tmp_path / "cli.key").write_text("svod_file")
    assert find_door(None, None, {"SVOD_DATA": str(tmp_path), "SVOD_URL": url}).key is None
