"""Dates as they are written in Russian and English, read to one form."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MONTHS = (
    ("январ", "янв", "january", "jan"),
    ("феврал", "фев", "february", "feb"),
    ("март", "мар", "march", "mar"),
    ("апрел", "апр", "april", "apr"),
    ("май", "мая", "мае", "маю", "маем", "may"),
    ("июн", "june", "jun"),
    ("июл", "july", "jul"),
    ("август", "авг", "august", "aug"),
    ("сентябр", "сен", "сент", "september", "sept", "sep"),
    ("октябр", "окт", "october", "oct"),
    ("ноябр", "ноя", "нояб", "november", "nov"),
    ("декабр", "дек", "december", "dec"),
)
_ENDINGS = "(?:[ьяеюа]|ём|ем|ом|у)?"
_NUMBER_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names}
_NAMES = "|".join(
    f"{name}{_ENDINGS if name >= 'а' else ''}" for name in sorted(_NUMBER_OF, key=len, reverse=True)
)
_MONTH = rf"(?P<month>{_NAMES})\.?(?!\w)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|-?го|-?е)?"
_YEAR = r"(?P<year>\d{4})"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<![\w.])(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?!\d)",
        r"(?<![\w.])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4}|\d{2})(?!\w|\.\d)",
        r"(?<![\w.])(?P<day>\d{1,2})/(?P<month>\d{1,2})/(?P<year>\d{4})(?!\w)",
        rf"(?<!\w){_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR}(?!\w))?",
        rf"(?<!\w){_MONTH}\s+{_DAY}(?!\w)(?:,?\s+{_YEAR}(?!\w))?",
        rf"(?<!\w){_MONTH},?\s+{_YEAR}(?!\w)",
    )
)
_CENTURY = 2000
_LAST_MONTH = 12
_LAST_DAY = 31


@dataclass(frozen=True, slots=True)
class Date:
    """A date, or the part of one that is written: day and month, or month and year."""

    year: int | None
    month: int
    day: int | None

    def within(self, other: "Date") -> bool:
        """Whether the other says this much: the same in every part that is written here."""
        return (
            self.month == other.month
            and self.year in {None, other.year}
            and self.day in {None, other.day}
        )


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """What a date may mean (12/03/2025 may be March or December), and where it stands."""

    readings: tuple[Date, ...]
    start: int
    end: int


def dates(text: str) -> Iterator[WrittenDate]:
    """The dates of a text; no two overlap."""
    taken: list[tuple[int, int]] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(start < last and first < end for first, last in taken):
                continue
            if readings := _readings(match):
                taken.append((start, end))
                yield WrittenDate(readings, start, end)


def _readings(match: re.Match[str]) -> tuple[Date, ...]:
    parts = match.groupdict()
    year = int(parts["year"]) if parts.get("year") else None
    if year is not None and len(parts["year"]) == 2:  # noqa: PLR2004 - digits of a short year
        year += _CENTURY
    day = int(parts["day"]) if parts.get("day") else None
    month = _month(parts["month"])
    read = [Date(year, month, day)]
    if "/" in match.group() and day is not None:
        read.append(Date(year, day, month))
    return tuple(date for date in read if _exists(date))


def _month(written: str) -> int:
    if written.isdigit():
        return int(written)
    name = written.casefold()
    # The longest name that it begins with: «мар» must not read «марта» as anything but March.
    found = max((known for known in _NUMBER_OF if name.startswith(known)), key=len)
    return _NUMBER_OF[found]


def _exists(date: Date) -> bool:
    return 1 <= date.month <= _LAST_MONTH and 1 <= (date.day or 1) <= _LAST_DAY
