"""What a person is shown of a hit: the part around what matched, not the whole chunk."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

LONGEST = 400
"""Characters of an excerpt; `--json` has the whole text."""
_BEFORE = 80
"""Characters before the first match that say what it is about."""
_SPACE = re.compile(r"\s+")
_BLANK = re.compile(r"[ \t]*\n\s*")
_SPACES = re.compile(r"[ \t]{2,}")

Span = tuple[int, int]


def excerpt(text: str, spans: Sequence[Span]) -> "Text":
    """The part of a text that holds most of the matches, bold, cut between words."""
    from rich.text import Text  # noqa: PLC0415

    start, end = window(text, spans)
    shown = Text("…" if text[:start].strip() else "")
    at = start
    for low, high in (*spans, (end, end)):
        low, high = max(low, at), min(high, end)  # noqa: PLW2901
        if low >= high and low != end:
            continue
        shown.append(_squeezed(text[at:low]))
        shown.append(_squeezed(text[low:high]), style="bold")
        at = high
    if text[end:].strip():
        shown.append("…")
    return shown


def window(text: str, spans: Sequence[Span]) -> Span:
    """Where to cut: no more than `LONGEST` characters that hold as many matches as can be."""
    if len(text) <= LONGEST:
        return 0, len(text)
    starts = [max(0, low - _BEFORE) for low, _ in spans] or [0]

    def held(start: int) -> int:
        return sum(start <= low and high <= start + LONGEST for low, high in spans)

    start = max(starts, key=lambda start: (held(start), -start))
    start = min(start, len(text) - LONGEST)
    end = start + LONGEST
    if start and not text[start - 1].isspace():
        gap = _SPACE.search(text, start, start + _BEFORE)
        start = gap.end() if gap else start
    if end < len(text) and not text[end].isspace():
        words = text[:end].rsplit(None, 1)
        end = len(words[0]) if len(words) > 1 and len(words[0]) > start else end
    return start, end


def _squeezed(text: str) -> str:
    """Without blank lines and runs of spaces."""
    return _SPACES.sub(" ", _BLANK.sub("\n", text))
