"""What comes from anybody, a text or a file's name, does not steer the reader's terminal."""

import os
from pathlib import Path

import pytest
from rich.text import Text

from svod.cli.output import console, grumble, harmless, print_table, say

STEERING_CHARACTERS = "\x1b\x07\x9b\r"
STEERING = "\x1b]0;taken\x07\x9b31m\rx"


@pytest.mark.spec("I4", "X8")
@pytest.mark.parametrize("said", [f"Срок {STEERING} прошёл.", Text(f"Срок {STEERING} прошёл.")])
def test_a_text_that_steers_a_terminal_is_shown_and_not_obeyed(
    said: str | Text, capsys: pytest.CaptureFixture[str]
) -> None:
    console().print(said)
    print_table(["a", "b"], [["1", str(said)]])
    say(str(said))
    grumble(str(said))
    shown = capsys.readouterr()
    assert shown.out.count("прошёл") == 3
    assert "прошёл" in shown.err
    assert not set(STEERING_CHARACTERS) & set(shown.out + shown.err)


@pytest.mark.spec("I4", "X8")
def test_file_names_that_steer_a_terminal_or_span_lines_are_shown_on_one_line(
    svod, tmp_path: Path
) -> None:
    for name in (b"a\x1b[31mb\xff.txt", b"c\n  d.txt: Fine\xff.txt"):
        (tmp_path / os.fsdecode(name)).write_text("")
    ended = svod("add", tmp_path)
    assert ended.code == 1
    assert "\x1b" not in ended.err
    assert sum("d.txt" in line for line in ended.err.splitlines()) == 1
    assert not any(line.startswith("  d.txt") for line in ended.err.splitlines())


@pytest.mark.spec("I4")
def test_a_text_keeps_its_lines_and_tabs_and_its_length() -> None:
    assert harmless("а\n\tб") == "а\n\tб"
    assert len(harmless(STEERING)) == len(STEERING)
