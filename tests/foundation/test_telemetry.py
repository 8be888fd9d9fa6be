"""Logs say what happened, and nothing that was written by a user."""

import io
import json
import logging
from collections.abc import Generator

import pytest
import structlog

from svod.foundation.settings import Settings
from svod.foundation.storage.errors import DiskFull
from svod.foundation.telemetry import configure_logs


@pytest.fixture
def out() -> Generator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    out = io.StringIO()
    configure_logs(Settings(log_format="json"), out)
    yield out
    structlog.reset_defaults()
    root.handlers = handlers
    root.setLevel(level)


def lines(out: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.spec("X13")
def test_an_event_carries_what_holds_for_its_request(out: io.StringIO) -> None:
    with structlog.contextvars.bound_contextvars(request_id="r1"):
        structlog.get_logger().info("items.saved", items=2)
    (line,) = lines(out)
    assert (line["event"], line["items"], line["request_id"], line["level"]) == (
        "items.saved",
        2,
        "r1",
        "info",
    )


@pytest.mark.spec("X13")
def test_libraries_speak_through_the_same_log(out: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").warning("closing %s", "now")
    logging.getLogger("procrastinate.worker").info("small talk")
    (line,) = lines(out)
    assert (line["event"], line["logger"], line["level"]) == (
        "closing now",
        "uvicorn.error",
        "warning",
    )


@pytest.mark.spec("X13")
@pytest.mark.parametrize("word", ["возврат", "refund"])
def test_the_message_of_a_foreign_failure_stays_out(out: io.StringIO, word: str) -> None:
    def fail() -> None:
        try:
            int(word)
        except ValueError:
            structlog.get_logger().exception("items.failed")
            logging.getLogger("other").exception("failed")

    fail()
    assert word not in out.getvalue()
    for line in lines(out):
        (failure,) = line["failure"]  # pyright: ignore[reportGeneralTypeIssues]
        assert failure["type"] == "builtins.ValueError"
        assert failure["at"]


@pytest.mark.spec("X13")
def test_a_failure_of_ours_tells_its_code_and_what_it_says(out: io.StringIO) -> None:
    structlog.get_logger().error("jobs.failed", exc_info=DiskFull())
    (line,) = lines(out)
    (failure,) = line["failure"]  # pyright: ignore[reportGeneralTypeIssues]
    assert failure["code"] == "storage.disk_full"
    assert "disk is full" in failure["message"]


@pytest.mark.spec("X13")
def test_secrets_are_blotted_out(out: io.StringIO) -> None:
    structlog.get_logger().info("keys.made", api_key="svod_abc", secret_hash="def", key_id=3)
    assert "svod_abc" not in out.getvalue()
    assert "def" not in out.getvalue()
    assert lines(out)[0]["key_id"] == 3


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_told_of_trouble_and_not_of_each_request(out: io.StringIO) -> None:
    del out  # puts the logs back as they were
    terminal = _Terminal()
    configure_logs(Settings(), terminal)
    structlog.get_logger().info("request")
    structlog.get_logger().warning("disk.low")
    assert "request" not in terminal.getvalue()
    assert "disk.low" in terminal.getvalue()
