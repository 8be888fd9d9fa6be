"""Items: listed and shown."""

from itertools import islice
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from svod.cli.catalogue import CATALOGUE, t
from svod.cli.commands.options import AsJson
from svod.cli.output import hand_over, moment, print_json, print_result, print_table, say
from svod.cli.remote import open_client

if TYPE_CHECKING:
    from svod.client.results import Item

Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help=t("help.items.limit"))]
StatusName = Literal["queued", "processing", "ready", "failed"]


def list_by_default(context: typer.Context, *, as_json: AsJson = False) -> None:
    """List the items where no command is named."""
    if context.invoked_subcommand is None:
        list_items(as_json=as_json)


def list_items(
    *,
    level: Annotated[str | None, typer.Option(help=t("help.level"))] = None,
    namespace: Annotated[str | None, typer.Option(help=t("help.namespace"))] = None,
    kind: Annotated[str | None, typer.Option(help=t("help.items.kind"))] = None,
    status: Annotated[StatusName | None, typer.Option(help=t("help.items.status"))] = None,
    tag: Annotated[str | None, typer.Option("--tag", help=t("help.items.tagged"))] = None,
    pinned: Annotated[bool, typer.Option("--pinned", help=t("help.items.pinned"))] = False,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List items, newest first."""
    with open_client() as client:
        every = client.every_item(
            level=level,
            namespace=namespace,
            kind=kind,
            status=status,
            tag=tag,
            pinned=pinned or None,
        )
        found = list(islice(every, limit + 1))
    shown = found[:limit]
    if as_json:
        from svod.client.decoding import encode  # noqa: PLC0415

        print_json({"items": encode(shown), "more": len(found) > limit})
        return
    if not shown:
        say(t("items.none"))
        return
    print_table(
        [t(f"col.{name}") for name in ("id", "title", "kind", "status", "meaning", "changed")],
        [_row(item) for item in shown],
    )
    if len(found) > limit:
        say(t("items.more"))


def show(
    item_id: Annotated[str, typer.Argument(metavar=t("meta.id"), help=t("help.items.id"))],
    *,
    text: Annotated[bool, typer.Option("--text", help=t("help.items.text"))] = False,
    version: Annotated[int | None, typer.Option(min=1, help=t("help.items.version"))] = None,
    as_json: AsJson = False,
) -> None:
    """Show an item, or its text."""
    with open_client() as client:
        if text:
            read = client.text(item_id, version)
            if as_json:
                print_result(read)
            else:
                hand_over(read.text)
            return
        item = client.item(item_id)
    if as_json:
        print_result(item)
        return
    _show(item)


def _row(item: "Item") -> list[str]:
    return [
        item.item_id,
        item.title,
        _named("kind", item.kind),
        _status(item),
        _meaning(item),
        moment(item.updated_at),
    ]


def _meaning(item: "Item") -> str:
    return f"{int(item.meaning_ready * 100)} %" if item.status == "ready" else ""


def _status(item: "Item") -> str:
    said = _named("status", item.status)
    return f"{said} {int(item.progress * 100)} %" if item.status == "processing" else said


def _named(what: str, value: str) -> str:
    name = f"{what}.{value}"
    return t(name) if name in CATALOGUE else value


def _show(item: "Item") -> None:
    size = t("size.bytes", bytes=item.bytes)
    if item.characters is not None:
        size = t("size", bytes=item.bytes, characters=item.characters)
    version = str(item.version)
    if item.serving_version not in {item.version, None}:
        version = t("serving", version=item.version, serving=item.serving_version)
    fields = [
        ("col.id", item.item_id),
        ("col.kind", _named("kind", item.kind)),
        ("col.status", _status(item)),
        ("field.stage", item.stage if item.status == "processing" else None),
        ("col.meaning", _meaning(item)),
        ("field.url", item.url),
        ("field.fetched", moment(item.fetched_at) if item.fetched_at else None),
        ("field.next_refresh", moment(item.next_refresh_at) if item.next_refresh_at else None),
        ("field.external_id", item.external_id),
        ("field.level", item.level),
        ("field.namespace", item.namespace),
        ("field.tags", ", ".join(item.tags)),
        ("field.pinned", t("yes") if item.pinned else ""),
        ("field.version", version),
        ("field.size", size),
        ("field.created", moment(item.created_at)),
        ("field.by", item.created_by),
        ("field.origin", item.origin),
        ("col.changed", moment(item.updated_at)),
    ]
    say(item.title)
    for name, value in fields:
        if value:
            say(f"  {t(name)}: {value}")
    if item.failure:
        say(f"\n{item.failure.message}\n{item.failure.hint or ''}".rstrip())
    if item.stale:
        say(f"\n{t('items.stale')}")
    if item.waiting_reason:
        say(f"\n{item.waiting_reason.message}")
    for warning in item.warnings:
        say(f"\n{warning.message}")
