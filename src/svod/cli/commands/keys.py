"""API keys: listed, made, revoked."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from svod.cli.catalogue import t
from svod.cli.commands.options import AsJson
from svod.cli.failing import WrongUse
from svod.cli.language import spoken
from svod.cli.limits import Limits, read_limits, show_limits
from svod.cli.output import moment, print_json, print_result, print_table, say
from svod.cli.remote import open_client

if TYPE_CHECKING:
    from svod.client.people import Key

Permissions = Annotated[
    list[str],
    typer.Option("--permission", "-p", help=t("help.keys.permission")),
]


def list_by_default(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List the keys where no command is named."""
    if context.invoked_subcommand is None:
        list_keys(as_json=as_json)


def list_keys(*, as_json: AsJson = False) -> None:
    """List the keys, oldest first."""
    with open_client() as client:
        keys = client.keys()
    if as_json:
        from svod.client.decoding import encode  # noqa: PLC0415

        print_json({"keys": encode(keys)})
        return
    columns = ("id", "name", "permissions", "limits", "expires", "used")
    print_table([t(f"col.{name}") for name in columns], [_row(key) for key in keys])


def make(
    name: Annotated[str, typer.Argument(metavar=t("meta.name"), help=t("help.keys.name"))],
    *,
    permissions: Permissions,
    level: Limits = None,
    days: Annotated[int | None, typer.Option(min=1, max=36500, help=t("help.keys.days"))] = None,
    expires: Annotated[str | None, typer.Option(help=t("help.keys.expires"))] = None,
    as_json: AsJson = False,
) -> None:
    """Make a key and show it once."""
    if days is not None and expires is not None:
        raise WrongUse(t("keys.one_end"))
    expires_at = _in_days(days) if days is not None else _until(expires)
    limits = read_limits(level)
    with open_client() as client:
        made = client.make_key(name, permissions, expires_at=expires_at, limits=limits)
    if as_json:
        print_result(made)
        return
    say(made.secret)
    say(t("keys.made"))


def revoke(
    principal_id: Annotated[str, typer.Argument(metavar=t("meta.id"), help=t("help.keys.id"))],
    *,
    as_json: AsJson = False,
) -> None:
    """Revoke a key."""
    with open_client() as client:
        client.revoke_key(principal_id)
    if as_json:
        print_json({"principal_id": principal_id, "revoked": True})
    else:
        say(t("keys.revoked"))


def rotate(
    *,
    status: Annotated[bool, typer.Option("--status", help=t("help.keys.rotate.status"))] = False,
    as_json: AsJson = False,
) -> None:
    """Rotate the keys of texts and files, or say how far that is."""
    with open_client() as client:
        rotation = client.rotation() if status else client.rotate_keys()
    if as_json:
        print_result(rotation)
        return
    if rotation.started:
        say(t("keys.rotating", started=rotation.started))
    if rotation.under_way:
        say(t("keys.rotation", under_way=rotation.under_way, workspaces=rotation.workspaces))
    else:
        say(t("keys.rotated"))


def rewrap(
    new_file: Annotated[
        Path,
        typer.Option(
            "--new-master-key-file", metavar=t("meta.file"), help=t("help.keys.rewrap.file")
        ),
    ],
) -> int:
    """Change the master key."""
    from svod import serve  # noqa: PLC0415

    return serve.rewrap(new_file, language=spoken(), say=say)


def _row(key: "Key") -> list[str]:
    until = moment(key.expires_at) if key.expires_at else t("keys.always")
    return [
        key.principal_id,
        key.name,
        ", ".join(key.permissions),
        show_limits(key.limits),
        t("keys.is_revoked") if key.revoked_at else until,
        moment(key.last_used_at) if key.last_used_at else t("keys.never"),
    ]


def _in_days(days: int):
    from svod.foundation.clock import SystemClock  # noqa: PLC0415

    return SystemClock().now().astimezone(UTC) + timedelta(days=days)


def _until(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        # Without a zone it is a moment of this machine's own.
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        raise WrongUse(t("keys.bad_expiry")) from None
