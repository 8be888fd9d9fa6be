"""What pdf-inspector believes of the pages: it runs beside, and may die or be late without harm."""

import os
import re
import selectors
import signal
import time
from dataclasses import dataclass
from typing import NoReturn, cast

import pdf_inspector

from svod.knowledge.parsing.limits import die_with
from svod.knowledge.parsing.packing import Unpackable, packed, unpacked

MOST_BYTES = 32 * 1024 * 1024
_HEADING = re.compile(r"(#{1,6})\s+(.+)")
_CELL_BREAK = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\|?[\s:|-]+\|?")
_MARKS = re.compile(r"</?(?:u|sup|sub|b|i)>|\*\*|(?<!\w)\*|\*(?!\w)")
_BREAK = re.compile(r"<br\s*/?>")


@dataclass(frozen=True, slots=True)
class HeadingHint:
    """A heading and its level."""

    text: str
    level: int


@dataclass(frozen=True, slots=True)
class TableHint:
    """The rows of a table."""

    rows: tuple[tuple[str, ...], ...]


Hint = HeadingHint | TableHint


class Inspection:
    """An inspection of all pages that runs in a process of its own, forked here.

    The library is young and native: it can take minutes on one page or end the process. The text
    of the document must not depend on that.
    """

    def __init__(self, content: bytes) -> None:
        reading, writing = os.pipe()
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(reading)
            die_with(parent)
            _inspect(content, writing)
        os.close(writing)
        self._pipe = reading

    def pages(self, *, until: float) -> list[list[Hint]]:
        """The hints of each page; nothing if it is not ready by a moment of the monotonic clock."""
        told = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self._pipe, selectors.EVENT_READ)
            while selector.select(max(0.0, until - time.monotonic())):
                piece = os.read(self._pipe, 1 << 18)
                told += piece
                if not piece or len(told) > MOST_BYTES:
                    break
            else:
                told.clear()
        self.stop()
        try:
            pages = cast("list[str]", unpacked(told)) if told else []
        except Unpackable:
            return []
        return [hints_of(page) for page in pages]

    def stop(self) -> None:
        """End it, if it has not ended."""
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            os.close(self._pipe)
            self._pid = 0


def _inspect(content: bytes, pipe: int) -> NoReturn:
    try:
        result = pdf_inspector.extract_pages_markdown_bytes(content)
        told = memoryview(packed([page.markdown for page in result.pages]))
        while told:
            told = told[os.write(pipe, told) :]
    finally:
        os._exit(0)


def hints_of(markdown: str) -> list[Hint]:
    """The hints in one page's Markdown."""
    hints: list[Hint] = []
    rows: list[tuple[str, ...]] = []
    is_code = False
    for line in [*markdown.split("\n"), ""]:
        if line.startswith("|") and not is_code:
            if not _RULE.fullmatch(line):
                rows.append(tuple(_plain(cell) for cell in _CELL_BREAK.split(line.strip())[1:-1]))
            continue
        if len(rows) > 1:
            hints.append(TableHint(tuple(rows)))
        rows = []
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code and (found := _HEADING.fullmatch(line.strip())):
            hints.append(HeadingHint(_plain(found[2]), len(found[1])))
    return hints


def _plain(text: str) -> str:
    return _BREAK.sub(" ", _MARKS.sub("", text)).replace("\\|", "|").strip()
