"""Asking for events: what comes when, what a failure looks like, and that leaving ends the work."""

import json
import socket
from collections.abc import Generator
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest
from fastapi import FastAPI

from fakes.rooms import BILLING_KEY, READER_KEY, Scripted
from fakes.serving import serving
from svod.interfaces.api import event_stream, make_app

PATH = "/api/knowledge/ask"
EVENTS = {"Accept": "text/event-stream"}


def read(body: str) -> list[tuple[str, Any]]:
    """The events of a body, comments left out."""
    events: list[tuple[str, Any]] = []
    for block in body.split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        if lines:
            name, data = lines
            events.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return events


@pytest.mark.spec("R18")
@pytest.mark.parametrize("question", ["Срок?", "nothing"])
async def test_events_end_with_the_very_reply_and_their_parts_are_its_text(
    reader: httpx2.AsyncClient, question: str
) -> None:
    told = await reader.post(PATH, json={"question": question}, headers=EVENTS)
    whole = (await reader.post(PATH, json={"question": question})).json()
    assert told.headers["content-type"].startswith("text/event-stream")
    events = read(told.text)
    assert [name for name, _ in events][:1] == ["evidence"]
    assert events[-1][0] == "answer"
    last = events[-1][1]
    assert last["meta"].pop("took_ms") >= 0
    whole["meta"].pop("took_ms")
    assert last == whole
    deltas = [data["text"] for name, data in events if name == "answer_delta"]
    assert "".join(deltas) == whole["answer"]
    sources = events[0][1]["sources"]
    assert bool(sources) == whole["answered"]
    assert {source["item_id"] for source in sources} >= {c["item_id"] for c in whole["citations"]}


@pytest.mark.spec("R18")
@pytest.mark.parametrize(
    ("accept", "is_stream"),
    [
        ("text/event-stream", True),
        ("application/json;q=0.5, Text/Event-Stream", True),
        ("text/event-stream;q=0, application/json", False),
        ("application/json", False),
        ("*/*", False),
    ],
)
async def test_events_come_only_to_who_asks_for_them(
    reader: httpx2.AsyncClient, accept: str, is_stream: bool
) -> None:
    told = await reader.post(PATH, json={"question": "Срок?"}, headers={"Accept": accept})
    assert told.headers["content-type"].startswith("text/event-stream") is is_stream


@pytest.mark.spec("R18")
@pytest.mark.parametrize(
    ("body", "key", "status"),
    [
        ({"question": "unavailable"}, READER_KEY, 503),
        ({"question": ""}, READER_KEY, 422),
        ({"question": "Срок?", "odd": 1}, READER_KEY, 422),
        ({"question": "Срок?"}, BILLING_KEY, 403),
        ({"question": "Срок?"}, "svod_nobody", 401),
    ],
)
async def test_what_fails_before_the_first_event_is_an_ordinary_problem(
    nobody: httpx2.AsyncClient, body: dict[str, Any], key: str, status: int
) -> None:
    headers = {**EVENTS, "Authorization": f"Bearer {key}"}
    told = await nobody.post(PATH, json=body, headers=headers)
    assert told.status_code == status
    assert told.headers["content-type"] == "application/problem+json"


@pytest.mark.spec("R18", "X13")
@pytest.mark.parametrize(
    ("question", "code", "status"),
    [("breaks", "svod.unavailable", 503), ("crashes", "api.unexpected", 500)],
)
async def test_what_fails_later_is_an_event_in_the_language_of_the_reader(
    reader: httpx2.AsyncClient, question: str, code: str, status: int
) -> None:
    headers = {**EVENTS, "Accept-Language": "ru", "X-Request-Id": "r-1"}
    told = await reader.post(PATH, json={"question": question}, headers=headers)
    events = read(told.text)
    assert [name for name, _ in events] == ["evidence", "error"]
    problem = events[-1][1]
    assert (problem["code"], problem["status"], problem["request_id"]) == (code, status, "r-1")
    assert "а" in problem["detail"]
    assert "secret" not in told.text


@pytest.fixture(scope="module")
def served() -> Generator[tuple[FastAPI, str]]:
    app = make_app(Scripted().rooms)
    with serving(app) as address:
        yield app, address


@pytest.mark.spec("N-64")
def test_a_silent_reply_shows_signs_of_life_and_leaving_ends_the_work(
    served: tuple[FastAPI, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "HEARTBEAT_S", 0.05)
    app, address = served
    scripted = Scripted()
    app.state.rooms = scripted.rooms
    body = json.dumps({"question": "slow"}).encode()
    to = urlsplit(address)
    with socket.create_connection((to.hostname or "", to.port or 0), timeout=20) as sent:
        head = (
            f"POST {PATH} HTTP/1.1\r\nHost: {to.netloc}\r\nAuthorization: Bearer {READER_KEY}\r\n"
            f"Accept: text/event-stream\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        sent.sendall(head.encode() + body)
        heard = b""
        while heard.count(b": still here") < 2:
            heard += sent.recv(4096)
        assert b"event: evidence" in heard
        assert b"event: answer" not in heard
        assert not scripted.answering.left.is_set()
    assert scripted.answering.left.wait(20)


@pytest.mark.spec("I1")
async def test_the_document_tells_of_both_kinds_of_reply(reader: httpx2.AsyncClient) -> None:
    document = (await reader.get("/api/openapi.json")).json()
    replies = document["paths"][PATH]["post"]["responses"]["200"]["content"]
    assert replies["application/json"]["schema"] == {"$ref": "#/components/schemas/AnswerTold"}
    events = [name for name, _ in read(replies["text/event-stream"]["example"])]
    assert events == ["evidence", "answer_delta", "answer"]
