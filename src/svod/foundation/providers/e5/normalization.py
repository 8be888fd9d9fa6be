"""Bring text to the form that the vocabulary was made for; time grows with length and no faster."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

_DROPPED = re.compile("[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]+")
# A lone surrogate is no text, and stands for a space as the replacement character does.
_OTHER_SPACE = re.compile(
    "[\t\n\x0c\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd\ud800-\udfff]+"
)
_SPACES = re.compile("  +")
_BEYOND_FIRST_PLANE = re.compile("[\U00010000-\U0010ffff]")
_LONGEST_PILE = 30
"""Marks over one letter that are kept: the bound of Unicode's stream-safe text (UAX 15)."""


def normalize(text: str) -> str:
    """NFKC with control characters dropped and runs of white space made one space.

    It equals the map of characters in the weights file: NFKC and the few exceptions above.
    """
    if not unicodedata.is_normalized("NFKC", text):
        # Sorting the marks over one letter takes their number squared.
        plain = _BEYOND_FIRST_PLANE.search(text) is None
        text = unicodedata.normalize("NFKC", _piles(plain=plain).sub(r"\1", text))
    text = _OTHER_SPACE.sub(" ", _DROPPED.sub("", text))
    return _SPACES.sub(" ", text).strip(" ")


@cache
def _piles(*, plain: bool) -> re.Pattern[str]:
    """More marks in a row than any language has; a tenth of the time where the text is plain.

    Characters beyond the first plane make the expression test range after range.
    """
    last = 0xFFFF if plain else 0x1EFFF
    # Some count as letters and only fall apart into marks, as the Tibetan U+0F73 does.
    marks = [
        code for code in range(0x300, last + 1)
        if unicodedata.combining(unicodedata.normalize("NFKD", chr(code))[0])
    ]  # fmt: skip
    letters = "".join(f"{chr(first)}-{chr(end)}" for first, end in _ranges(marks))
    return re.compile(f"([{letters}]{{{_LONGEST_PILE}}})[{letters}]+")


def _ranges(codes: Iterable[int]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    return ranges
