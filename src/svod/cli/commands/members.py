"""Members: listed, added, changed, removed."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from svod.cli.asking import need_an_answer, sure
from svod.cli.catalogue import t
from svod.cli.commands.options import AsJson, Yes
from svod.cli.failing import Missing, WrongUse
from svod.cli.limits import Limits, read_limits, show_limits
from svod.cli.output import print_json, print_result, print_table, say
from svod.cli.remote import open_client

if TYPE_CHECKING:
    from collections.abc import Iterable

    from svod.client.people import Member

RoleName = Literal["owner", "admin", "member", "developer", "viewer", "billing"]
Email = Annotated[str, typer.Argument(metavar=t("meta.email"), help=t("help.members.email"))]
Name = Annotated[str, typer.Argument(metavar=t("meta.name"), help=t("help.members.name"))]
Which = Annotated[str, typer.Argument(metavar=t("meta.email"), help=t("help.members.which"))]


def list_by_default(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List the members where no command is named."""
    if context.invoked_subcommand is None:
        list_members(as_json=as_json)


def list_members(*, as_json: AsJson = False) -> None:
    """List the members, in the order they came."""
    with open_client() as client:
        found = list(client.members())
    if as_json:
        from svod.client.decoding import encode  # noqa: PLC0415

        print_json({"members": encode(found)})
        return
    columns = ("id", "name", "email", "role", "limits", "keys")
    print_table([t(f"col.{name}") for name in columns], [_row(one) for one in found])


def add(
    email: Email,
    name: Name,
    *,
    role: Annotated[RoleName, typer.Option(help=t("help.members.role"))] = "member",
    level: Limits = None,
    as_json: AsJson = False,
) -> None:
    """Make a member."""
    limits = read_limits(level)
    with open_client() as client:
        made = client.add_member(email, name, role, limits=limits)
    if as_json:
        print_result(made)
    else:
        say(t("people.added", name=made.name))


def change(
    which: Which,
    *,
    name: Annotated[str | None, typer.Option(help=t("help.members.name"))] = None,
    email: Annotated[str | None, typer.Option(help=t("help.members.email"))] = None,
    role: Annotated[RoleName | None, typer.Option(help=t("help.members.role"))] = None,
    level: Limits = None,
    unlimited: Annotated[
        bool, typer.Option("--unlimited", help=t("help.members.unlimited"))
    ] = False,
    disabled: Annotated[
        bool | None, typer.Option("--disable/--enable", help=t("help.members.disabled"))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Change a member; limits are replaced whole."""
    from svod.client.people_calls import UNCHANGED  # noqa: PLC0415

    limits = read_limits(level)
    if limits is not None and unlimited:
        raise WrongUse(t("members.one_only"))
    with open_client() as client:
        one = _the_member(client.members(), which)
        changed = client.change_member(
            one.member_id,
            name=name,
            email=email,
            role=role,
            limits=UNCHANGED if limits is None and not unlimited else limits,
            disabled=disabled,
        )
    if as_json:
        print_result(changed)
    else:
        say(t("people.changed", name=changed.name))


def remove(which: Which, *, yes: Yes = False, as_json: AsJson = False) -> None:
    """Remove a member and his keys, after asking."""
    need_an_answer(yes=yes, as_json=as_json)
    with open_client() as client:
        one = _the_member(client.members(), which)
        if not sure(t("members.remove_sure", name=one.name, keys=one.keys), yes=yes):
            say(t("people.kept"))
            return
        client.remove_member(one.member_id)
    if as_json:
        print_json({"member_id": one.member_id, "deleted": True})
    else:
        say(t("people.deleted", name=one.name))


def _the_member(found: "Iterable[Member]", which: str) -> "Member":
    for one in found:
        if which.lower() in {one.member_id, one.email}:
            return one
    raise Missing(t("people.missing", name=which))


def _row(member: "Member") -> list[str]:
    role = t(f"role.{member.role}")
    return [
        member.member_id,
        member.name,
        member.email or "",
        t("members.disabled", role=role) if member.disabled_at else role,
        show_limits(member.limits),
        str(member.keys),
    ]
