"""An OpenAI-compatible embeddings endpoint on loopback, which can be slow, busy, strict or gone."""

import asyncio
import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fakes.embedder import HashEmbedder
from svod.foundation.providers import Purpose
from svod.foundation.providers.sources import EndpointSource

KEY = "sk-right"
Answer = Callable[[dict[str, Any]], tuple[int, dict[str, str], bytes] | None]
"""A request's body -> what to answer in place of vectors; None for vectors."""


class Endpoint:
    """Vectors of the hash embedder, as an endpoint gives them; it writes down what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.embedded: list[str] = []
        self.calls = 0
        self.answer: Answer = lambda _: None
        self.dimensions = 64
        self.is_gone = False
        self._model = HashEmbedder()
        self._server = self._open(0)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    def source(self, **changes: Any) -> EndpointSource:
        return EndpointSource(url=self.url, model="hash-model", key=KEY).model_copy(update=changes)

    def go(self) -> None:
        """Be gone: nobody listens."""
        self.is_gone = True
        self._server.shutdown()
        self._server.server_close()

    def come_back(self) -> None:
        """Listen again on the same port."""
        self._server = self._open(self.port)
        self.is_gone = False

    def vectors(self, body: dict[str, Any]) -> list[list[float]]:
        """What would be answered."""
        texts = body["input"]
        made = asyncio.run(self._model.embed(texts, purpose=Purpose.STORE))
        return [row[: self.dimensions].tolist() for row in made]

    def _open(self, port: int) -> ThreadingHTTPServer:
        server = _Server(("127.0.0.1", port), _Handler)
        server.endpoint = self
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        return server

    def reply(self, path: str, key: str, body: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        """What a request is answered."""
        self.calls += 1
        self.asked.append(body)
        if path != "/v1/embeddings":
            return 404, {}, b"{}"
        if key != f"Bearer {KEY}":
            return 401, {}, _error("invalid_api_key")
        given = self.answer(body)
        if given is not None:
            return given
        self.embedded += body["input"]
        data = [{"index": at, "embedding": row} for at, row in enumerate(self.vectors(body))]
        # Some servers answer out of order.
        return 200, {}, json.dumps({"data": data[::-1]}).encode()


def refused(status: int, code: str = "", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """A failure as an endpoint tells it; `Retry_After` stands for the header of that name."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, named, _error(code)


def _error(code: str) -> bytes:
    return json.dumps({"error": {"code": code, "message": "the text was: secret words"}}).encode()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    endpoint: Endpoint


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        if self.server.endpoint.is_gone:
            # A connection that was kept: its thread lives on.
            self.close_connection = True
            return
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = self.headers.get("Authorization", "")
        status, headers, content = self.server.endpoint.reply(self.path, key, body)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its signature
        """Says nothing."""
