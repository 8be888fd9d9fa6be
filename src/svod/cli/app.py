"""The commands, put together, and the one place where they end."""

import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from svod.cli import failing
from svod.cli.catalogue import t
from svod.cli.commands import (
    adding,
    developing,
    domains,
    finding,
    item_changes,
    item_versions,
    items,
    keys,
    local,
    members,
    whoami,
    workspaces,
)
from svod.cli.failing import Exit, Missing, WrongUse
from svod.cli.language import spoken
from svod.cli.parsing_words import help_in
from svod.foundation.errors import SvodError


class SpokenCommand(TyperCommand):
    """A command whose help speaks the language of the terminal."""

    def get_help(self, ctx: Any) -> str:
        """The help text."""
        return help_in(spoken(), super().get_help(ctx))


class SpokenGroup(TyperGroup):
    """A group of commands whose help speaks the language of the terminal."""

    command_class = SpokenCommand

    def get_help(self, ctx: Any) -> str:
        """The help text."""
        return help_in(spoken(), super().get_help(ctx))


class ItemsGroup(SpokenGroup):
    """`svod items ID` is short for `svod items show ID`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is meant."""
        if args and args[0] not in self.commands and looks_like_id(args[0]):
            args = ["show", *args]
        return super().resolve_command(ctx, args)


def looks_like_id(text: str) -> bool:
    """Whether a word can be an id: thirteen letters and digits with a digit among them."""
    length = 13
    return len(text) == length and text.isalnum() and any(one.isdigit() for one in text)


def make_cli() -> typer.Typer:
    """The command line in the language of the terminal."""
    cli = _group(t("help"), no_args_is_help=True)
    for name, command, told in (
        ("up", local.up, "help.up"),
        ("worker", local.worker, "help.worker"),
        ("add", adding.add, "help.add"),
        ("search", finding.search, "help.search"),
        ("ask", finding.ask, "help.ask"),
        ("whoami", whoami.whoami, "help.whoami"),
        ("backup", local.backup, "help.backup"),
        ("restore", local.restore, "help.restore"),
        ("doctor", local.doctor, "help.doctor"),
    ):
        cli.command(name, cls=SpokenCommand, help=t(told))(command)
    cli.add_typer(_items(), name="items", cls=ItemsGroup)
    cli.add_typer(_keys(), name="keys")
    for name, group in _people():
        cli.add_typer(group, name=name)
    passing = {"allow_extra_args": True, "ignore_unknown_options": True}
    cli.command("test", cls=SpokenCommand, help=t("help.test"), context_settings=passing)(
        developing.test
    )
    dev = _group(t("help.dev"), no_args_is_help=True)
    dev.command("check", cls=SpokenCommand, help=t("help.dev.check"))(developing.check)
    dev.command("bench", cls=SpokenCommand, help=t("help.dev.bench"), context_settings=passing)(
        developing.bench
    )
    dev.command("docs", cls=SpokenCommand, help=t("help.dev.docs"))(developing.docs)
    cli.add_typer(dev, name="dev")
    return cli


def run(arguments: Sequence[str]) -> int:
    """Carry out a command line; the exit code."""
    as_json = "--json" in arguments
    command: Any = typer.main.get_command(make_cli())
    try:
        result = command.main(list(arguments), prog_name="svod", standalone_mode=False)
    except WrongUse as error:
        return failing.wrong_use(str(error), as_json=as_json)
    except Missing as error:
        return failing.missing(str(error), as_json=as_json)
    except KeyboardInterrupt:
        return failing.interrupted(as_json=as_json)
    except BrokenPipeError:
        return failing.pipe_closed()
    except Exception as error:  # noqa: BLE001 - the edge: what is not ours is raised again
        return _ended(error, as_json=as_json)
    return result if isinstance(result, int) else Exit.DONE


def main() -> None:
    """The `svod` command."""
    sys.exit(run(sys.argv[1:]))


def _ended(error: Exception, *, as_json: bool) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stderr.write(str(error) + "\n")
        return Exit.WRONG_USE
    if isinstance(error, typer.Abort):
        return failing.interrupted(as_json=as_json)
    if hasattr(error, "format_message"):  # what the library says of wrong use
        described: Any = error
        context = getattr(described, "ctx", None)
        path = context.command_path if context is not None else "svod"
        return failing.wrong_use(described.format_message(), as_json=as_json, command=path)
    if isinstance(error, SvodError):
        return failing.failed_here(error, as_json=as_json)
    from svod.client import SvodFailed  # noqa: PLC0415

    if isinstance(error, SvodFailed):
        return failing.failed(error, as_json=as_json)
    raise error


def _group(told: str, *, no_args_is_help: bool = False, bare: bool = False) -> typer.Typer:
    return typer.Typer(
        cls=SpokenGroup,
        help=told,
        no_args_is_help=no_args_is_help,
        invoke_without_command=bare,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def _items() -> typer.Typer:
    group = _group(t("help.items"), bare=True)
    group.callback()(items.list_by_default)
    for name, command in (
        ("list", items.list_items),
        ("show", items.show),
        ("history", item_versions.history),
        ("compare", item_versions.compare),
        ("restore", item_versions.restore),
        ("tag", item_changes.tag),
        ("untag", item_changes.untag),
        ("pin", item_changes.pin),
        ("unpin", item_changes.unpin),
        ("move", item_changes.move),
        ("refresh", item_changes.refresh),
        ("cancel", item_changes.cancel),
        ("delete", item_changes.delete),
    ):
        group.command(name, cls=SpokenCommand, help=t(f"help.items.{name}"))(command)
    return group


def _keys() -> typer.Typer:
    group = _group(t("help.keys"), bare=True)
    group.callback()(keys.list_by_default)
    for name, command in (
        ("list", keys.list_keys),
        ("make", keys.make),
        ("revoke", keys.revoke),
        ("rotate", keys.rotate),
        ("rewrap", keys.rewrap),
    ):
        group.command(name, cls=SpokenCommand, help=t(f"help.keys.{name}"))(command)
    return group


def _people() -> list[tuple[str, typer.Typer]]:
    listed: tuple[tuple[str, Any, dict[str, Any]], ...] = (
        (
            "domains",
            domains.list_by_default,
            {
                "list": domains.list_domains,
                "add": domains.add_domain,
                "delete": domains.delete_domain,
            },
        ),
        (
            "addresses",
            domains.addresses_by_default,
            {
                "list": domains.list_addresses,
                "add": domains.add_address,
                "delete": domains.delete_address,
            },
        ),
        (
            "members",
            members.list_by_default,
            {
                "list": members.list_members,
                "add": members.add,
                "change": members.change,
                "remove": members.remove,
            },
        ),
        (
            "workspaces",
            workspaces.list_by_default,
            {
                "list": workspaces.list_workspaces,
                "make": workspaces.make,
                "rename": workspaces.rename,
                "delete": workspaces.delete,
            },
        ),
    )
    groups: list[tuple[str, typer.Typer]] = []
    for what, by_default, commands in listed:
        group = _group(t(f"help.{what}"), bare=True)
        group.callback()(by_default)
        for name, command in commands.items():
            group.command(name, cls=SpokenCommand, help=t(f"help.{what}.{name}"))(command)
        groups.append((what, group))
    return groups
