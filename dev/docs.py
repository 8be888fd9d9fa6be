"""Write `docs/reference/` from the code: settings, commands, API, errors.

    ./svod dev docs

`tests/architecture/test_reference.py` makes the same pages and fails when they differ.
"""

import dataclasses
import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer
from pydantic_core import PydanticUndefined

import svod
from svod.cli.app import make_cli
from svod.cli.catalogue import CATALOGUE
from svod.foundation import errors
from svod.foundation.errors import Says, SvodError
from svod.foundation.settings import Settings
from svod.interfaces.api.app import make_app
from svod.interfaces.api.problems import status_of
from svod.interfaces.api.rooms import Rooms

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"
GENERATED = "<!-- Written by `./svod dev docs` from the code; edit that instead. -->\n"
FAMILIES = (
    errors.NotFound,
    errors.Denied,
    errors.Conflict,
    errors.Invalid,
    errors.Exhausted,
    errors.Unavailable,
)


def pages() -> dict[str, str]:
    """File name -> text of every generated page."""
    return {
        "settings.md": settings_page(),
        "commands.md": commands_page(),
        "api.md": api_page(),
        "errors.md": errors_page(),
    }


def settings_page() -> str:
    """Every setting with its default."""
    lines = [
        "# Settings",
        "",
        GENERATED,
        "Read from the environment when the server starts. Every default works.",
        "",
        "| variable | default | what it is |",
        "|---|---|---|",
    ]
    prefix = str(Settings.model_config.get("env_prefix", ""))
    for name, field in Settings.model_fields.items():
        variable = field.validation_alias if isinstance(field.validation_alias, str) else None
        default = field.default
        shown = "" if default in {None, PydanticUndefined} else f"`{default}`"
        lines.append(
            f"| `{variable or (prefix + name).upper()}` | {shown} | {_cell(field.description or '')} |"
        )
    lines += [
        "",
        "Read by the commands and by the client, which need no server of their own:",
        "",
        "| variable | default | what it is |",
        "|---|---|---|",
        "| `SVOD_URL` | this machine's server | Address of the server to talk to. |",
        "| `SVOD_API_KEY` | `cli.key` in `SVOD_DATA`, for loopback only | The key to show it. |",
        "| `SVOD_LANG` | the locale | `ru` or `en`: the language of the command line. |",
        "| `PYTHON` | `python3` | The interpreter from which `./svod` makes its environment. |",
    ]
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    """Every command with its arguments and options, in both languages."""
    lines = ["# Commands", "", GENERATED]
    lines += [
        "Exit codes: 0 done, 1 failed, 2 wrong use, 3 not found, 4 not allowed, 5 not available.",
        "With `--json` a failure is one object on the standard error: `{error: {code, message, hint}}`.",
    ]
    for path, command in _commands("svod", typer.main.get_command(make_cli())):
        told = _both(command.help)
        lines += ["", f"## `{path}`", "", f"{told.en} · {told.ru}"]
        # What is said of completion depends on the shell.
        options = [one for one in command.params if "completion" not in one.name]
        if options:
            lines += ["", "| | | |", "|---|---|---|"]
        lines += [_option(one) for one in options]
    return "\n".join(lines) + "\n"


def _commands(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from _commands(f"{path} {name}", below)


def _option(option: Any) -> str:
    is_argument = not option.opts[0].startswith("-")
    shown = option.name.upper() if is_argument else ", ".join(option.opts)
    told = _both(option.help)
    is_told = isinstance(option.default, str | int | float) and option.default not in {"", False}
    default = f" `{option.default}`" if is_told else ""
    return f"| `{shown}`{default} | {_cell(told.en)} | {_cell(told.ru)} |"


def _both(text: str | None) -> Says:
    """What the command line says, in both languages, whichever it was told in."""
    says = next((says for says in CATALOGUE.values() if text in {says.en, says.ru}), None)
    if says is None:
        raise LookupError(f"not in the catalogue of the command line: {text!r}")
    return says


def api_page() -> str:
    """Every operation with its permission."""
    # Nothing is asked of the rooms, only of the routes.
    nobody: Any = {
        field.name: None
        for field in dataclasses.fields(Rooms)
        if field.default is dataclasses.MISSING
    }
    document = make_app(Rooms(**nobody)).openapi()
    lines = [
        "# API",
        "",
        GENERATED,
        "The whole description, with types and examples, is `/api/openapi.json` of a running server.",
        "Permission `operator` is a role of the server, `any` takes every valid key, `none` needs no",
        "key. Failures are problem+json; their codes are listed under [errors](errors.md).",
        "",
        "| operation | permission | what it does |",
        "|---|---|---|",
    ]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            lines.append(
                f"| `{method.upper()} {path}` | `{operation['x-permission']}` |"
                f" {_cell(operation['summary'])} |"
            )
    return "\n".join(lines) + "\n"


def errors_page() -> str:
    """Every failure by family, with both texts."""
    import_all()
    lines = [
        "# Errors",
        "",
        GENERATED,
        "A `code` never changes; the sentence is for people. `{names}` are filled with the facts of",
        "the case. Failures to read a file have one word as their code: it stands on the item.",
    ]
    for family in FAMILIES:
        lines += ["", f"## {family.__name__}", "", _first_line(family)]
        lines += ["", "| code | status | English | По-русски |", "|---|---|---|---|"]
        for kind in sorted(leaves(family), key=lambda kind: ("." in kind.code, kind.code)):
            english, russian = (
                " ".join(filter(None, (kind.says.en, kind.hint.en if kind.hint else None))),
                " ".join(filter(None, (kind.says.ru, kind.hint.ru if kind.hint else None))),
            )
            # Made without its facts, which the status does not depend on.
            status = status_of(kind.__new__(kind))
            lines.append(f"| `{kind.code}` | {status} | {_cell(english)} | {_cell(russian)} |")
    return "\n".join(lines) + "\n"


def import_all() -> None:
    """Import every module of the package, so that every class is known."""
    for found in pkgutil.walk_packages(svod.__path__, "svod."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)


def leaves(kind: type[SvodError]) -> Iterator[type[SvodError]]:
    """What can be raised of a family: the classes of ours below it with nothing below them."""
    if not kind.__subclasses__() and kind.__module__.startswith("svod."):
        yield kind
    for below in kind.__subclasses__():
        yield from leaves(below)


def _first_line(kind: type) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def write(made: Mapping[str, str]) -> None:
    """Write the pages."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"docs/reference/{name}")


if __name__ == "__main__":
    write(pages())
