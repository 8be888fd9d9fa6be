"""Asking before something is gone for good."""

import sys

import typer

from svod.cli.catalogue import t
from svod.cli.failing import WrongUse


def need_an_answer(*, yes: bool, as_json: bool) -> None:
    """Go on where a question can be answered, or was with `--yes`.

    Raises:
        WrongUse: nobody can answer, and `--yes` was not given.
    """
    if not yes and (as_json or not sys.stdin.isatty()):
        raise WrongUse(t("people.need_yes"))


def sure(question: str, *, yes: bool) -> bool:
    """Whether the person says so; with `--yes` he has."""
    return yes or typer.confirm(question, default=False)
