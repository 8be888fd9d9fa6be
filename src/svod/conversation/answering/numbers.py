"""Numbers as they are written in Russian and English, read to what they may mean."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NUMBER = re.compile(
    r"(?<![\w.,])(?:(?<![)\]])[-−])?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\w)"
    r"|(?:(?<![\w)\]])[-−])?(?<!\w)(?<![^\W\d_][-/.])\d+(?:[.,]\d+)*"
)
_SPACES = re.compile(r"[ \u00a0\u202f]")
_THOUSANDS = re.compile(r"-?\d{1,3}([.,])\d{3}(?:\1\d{3})*")
_WITH_PART = re.compile(r"(-?\d{1,3}(?:,\d{3})+)(\.\d+)|(-?\d{1,3}(?:\.\d{3})+)(,\d+)")


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number as it is written, what it may mean, and where it starts."""

    text: str
    values: frozenset[str]
    start: int


def numbers(text: str) -> Iterator[WrittenNumber]:
    """The numbers of a text, those within words like «XR-200» left out."""
    for match in _NUMBER.finditer(text):
        yield WrittenNumber(match.group(), _values(match.group()), match.start())


def _values(written: str) -> frozenset[str]:
    """«1,000» is a thousand to some and one to others."""
    compact = _SPACES.sub("", written).replace("−", "-")
    values = {_value(compact.replace(",", "."))}
    if _THOUSANDS.fullmatch(compact):
        values.add(_value(re.sub(r"[.,]", "", compact)))
    elif parted := _WITH_PART.fullmatch(compact):
        whole, part = (parted[1], parted[2]) if parted[1] else (parted[3], parted[4])
        values.add(_value(re.sub(r"[.,]", "", whole) + part.replace(",", ".")))
    return frozenset(values)


def _value(number: str) -> str:
    return number.rstrip("0").rstrip(".") if number.count(".") == 1 else number
