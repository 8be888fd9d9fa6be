"""Versions of items: their history, what changed between two, and the way back."""

from typing import TYPE_CHECKING, Annotated

import typer

from svod.cli.catalogue import t
from svod.cli.commands.options import AsJson
from svod.cli.output import moment, print_json, print_result, print_table, say
from svod.cli.remote import open_client

if TYPE_CHECKING:
    from svod.client.version_results import Comparison, Hunk, Version

ItemId = Annotated[str, typer.Argument(metavar=t("meta.id"), help=t("help.items.id"))]
_MARKS = {"same": "  ", "removed": "- ", "added": "+ "}


def history(item_id: ItemId, *, as_json: AsJson = False) -> None:
    """List the versions of an item."""
    with open_client() as client:
        versions = client.versions(item_id)
    if as_json:
        from svod.client.decoding import encode  # noqa: PLC0415

        print_json({"versions": encode(versions)})
        return
    print_table(
        [t(f"col.{name}") for name in ("version", "title", "made", "by", "size")],
        [_row(version) for version in versions],
    )


def compare(
    item_id: ItemId,
    *,
    earlier: Annotated[
        int | None, typer.Option("--from", min=1, help=t("help.items.compare.from"))
    ] = None,
    later: Annotated[
        int | None, typer.Option("--to", min=1, help=t("help.items.compare.to"))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what changed between two versions."""
    with open_client() as client:
        comparison = client.compare(item_id, earlier, later)
    if as_json:
        print_result(comparison)
    else:
        _show(comparison)


def restore(
    item_id: ItemId,
    version: Annotated[int, typer.Argument(min=1, help=t("help.items.restore.version"))],
    *,
    as_json: AsJson = False,
) -> None:
    """Bring a version back."""
    with open_client() as client:
        item = client.restore(item_id, version)
    if as_json:
        print_result(item)
    else:
        say(t("items.restored", version=version, new=item.version))


def _row(version: "Version") -> list[str]:
    title = version.title
    if version.restored_from is not None:
        title = f"{title} ({t('history.restored', version=version.restored_from)})"
    return [
        str(version.version),
        title,
        moment(version.created_at),
        version.created_by_name or version.created_by,
        str(version.bytes),
    ]


def _show(comparison: "Comparison") -> None:
    say(
        t(
            "items.compared",
            earlier=comparison.from_version,
            later=comparison.to_version,
            removed=comparison.removed,
            added=comparison.added,
        )
    )
    if comparison.from_title != comparison.to_title:
        titles = {"earlier": comparison.from_title, "later": comparison.to_title}
        say(t("items.compared.title", **titles))
    if not comparison.hunks:
        say(t("items.compared.same"))
    for hunk in comparison.hunks:
        _show_hunk(hunk)
    if comparison.cut:
        say(f"\n{t('items.compared.cut')}")


def _show_hunk(hunk: "Hunk") -> None:
    say(f"\n{t('items.compared.place', earlier=hunk.from_line, later=hunk.to_line)}")
    for line in hunk.lines:
        say(f"{_MARKS.get(line.change, '  ')}{line.text}")
