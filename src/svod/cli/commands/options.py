"""Options that several commands take."""

from typing import Annotated

import typer

from svod.cli.catalogue import t

AsJson = Annotated[bool, typer.Option("--json", help=t("help.json"))]
Levels = Annotated[list[str] | None, typer.Option("--level", help=t("help.level"))]
Namespaces = Annotated[list[str] | None, typer.Option("--namespace", help=t("help.namespace"))]
Kinds = Annotated[list[str] | None, typer.Option("--kind", help=t("help.search.kinds"))]
ReadFor = Annotated[
    str | None, typer.Option("--for", metavar=t("meta.level"), help=t("help.search.read_for"))
]
MinScore = Annotated[
    float, typer.Option("--min-score", min=0, max=1, help=t("help.search.min_score"))
]
Level = Annotated[str, typer.Option("--level", help=t("help.level"))]
Namespace = Annotated[str, typer.Option("--namespace", help=t("help.namespace"))]
Yes = Annotated[bool, typer.Option("--yes", "-y", help=t("help.items.yes"))]
