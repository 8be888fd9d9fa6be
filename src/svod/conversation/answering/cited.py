"""The numbers by which a model cites, in the many ways that models write them."""

import re

_WORD = r"(?:источники?|выдержк[аи]|sources?|excerpts?|evidence|documents?)"
_ONE = rf"(?:[\^№#]|{_WORD})?\s*\d{{1,3}}"
_CITED = re.compile(
    rf"\[\s*{_ONE}(?:\s*[,;–—-]\s*{_ONE})*\s*\](?!\()|【\s*{_ONE}[^】\n]{{0,24}}】", re.IGNORECASE
)
"""Such as `[1]`, `[1, 3]`, `[2-4]`, `[^1]`, `[source 2]`, `【1†source】`."""
_BEGUN_MARKER = re.compile(r"[\[【][^\]】\n]{0,48}\Z")
_RANGE = re.compile(r"(\d{1,3})\s*[–—-]\s*\D{0,12}?(\d{1,3})")
_NUMBER = re.compile(r"\d{1,3}")
_WIDEST_RANGE = 10
_BLANKS = re.compile(r"[ \t]{2,}")
_BEFORE_STOP = re.compile(r"\s+(?=[.,;:!?…](?:\s|$))")


def cited_numbers(text: str) -> tuple[int, ...]:
    """The numbers of the markers of a text, in order, none twice."""
    found: list[int] = []
    for cited in _CITED.findall(text):
        for first, last in _RANGE.findall(cited):
            if int(first) < int(last) <= int(first) + _WIDEST_RANGE:
                found += range(int(first), int(last) + 1)
        found += [int(number) for number in _NUMBER.findall(cited.partition("†")[0])]
    return tuple(dict.fromkeys(found))


def without_markers(text: str) -> str:
    """A text as it reads without its markers."""
    return _BEFORE_STOP.sub("", _BLANKS.sub(" ", _CITED.sub("", text))).strip()


def blank_markers(text: str) -> str:
    """The text, as long as it was, with blanks for its markers."""
    return _CITED.sub(lambda cited: " " * len(cited[0]), text)


def begun_marker(text: str) -> int:
    """Where a marker begins that may go on after the end of a text; its length where none does."""
    match = _BEGUN_MARKER.search(text)
    return match.start() if match else len(text)
