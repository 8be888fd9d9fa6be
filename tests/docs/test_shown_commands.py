"""What the documents show can be typed: each command and option exists, each Python block compiles."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from svod.cli.app import make_cli

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^ *```(\w+)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
DOCUMENTS = sorted(
    path
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md"))
    if "reference" not in path.parts
)


def blocks(*languages: str) -> Iterator[tuple[str, str]]:
    for path in DOCUMENTS:
        for language, text in FENCE.findall(path.read_text(encoding="utf-8")):
            if language in languages:
                yield str(path.relative_to(ROOT)), text


def commands() -> Iterator[tuple[str, str]]:
    """Document and command line, of every line that runs the launcher."""
    for document, text in blocks("sh", "console"):
        joined = text.replace("\\\n", " ")
        for line in joined.splitlines():
            for part in re.split(r"&&|\|\|", re.sub(r"^\s*\$ ", "", line)):
                words = part.strip()
                if re.match(r"(\w+=\S+ )*\./svod\b", words):
                    yield document, words[words.index("./svod") :]


@pytest.mark.parametrize(("document", "line"), sorted(set(commands())))
def test_a_command_that_is_shown_can_be_typed(document: str, line: str) -> None:
    arguments = shlex.split(line, comments=True)[1:]
    command: Any = typer.main.get_command(make_cli())
    context = None
    while arguments and not {"--help", "-h"} & set(arguments[:1]):
        below = getattr(command, "commands", None)
        if below is None:
            break
        name = arguments.pop(0)
        assert name in below, f"{document}: {line}"
        command = below[name]
    if "--help" not in arguments and (arguments or not hasattr(command, "commands")):
        context = command.make_context(line, list(arguments))
    assert context is None or context.command is command


@pytest.mark.parametrize(("document", "text"), list(blocks("python")))
def test_python_that_is_shown_compiles(document: str, text: str) -> None:
    compile(text, document, "exec")


def test_the_documents_show_commands() -> None:
    assert len(set(commands())) > 15
    assert list(blocks("python"))
