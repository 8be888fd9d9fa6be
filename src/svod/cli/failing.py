"""How a failed command ends: words for a person, JSON for a program, a code for a script."""

import json
import os
import sys
from enum import IntEnum
from typing import TYPE_CHECKING

from svod.cli.catalogue import t
from svod.cli.language import spoken
from svod.cli.output import grumble
from svod.cli.parsing_words import error_in
from svod.foundation import errors
from svod.foundation.errors import SvodError

if TYPE_CHECKING:
    from svod.client import SvodFailed


class Exit(IntEnum):
    """Exit codes that scripts can trust (I4)."""

    DONE = 0
    FAILED = 1
    WRONG_USE = 2
    NOT_FOUND = 3
    NOT_ALLOWED = 4
    NOT_AVAILABLE = 5
    INTERRUPTED = 130


class WrongUse(Exception):
    """The command was called in a way that makes no sense."""


class Missing(Exception):
    """What the command was to act on is not there."""


def missing(message: str, *, as_json: bool) -> Exit:
    """Say what is not there."""
    _tell(message, None, code="cli.missing", as_json=as_json)
    return Exit.NOT_FOUND


def wrong_use(message: str, *, as_json: bool, command: str | None = None) -> Exit:
    """Say what was wrong with the call."""
    said = error_in(spoken(), message)
    hint = t("fail.try_help", command=command) if command else None
    _tell(said, hint, code="cli.wrong_use", as_json=as_json)
    return Exit.WRONG_USE


def failed(error: "SvodFailed", *, as_json: bool) -> Exit:
    """Say what the server or the network said."""
    hint = error.hint
    # Where the fields at fault are named, that some are at fault need not be said.
    lines = [f"{one.field}: {one.message}" for one in error.errors] or [error.message]
    if error.status is not None and error.status >= 500 and error.request_id:  # noqa: PLR2004
        lines.append(t("fail.request", request_id=error.request_id))
    _tell("\n".join(lines), hint, code=error.code, as_json=as_json)
    return code_of(error)


def code_of(error: "SvodFailed") -> Exit:
    """The exit code of a failure."""
    from svod.client import Invalid, NotAllowed, NotAvailable, NotFound  # noqa: PLC0415

    match error:
        case Invalid():
            return Exit.WRONG_USE
        case NotFound():
            return Exit.NOT_FOUND
        case NotAllowed():
            return Exit.NOT_ALLOWED
        case NotAvailable():
            return Exit.NOT_AVAILABLE
        case _:
            return Exit.FAILED


def failed_here(error: SvodError, *, as_json: bool) -> Exit:
    """Say what a room of this process said."""
    language = spoken()
    told, hint = error.message(language), error.advice(language)
    _tell(told, hint, code=error.code, as_json=as_json)
    match error:
        case errors.Invalid():
            return Exit.WRONG_USE
        case errors.NotFound():
            return Exit.NOT_FOUND
        case errors.Denied():
            return Exit.NOT_ALLOWED
        case errors.Unavailable():
            return Exit.NOT_AVAILABLE
        case _:
            return Exit.FAILED


def interrupted(*, as_json: bool) -> Exit:
    """Ctrl-C."""
    _tell(t("fail.stopped"), None, code="cli.interrupted", as_json=as_json)
    return Exit.INTERRUPTED


def pipe_closed() -> Exit:
    """Whoever read our output has gone: nothing to say, and nothing more to write at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return Exit.FAILED


def _tell(message: str, hint: str | None, *, code: str, as_json: bool) -> None:
    if as_json:
        told = {"error": {"code": code, "message": message, "hint": hint}}
        grumble(json.dumps(told, ensure_ascii=False))
        return
    grumble(f"svod: {message}")
    if hint:
        grumble(f"      {hint}")
