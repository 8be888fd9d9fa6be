"""What concerns the server of this machine."""

from typing import Annotated

import typer

from svod.cli.catalogue import t
from svod.cli.language import spoken
from svod.cli.output import say


def up(
    *,
    detach: Annotated[bool, typer.Option("--detach", help=t("help.up.detach"))] = False,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help=t("help.up.port"))
    ] = None,
) -> int:
    """Start the server."""
    from svod import serve  # noqa: PLC0415 - everything else starts without it

    return serve.up(detach=detach, port=port, language=spoken(), say=say)


def doctor() -> int:
    """Check the server."""
    from svod import serve  # noqa: PLC0415

    return serve.doctor(language=spoken(), say=say)
