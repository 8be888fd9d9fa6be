"""What concerns the server of this machine."""

from pathlib import Path
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
    api_only: Annotated[bool, typer.Option("--api-only", help=t("help.up.api_only"))] = False,
) -> int:
    """Start the server."""
    from svod import serve  # noqa: PLC0415 - everything else starts without it

    return serve.up(detach=detach, port=port, api_only=api_only, language=spoken(), say=say)


def worker() -> int:
    """Start a worker."""
    from svod import serve  # noqa: PLC0415

    return serve.worker(language=spoken(), say=say)


def backup(
    file: Annotated[Path, typer.Argument(metavar=t("meta.file"), help=t("help.backup.file"))],
    *,
    with_master_key: Annotated[
        bool, typer.Option("--with-master-key", help=t("help.backup.with_key"))
    ] = False,
) -> int:
    """Write a backup."""
    from svod import serve  # noqa: PLC0415

    return serve.backup(file, with_master_key=with_master_key, language=spoken(), say=say)


def restore(
    file: Annotated[Path, typer.Argument(metavar=t("meta.file"), help=t("help.restore.file"))],
) -> int:
    """Restore a backup."""
    from svod import serve  # noqa: PLC0415

    return serve.restore(file, language=spoken(), say=say)


def doctor() -> int:
    """Check the server."""
    from svod import serve  # noqa: PLC0415

    return serve.doctor(language=spoken(), say=say)
