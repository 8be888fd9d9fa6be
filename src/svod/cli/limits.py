"""Limits to domains and addresses, as they are written on the command line and shown."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from svod.cli.catalogue import t
from svod.cli.failing import WrongUse

if TYPE_CHECKING:
    from svod.client.people import Limit

Limits = Annotated[
    list[str] | None,
    typer.Option("--level", metavar=t("meta.level_grant"), help=t("help.limits")),
]
_GRANTS = ("read", "send")


def read_limits(given: Sequence[str] | None) -> "list[Limit] | None":
    """Limits as the client takes them; None where none were given.

    Raises:
        WrongUse: one is not written as a level and perhaps a grant.
    """
    from svod.client.people import Limit  # noqa: PLC0415

    if not given:
        return None
    limits: list[Limit] = []
    for one in given:
        level, equals, grant = one.rpartition("=")
        if not equals:
            level, grant = one, "read"
        if grant not in _GRANTS or ":" not in level:
            raise WrongUse(t("limits.bad"))
        limits.append(Limit(level, grant))
    return limits


def show_limits(limits: "Sequence[Limit] | None") -> str:
    """Limits in a few words."""
    if limits is None:
        return t("limits.none")
    shown = [t("limits.one", level=one.level, grant=t(f"grant.{one.grant}")) for one in limits]
    return ", ".join(shown) or t("limits.nothing")
