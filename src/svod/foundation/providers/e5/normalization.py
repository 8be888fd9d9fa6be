"""Bring text to the form that the vocabulary was made for; time grows with length and no faster."""

import re
import unicodedata
from functools import cache

_DROPPED = "\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f"
# A lone surrogate is no text, and stands for a space as the replacement character does.
_SPACES = "\t\n\x0c\r \u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd\ud800-\udfff"
_DROP = re.compile(f"[{_DROPPED}]+")
_SPACE = re.compile(f"[{_SPACES}]+")
_LONGEST_MARKS = 30
"""Marks over one letter that are kept: the bound of Unicode's stream-safe text (UAX 15)."""


def normalize(text: str) -> str:
    """NFKC with control characters dropped and runs of white space made one space.

    It equals the map of characters in the weights file: NFKC and the few exceptions above.
    """
    if not text.isascii():
        # Ordering the marks over one letter takes their number squared.
        text = unicodedata.normalize("NFKC", _piles_of_marks().sub(r"\1", text))
    return _SPACE.sub(" ", _DROP.sub("", text)).strip(" ")


@cache
def _piles_of_marks() -> re.Pattern[str]:
    # Every mark that can be reordered lies in these blocks' words for "combining"; testing
    # each of a million code points once is slow, so only planes that hold any are asked.
    marks = [c for c in range(0x300, 0x1F000) if unicodedata.combining(chr(c))]
    ranges: list[list[int]] = []
    for mark in marks:
        if ranges and ranges[-1][1] == mark - 1:
            ranges[-1][1] = mark
        else:
            ranges.append([mark, mark])
    letters = "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
    return re.compile(f"([{letters}]{{{_LONGEST_MARKS}}})[{letters}]+")
