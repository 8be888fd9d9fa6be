"""Putting things on the terminal: JSON for programs, text for people.

Texts and file names come from anybody: what steers a terminal is shown as a mark, not obeyed.
"""

import json
import re
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

_PIPE_WIDTH = 10_000
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SHOWN = "\ufffd"

if TYPE_CHECKING:
    from rich.console import Console, ConsoleRenderable


def print_json(value: Any) -> None:
    """One JSON value on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def print_result(result: object) -> None:
    """A result of the client as JSON."""
    from svod.client.decoding import encode  # noqa: PLC0415

    print_json(encode(result))


def console(*, errors: bool = False) -> "Console":
    """Where text for people goes. Users' words are never read as markup."""
    from rich.console import Console  # noqa: PLC0415

    made = Console(stderr=errors, markup=False, highlight=False, emoji=False)
    if not made.is_terminal:
        # Nobody resizes a pipe: lines stay whole for whatever reads them.
        made.width = _PIPE_WIDTH
    hook: Any = _Harmless()  # the library asks for its own base class, which is costly to import
    made.push_render_hook(hook)
    return made


class _Harmless:
    """Takes from texts what steers a terminal; the console adds its own styles afterwards."""

    def process_renderables(
        self, renderables: "list[ConsoleRenderable]"
    ) -> "list[ConsoleRenderable]":
        from rich.text import Text  # noqa: PLC0415

        for one in renderables:
            if isinstance(one, Text):
                one.plain = harmless(one.plain)
        return renderables


def harmless(text: str) -> str:
    """The text, as long as it was, without what steers a terminal; lines and tabs stay."""
    return _STEERING.sub(_SHOWN, text)


def say(text: str) -> None:
    """A line to a person, at once: whoever watches a server through a pipe waits for it."""
    sys.stdout.write(harmless(text) + "\n")
    sys.stdout.flush()


def hand_over(text: str) -> None:
    """A text that was asked for: whole into a pipe or file, harmless on a terminal."""
    sys.stdout.write((harmless(text) if sys.stdout.isatty() else text) + "\n")
    sys.stdout.flush()


def grumble(text: str) -> None:
    """A line about trouble."""
    sys.stderr.write(harmless(text) + "\n")


def moment(when: datetime | str | None) -> str:
    """A time as a person here reads it."""
    if when is None:
        return ""
    known = datetime.fromisoformat(when) if isinstance(when, str) else when
    return known.astimezone().strftime("%Y-%m-%d %H:%M")


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, wide: int = 1) -> None:
    """A table; column number `wide` takes the room that is left."""
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, header_style="dim")
    for number, name in enumerate(columns):
        table.add_column(name, no_wrap=number != wide, overflow="fold")
    for row in rows:
        table.add_row(*(Text(harmless(cell)) for cell in row))
    console().print(table)
