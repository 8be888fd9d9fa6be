"""Cutting what is longer than a chunk may be, at the best place there is."""

import re
from collections.abc import Iterator

from svod.knowledge.chunking.sentences import Span, sentences

_SENTENCE_END = re.compile(r"[.!?…;:][\"»”')\]]*\s")
_FUNCTION = re.compile(
    r"(?:(?:export|public|private|protected|static|async|abstract|final|pub|unsafe|default)\s+)*"
    r"(?:def|class|function|func|fn|interface|struct|enum|impl|trait|module|namespace|procedure|"
    r"sub|type|create|функция|процедура)\b|[@#]\[?\w|/\*\*",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[-*+•–—▪●]\s|\d{1,3}(?:\.\d{1,3})*[.)]\s|\w\)\s")


def lines(text: str, start: int, end: int) -> Iterator[Span]:
    """Spans of the lines of a stretch, without white space at their ends; none for empty ones."""
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        if content := text[start:stop].rstrip():
            yield start, start + len(content)
        start = stop + 1


def rows(text: str, start: int, end: int) -> list[Span]:
    """A table's rows."""
    return list(lines(text, start, end))


def items(text: str, start: int, end: int) -> list[Span]:
    """A list's outer items, each with the lines that go on with it."""
    found: list[Span] = []
    outer: int | None = None
    for at, stop in lines(text, start, end):
        indent = _indent(text, at, stop)
        begins = _ITEM.match(text, at + indent, stop) is not None
        outer = indent if outer is None and begins else outer
        if found and not (begins and indent <= (outer or 0)):
            found[-1] = found[-1][0], stop
        else:
            found.append((at, stop))
    return found


def functions(text: str, start: int, end: int) -> list[Span]:
    """Code in pieces that begin at an outermost function, class or block after a blank line."""
    found: list[Span] = []
    previous_stop, decorated = start, False
    for at, stop in lines(text, start, end):
        is_outer = not text[at].isspace() and text[at] not in ")}]"
        after_blank = text.count("\n", previous_stop, at) > 1
        begins_function = _FUNCTION.match(text, at, stop) is not None
        if found and not (is_outer and not decorated and (after_blank or begins_function)):
            found[-1] = found[-1][0], stop
        else:
            found.append((at, stop))
        decorated = is_outer and begins_function and text[at] in "@#/"
        previous_stop = stop
    return found


def prose(text: str, start: int, end: int) -> list[Span]:
    """The sentences of a stretch."""
    return [(start + a, start + b) for a, b in sentences(text[start:end])]


def cut(text: str, start: int, end: int, limit: int, first_limit: int = 0) -> list[Span]:
    """A stretch in pieces of at most `limit`: at a line end, a sentence's, a word's, or anywhere.

    The first piece may have a limit of its own. A better place counts only in the second half of
    what is allowed, so that the pieces stay few.
    """
    pieces: list[Span] = []
    allowed = max(1, first_limit or limit)
    while end - start > allowed:
        stop = _best_end(text, start, start + allowed)
        pieces.append((start, stop))
        start = stop
        while start < end and text[start].isspace():
            start += 1
        allowed = max(1, limit)
    if start < end:
        pieces.append((start, end))
    return [span for span in (_trimmed(text, *piece) for piece in pieces) if span[0] < span[1]]


def _best_end(text: str, start: int, stop: int) -> int:
    middle = start + (stop - start) // 2
    line_end = text.rfind("\n", middle, stop)
    if line_end > start:
        return line_end
    last = None
    for last in _SENTENCE_END.finditer(text, middle, stop):  # noqa: B007
        pass
    if last is not None:
        return last.end()
    for place in range(stop, middle, -1):
        if text[place - 1].isspace():
            return place
    return stop


def _trimmed(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _indent(text: str, start: int, stop: int) -> int:
    indent = 0
    while start + indent < stop and text[start + indent] in " \t":
        indent += 1
    return indent
