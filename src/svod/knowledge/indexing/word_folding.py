"""One spelling for what reads the same: NFKC, accents, ё, dashes, spaces, look-alike letters.

Case stays, since identifiers are split by it. Folding may change the length of a text, so it
comes with a map back to the places it was made from.
"""

import re
import sys
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

LONGEST_CLUSTER = 32
"""A letter with more marks than this is noise; without a limit it would be folded as one."""

_ONE_FOR_ONE = tuple(
    (sign, folded)
    for signs, folded in (
        ("ё", "е"),
        ("Ё", "Е"),
        ("№™ºª\u00a0\u2007\u2009\u200a\u202f", " "),
        ("\u2010\u2011\u2012\u2013\u2212", "-"),
        ("\u2018\u2019\u02bc\u2032`", "'"),
        ("\u2044", "/"),
    )
    for sign in signs
)
# Signs that neither change nor join with a letter before them; everything else is looked at singly.
_CLEAN = "\\x00-\\xacА-я\u2014\u201c\u201d\u201e\u2026\u2022\u00ab\u00bb\u20ac\u20bd"
_UNCLEAN = re.compile(f"[{_CLEAN}]?[^{_CLEAN}]+")
_KEPT_MARKS = frozenset({"И\u0306", "и\u0306", "У\u0306", "у\u0306", "І\u0308", "і\u0308"})
_SPELT_OUT = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O"}
    | {"ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i", "⁄": "/"}
)

_TO_LATIN = dict(zip("авекмнорстухіјѕ", "abekmhopctyxijs", strict=True))
_TO_CYRILLIC = {latin: cyrillic for cyrillic, latin in _TO_LATIN.items()}


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text, and the places where its length and the original's part."""

    text: str
    breaks: tuple[int, ...] = (0,)
    origins: tuple[int, ...] = (0,)

    def straight(self, place: int) -> tuple[int, int, int]:
        """The stretch around a place in which the original differs by a shift: (low, high, shift).

        Spans that end before `high` may use it; others, and empty stretches, need `origin`.
        """
        piece = bisect_right(self.breaks, place) - 1
        low, shift = self.breaks[piece], self.origins[piece] - self.breaks[piece]
        if piece + 1 == len(self.breaks):
            return low, sys.maxsize, shift
        high = self.breaks[piece + 1]
        is_straight = self.origins[piece + 1] - high == shift
        return low, high if is_straight else low, shift

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that `text[start:end]` was made from; not of an empty one."""
        if len(self.breaks) == 1:
            return start, end
        first = bisect_right(self.breaks, start) - 1
        last = bisect_right(self.breaks, end - 1) - 1
        return self._at(first, start), max(self._at(last, end - 1) + 1, self._end(last, end))

    def _at(self, piece: int, place: int) -> int:
        at = self.origins[piece] + place - self.breaks[piece]
        return min(at, self._last(piece))

    def _end(self, piece: int, end: int) -> int:
        """Where the original goes on after `end`: marks that were dropped belong to their letter."""
        following = piece + 1
        if following < len(self.breaks) and self.breaks[following] == end:
            return self.origins[following]
        return 0

    def _last(self, piece: int) -> int:
        following = piece + 1
        if following == len(self.origins):
            return sys.maxsize
        return max(self.origins[piece], self.origins[following] - 1)


def fold(text: str) -> Folded:
    """One spelling of a text, in linear time."""
    for sign, folded in _ONE_FOR_ONE:
        text = text.replace(sign, folded)
    pieces: list[str] = []
    breaks, origins = [0], [0]
    done = length = 0
    for run in _UNCLEAN.finditer(text):
        at, end = run.span()
        pieces.append(text[done:at])
        length += at - done
        while at < end:
            after = _cluster_end(text, at, end)
            folded = _fold_cluster(text[at:after])
            pieces.append(folded)
            if len(folded) != after - at:
                breaks += [length, length + len(folded)]
                origins += [at, after]
            length += len(folded)
            at = after
        done = end
    pieces.append(text[done:])
    return Folded("".join(pieces), tuple(breaks), tuple(origins))


def _cluster_end(text: str, start: int, end: int) -> int:
    last = min(end, start + LONGEST_CLUSTER)
    after = start + 1
    while after < last and unicodedata.combining(text[after]):
        after += 1
    return after


@lru_cache(maxsize=4096)
def _fold_cluster(cluster: str) -> str:
    kept: list[str] = []
    for sign in unicodedata.normalize("NFD", unicodedata.normalize("NFKC", cluster)):
        if unicodedata.combining(sign):
            if kept and kept[-1] + sign in _KEPT_MARKS:
                kept[-1] = unicodedata.normalize("NFC", kept[-1] + sign)
        elif unicodedata.category(sign) != "Cf":
            kept.append(sign)
    spelt = "".join(kept).translate(_SPELT_OUT)
    for sign, folded in _ONE_FOR_ONE:
        spelt = spelt.replace(sign, folded)
    return spelt


def one_script(letters: str, *, is_code: bool) -> str:
    """Lower-case letters with look-alikes of the other script replaced.

    In a code (`С-100`) letters that all have a Latin twin become Latin. In a word only a mixture is
    mended, towards the script that all of it can be written in, or else that most of it is in.
    """
    cyrillic = sum("а" <= letter <= "ӿ" for letter in letters)
    if not cyrillic or (cyrillic == len(letters) and not is_code):
        return letters
    latin = "".join([_TO_LATIN.get(letter, letter) for letter in letters])
    if latin.isascii() and (is_code or 2 * cyrillic <= len(letters)):
        return latin
    russian = "".join([_TO_CYRILLIC.get(letter, letter) for letter in letters])
    return letters if re.search("[a-z]", russian) else russian
