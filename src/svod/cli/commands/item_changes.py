"""One thing done to many items: tags, pins, moves, reading again, stopping, deleting."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from svod.cli.catalogue import t
from svod.cli.commands.options import AsJson, Namespace
from svod.cli.failing import Exit, WrongUse
from svod.cli.output import grumble, print_result, say
from svod.cli.remote import open_client

if TYPE_CHECKING:
    from svod.client import Client
    from svod.client.bulk_results import ItemResult
    from svod.client.item_calls import Action

ItemIds = Annotated[list[str], typer.Argument(metavar=t("meta.id"), help=t("help.items.id"))]
Tags = Annotated[list[str], typer.Option("--tag", help=t("help.items.tags"))]
_A_CALL = 1000
_NOT_FOUND = "items.not_found"


def delete(
    item_ids: ItemIds,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help=t("help.items.yes"))] = False,
    as_json: AsJson = False,
) -> int:
    """Delete items for good, after asking."""
    if not yes and (as_json or not sys.stdin.isatty()):
        raise WrongUse(t("items.need_yes"))
    with open_client() as client:
        wanted = item_ids if yes else [one for one in item_ids if _is_sure(client, one)]
        return _told(_done(client, "delete", wanted), as_json=as_json)


def refresh(item_ids: ItemIds, *, as_json: AsJson = False) -> int:
    """Read items again, and clear their failures."""
    with open_client() as client:
        return _told(_done(client, "refresh", item_ids), as_json=as_json)


def cancel(item_ids: ItemIds, *, as_json: AsJson = False) -> int:
    """Stop the reading of items."""
    with open_client() as client:
        return _told(_done(client, "cancel", item_ids), as_json=as_json)


def pin(item_ids: ItemIds, *, as_json: AsJson = False) -> int:
    """Pin items."""
    with open_client() as client:
        return _told(_done(client, "pin", item_ids), as_json=as_json)


def unpin(item_ids: ItemIds, *, as_json: AsJson = False) -> int:
    """Unpin items."""
    with open_client() as client:
        return _told(_done(client, "unpin", item_ids), as_json=as_json)


def tag(item_ids: ItemIds, *, tags: Tags, as_json: AsJson = False) -> int:
    """Give items tags."""
    with open_client() as client:
        return _told(_done(client, "tag", item_ids, tags=tags), as_json=as_json)


def untag(item_ids: ItemIds, *, tags: Tags, as_json: AsJson = False) -> int:
    """Take tags away from items."""
    with open_client() as client:
        return _told(_done(client, "untag", item_ids, tags=tags), as_json=as_json)


def move(
    item_ids: ItemIds,
    *,
    level: Annotated[str, typer.Option("--level", help=t("help.level"))] = "workspace",
    namespace: Namespace = "",
    as_json: AsJson = False,
) -> int:
    """Move items to a level and namespace."""
    with open_client() as client:
        results = _done(client, "move", item_ids, level=level, namespace=namespace)
        return _told(results, as_json=as_json)


def _is_sure(client: "Client", item_id: str) -> bool:
    title = client.item(item_id).title
    sure = typer.confirm(t("items.delete_sure", title=title), default=False)
    if not sure:
        say(t("items.kept"))
    return sure


def _done(
    client: "Client",
    action: "Action",
    item_ids: list[str],
    *,
    tags: list[str] | None = None,
    level: str | None = None,
    namespace: str | None = None,
) -> "list[ItemResult]":
    results: list[ItemResult] = []
    for first in range(0, len(item_ids), _A_CALL):
        some = item_ids[first : first + _A_CALL]
        made = client.bulk(action, some, tags=tags, level=level, namespace=namespace)
        results.extend(made.results)
    return results


def _told(results: "list[ItemResult]", *, as_json: bool) -> int:
    """Say what became of the items; the exit code: not found where none of them was there."""
    bad = [one for one in results if one.failure is not None]
    for one in results if as_json else bad:
        if as_json:
            print_result(one)
        elif one.failure is not None:
            told = " ".join(filter(None, (one.failure.message, one.failure.hint)))
            grumble(f"{one.item_id}: {told}")
    if not as_json:
        for became in ("done", "unchanged", "failed"):
            count = sum(one.became == became for one in results)
            if count:
                say(t(f"items.became.{became}", count=count))
    if not bad:
        return Exit.DONE
    lost = all(one.failure is not None and one.failure.code == _NOT_FOUND for one in results)
    return Exit.NOT_FOUND if lost else Exit.FAILED
