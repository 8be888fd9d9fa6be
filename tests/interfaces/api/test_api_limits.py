"""Bodies over the limit, on a real socket: refused at once, not read into memory."""

import socket
import time
from collections.abc import Generator, Iterator

import httpx2
import pytest
import structlog
from fastapi import FastAPI

from fakes.rooms import OWNER_KEY, Scripted
from fakes.serving import serving

MB = 1024 * 1024
HEADERS = {"Authorization": f"Bearer {OWNER_KEY}"}


@pytest.fixture(scope="module")
def server(app: FastAPI) -> Generator[str]:
    with serving(app) as url:
        yield url


HEAD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'


def _upload(megabytes: int) -> Iterator[bytes]:
    yield HEAD
    for _ in range(megabytes):
        yield b"x" * MB


@pytest.mark.spec("X8", "I1")
@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize(
    ("path", "limit_mb"), [("/api/knowledge/files", 20), ("/api/knowledge/notes", 1)]
)
@pytest.mark.parametrize("declared", [True, False], ids=["declared", "chunked"])
def test_a_hundred_megabytes_are_refused_and_the_refusal_arrives(
    server: str, path: str, limit_mb: int, *, declared: bool
) -> None:
    headers = HEADERS | {"Content-Type": "multipart/form-data; boundary=x"}
    if declared:
        headers["Content-Length"] = str(100 * MB + len(HEAD))
    response = httpx2.post(server + path, content=_upload(100), headers=headers)
    assert (response.status_code, response.json()["code"]) == (413, "api.body_too_large")
    assert str(limit_mb) in response.json()["detail"]


@pytest.mark.spec("X8")
def test_a_file_just_within_the_limit_is_taken(server: str, scripted: Scripted) -> None:
    content = b"a" * (20 * MB)
    response = httpx2.post(
        f"{server}/api/knowledge/files", files={"file": ("a.txt", content)}, headers=HEADERS
    )
    assert response.status_code == 201
    assert scripted.items.uploads == 1


@pytest.mark.spec("X8")
@pytest.mark.usefixtures("scripted")
def test_a_refused_upload_is_answered_before_it_was_sent(server: str) -> None:
    host, port = server.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(
            b"POST /api/knowledge/files HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Length: 104857600\r\n\r\n"
        )
        assert connection.recv(4096).startswith(b"HTTP/1.1 413")


@pytest.mark.spec("X8")
@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize("length", ["-1", "1e3", "nonsense"])
def test_a_length_that_is_none_is_refused(server: str, length: str) -> None:
    host, port = server.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(
            f"POST /api/knowledge/notes HTTP/1.1\r\nHost: localhost\r\n"
            f"Content-Length: {length}\r\n\r\n".encode()
        )
        assert connection.recv(4096).startswith(b"HTTP/1.1 4")


@pytest.mark.spec("X8", "I1")
@pytest.mark.usefixtures("scripted")
def test_a_sender_who_leaves_midway_is_no_fault_of_ours(server: str) -> None:
    host, port = server.removeprefix("http://").split(":")
    head = (
        f"POST /api/knowledge/files HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {OWNER_KEY}\r\nContent-Length: 100000\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\n\r\n"
    )
    with structlog.testing.capture_logs() as logs:
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            connection.sendall(head.encode() + HEAD)
        for _ in range(200):
            if any(one.get("status") in {499, 500} for one in logs):
                break
            time.sleep(0.05)
    assert 499 in [one.get("status") for one in logs]
    assert not [one for one in logs if one["event"] == "request_crashed"]
