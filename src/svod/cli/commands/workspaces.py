"""Workspaces of the server: listed, made, renamed, deleted."""

import sys
from typing import Annotated, Literal

import typer

from svod.cli.catalogue import t
from svod.cli.commands.options import AsJson
from svod.cli.failing import WrongUse
from svod.cli.language import spoken
from svod.cli.output import print_json, print_result, print_table, say
from svod.cli.remote import open_client

Name = Annotated[str, typer.Argument(metavar=t("meta.name"), help=t("help.workspaces.name"))]
WorkspaceId = Annotated[str, typer.Argument(metavar=t("meta.id"), help=t("help.workspaces.id"))]


def list_by_default(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List the workspaces where no command is named."""
    if context.invoked_subcommand is None:
        list_workspaces(as_json=as_json)


def list_workspaces(*, as_json: AsJson = False) -> None:
    """List the workspaces, the oldest first."""
    with open_client() as client:
        found = sorted(client.workspaces(), key=lambda one: one.created_at)
    if as_json:
        from svod.client.decoding import encode  # noqa: PLC0415

        print_json({"workspaces": encode(found)})
        return
    rows = [[one.workspace_id, one.name, one.language] for one in found]
    print_table([t("col.id"), t("col.name"), t("col.language")], rows)


def make(
    name: Name,
    *,
    language: Annotated[
        Literal["ru", "en"] | None, typer.Option(help=t("help.workspaces.language"))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a workspace and show its owner's key once."""
    with open_client() as client:
        made = client.make_workspace(name, language=language or spoken().value)
    if as_json:
        print_result(made)
        return
    say(t("people.added", name=made.workspace.name))
    say(t("workspaces.key"))
    say(made.key.secret)


def rename(workspace_id: WorkspaceId, name: Name, *, as_json: AsJson = False) -> None:
    """Rename a workspace."""
    with open_client() as client:
        changed = client.change_workspace(workspace_id, name=name)
    if as_json:
        print_result(changed)
    else:
        say(t("people.changed", name=changed.name))


def delete(
    workspace_id: WorkspaceId,
    *,
    confirm: Annotated[
        str | None, typer.Option(metavar=t("meta.name"), help=t("help.workspaces.confirm"))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Delete a workspace with everything in it, once its name was repeated."""
    if confirm is None and (as_json or not sys.stdin.isatty()):
        raise WrongUse(t("workspaces.need_confirm"))
    with open_client() as client:
        name = client.workspace(workspace_id).name
        typed = confirm or str(typer.prompt(t("workspaces.delete_name", name=name)))
        client.delete_workspace(workspace_id, confirm=typed)
    if as_json:
        print_json({"workspace_id": workspace_id, "deleted": True})
    else:
        say(t("people.deleted", name=name))
