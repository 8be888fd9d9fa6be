"""A web application on a real loopback port, in a thread."""

import socket
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from typing import Any

import uvicorn


@contextmanager
def serving(app: Any) -> Generator[str]:
    """The address of the application while the context lasts."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        port = listening.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join(timeout=10)
