"""Domains and addresses: listed, added, deleted."""

from typing import TYPE_CHECKING, Annotated

import typer

from svod.cli.asking import need_an_answer, sure
from svod.cli.catalogue import t
from svod.cli.commands.options import AsJson, Yes
from svod.cli.failing import Missing
from svod.cli.output import print_json, print_result, print_table, say
from svod.cli.remote import open_client

if TYPE_CHECKING:
    from collections.abc import Iterable

    from svod.client.people import Address, Domain

DomainName = Annotated[str, typer.Argument(metavar=t("meta.domain"), help=t("help.domains.name"))]
WhichDomain = Annotated[str, typer.Argument(metavar=t("meta.domain"), help=t("help.domains.which"))]
AddressName = Annotated[
    str, typer.Argument(metavar=t("meta.address"), help=t("help.addresses.name"))
]
WhichAddress = Annotated[
    str, typer.Argument(metavar=t("meta.address"), help=t("help.domains.which"))
]


def list_by_default(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List the domains where no command is named."""
    if context.invoked_subcommand is None:
        list_domains(as_json=as_json)


def list_domains(*, as_json: AsJson = False) -> None:
    """List the domains, in the order registered."""
    with open_client() as client:
        found = list(client.domains())
    _print(
        "domains",
        found,
        ("id", "domain", "addresses", "items"),
        [[one.domain_id, one.shown_as, str(one.addresses), str(one.items)] for one in found],
        as_json=as_json,
    )


def add_domain(name: DomainName, *, as_json: AsJson = False) -> None:
    """Register a domain."""
    with open_client() as client:
        made = client.add_domain(name)
    if as_json:
        print_result(made)
    else:
        say(t("people.added", name=made.level))


def delete_domain(which: WhichDomain, *, yes: Yes = False, as_json: AsJson = False) -> None:
    """Delete a domain, its addresses and all that is on them, after asking."""
    need_an_answer(yes=yes, as_json=as_json)
    with open_client() as client:
        one = _the_domain(client.domains(), which)
        question = t(
            "domains.delete_sure", name=one.shown_as, addresses=one.addresses, items=one.items
        )
        if not sure(question, yes=yes):
            say(t("people.kept"))
            return
        client.delete_domain(one.domain_id)
    _say_deleted(one.shown_as, {"domain_id": one.domain_id}, as_json=as_json)


def addresses_by_default(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List the addresses where no command is named."""
    if context.invoked_subcommand is None:
        list_addresses(as_json=as_json)


def list_addresses(
    *,
    domain: Annotated[
        str | None, typer.Option(metavar=t("meta.domain"), help=t("help.addresses.domain"))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the addresses, in the order registered."""
    with open_client() as client:
        found = list(client.addresses(domain))
    _print(
        "addresses",
        found,
        ("id", "address", "items"),
        [[one.address_id, one.name, str(one.items)] for one in found],
        as_json=as_json,
    )


def add_address(name: AddressName, *, as_json: AsJson = False) -> None:
    """Register an address."""
    with open_client() as client:
        made = client.add_address(name)
    if as_json:
        print_result(made)
    else:
        say(t("people.added", name=made.level))


def delete_address(which: WhichAddress, *, yes: Yes = False, as_json: AsJson = False) -> None:
    """Delete an address and all that is on it, after asking."""
    need_an_answer(yes=yes, as_json=as_json)
    with open_client() as client:
        one = _the_address(client.addresses(), which)
        if not sure(t("addresses.delete_sure", name=one.name, items=one.items), yes=yes):
            say(t("people.kept"))
            return
        client.delete_address(one.address_id)
    _say_deleted(one.name, {"address_id": one.address_id}, as_json=as_json)


def _the_domain(found: "Iterable[Domain]", which: str) -> "Domain":
    wanted = which.lower()
    for one in found:
        if wanted in {one.domain_id, one.name, one.shown_as, one.level}:
            return one
    raise Missing(t("people.missing", name=which))


def _the_address(found: "Iterable[Address]", which: str) -> "Address":
    wanted = which.lower()
    for one in found:
        if wanted in {one.address_id, one.name, one.level}:
            return one
    raise Missing(t("people.missing", name=which))


def _print(
    what: str,
    found: "list[Domain] | list[Address]",
    columns: tuple[str, ...],
    rows: list[list[str]],
    *,
    as_json: bool,
) -> None:
    if as_json:
        from svod.client.decoding import encode  # noqa: PLC0415

        print_json({what: encode(found)})
    elif not rows:
        say(t("people.none"))
    else:
        print_table([t(f"col.{name}") for name in columns], rows)


def _say_deleted(name: str, told: dict[str, str], *, as_json: bool) -> None:
    if as_json:
        print_json({**told, "deleted": True})
    else:
        say(t("people.deleted", name=name))
