"""Logs: structured, of ours and of the libraries', without secrets and without users' words.

An event has a name and facts: `log.info("jobs.requeued", jobs=3)`. What holds for a whole request or
job is bound once with `structlog.contextvars`. A failure is logged as its type, its code and the
places it passed; its message only if it is one of ours, since others quote the values they met.
"""

import logging
import re
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any, TextIO, cast

import structlog
from structlog.stdlib import ProcessorFormatter

from svod.foundation.errors import SvodError
from svod.foundation.settings import Settings

_FRAMES = 12
_SECRET = re.compile(
    r"(^|_)(secret|password|token|authorization|dsn|cookie|api_key|master_key)(_|$)", re.IGNORECASE
)
_QUIET = ("uvicorn.access", "procrastinate", "psycopg", "httpx2", "httpcore2", "asyncio")
"""Libraries whose small talk is not for our log; warnings still are."""

Event = MutableMapping[str, Any]


def configure_logs(settings: Settings, out: TextIO | None = None) -> None:
    """Send every log, ours and the libraries', to one place in one form.

    Args:
        settings: `log_level`, and `log_format`: lines of JSON, or columns for a terminal.
        out: standard error if not given.
    """
    stream = out or sys.stderr
    # Whoever started the server by hand watches for the address and for trouble, not each request.
    wanted = settings.log_level
    if wanted == "auto":
        wanted = "warning" if stream.isatty() else "info"
    level = logging.getLevelNamesMapping()[wanted.upper()]
    as_json = settings.log_format == "json" or (
        settings.log_format == "auto" and not stream.isatty()
    )
    chain: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_secrets,
        _failure,
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if as_json
        else structlog.dev.ConsoleRenderer(colors=stream.isatty())
    )
    structlog.configure(
        processors=[*chain, ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        ProcessorFormatter(
            foreign_pre_chain=[*chain[:-2], _named, *chain[-2:]],
            processors=[ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers = []
        logging.getLogger(name).propagate = True
        logging.getLogger(name).setLevel(logging.NOTSET)
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    # Each failed attempt to connect; that the database is gone is said where it matters.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)


def _named(_: object, __: str, event: Event) -> Event:
    """Which library speaks."""
    record: logging.LogRecord = event["_record"]
    event["logger"] = record.name
    return event


def _without_secrets(_: object, __: str, event: Event) -> Event:
    for name in event:
        if _SECRET.search(name):
            event[name] = "…"
    return event


def _failure(_: object, __: str, event: Event) -> Event:
    error: Any = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]
    elif isinstance(error, tuple):
        error = cast("tuple[object, object, object]", error)[1]  # as `sys.exc_info` gives it
    if isinstance(error, BaseException):
        event["failure"] = list(map(_told, _chain(error)))
    return event


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    following: BaseException | None = error
    while following is not None and following not in chain:
        chain.append(following)
        hidden = following.__suppress_context__
        following = following.__cause__ or (None if hidden else following.__context__)
    return chain


def _told(error: BaseException) -> dict[str, object]:
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    told: dict[str, object] = {
        "type": f"{type(error).__module__}.{type(error).__qualname__}",
        "at": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }
    if isinstance(error, SvodError):
        told |= {"code": error.code, "message": error.message()}
    if isinstance(error, OSError) and error.errno:
        told["errno"] = error.errno
    if sqlstate := getattr(error, "sqlstate", None):
        told["sqlstate"] = sqlstate
    return told
