"""Whether two names sound alike though they are written in two alphabets: «Берлине» and Berlin."""

import re

_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_LATIN = re.compile("[a-z]", re.IGNORECASE)
_OF_CYRILLIC = {
    "б": "b", "в": "v", "г": "g", "д": "d", "ж": "s", "з": "s", "к": "k", "л": "l", "м": "m",
    "н": "n", "п": "p", "р": "r", "с": "s", "т": "t", "ф": "f", "х": "k", "ц": "s", "ч": "s",
    "ш": "s", "щ": "s",
}  # fmt: skip
_OF_LATIN_PAIRS = (
    ("sch", "s"), ("tch", "s"), ("kh", "k"), ("zh", "s"), ("ch", "s"), ("sh", "s"), ("ph", "f"),
    ("th", "t"), ("ck", "k"), ("dg", "s"), ("ts", "s"), ("tz", "s"), ("wr", "r"), ("kn", "n"),
    ("ce", "s"), ("ci", "s"), ("cy", "s"), ("ge", "g"), ("qu", "kv"), ("x", "ks"),
)  # fmt: skip
_OF_LATIN = {"c": "k", "q": "k", "w": "v", "z": "s", "j": "s"}
_VOWELS = "aeiouyаеёиоуыэюяйьъ"
_LEAST = 2
"""Consonants of a name that can be told apart by them."""
_ENOUGH = 4
"""From so many on, one may go on where the other ends: «лондонский»."""


def sounds_like(name: str, others: set[str]) -> bool:
    """Whether a name is one of the others, written in the other alphabet.

    Vowels and endings are passed over, so short names never count: their consonants tell little.
    """
    is_cyrillic = bool(_CYRILLIC.search(name))
    mine = skeleton(name)
    if len(mine) < _LEAST:
        return False
    other_alphabet = _LATIN if is_cyrillic else _CYRILLIC
    for other in others:
        if not other_alphabet.match(other) or _starts(name) != _starts(other):
            continue
        theirs = skeleton(other)
        if mine == theirs:
            return True
        short, long = sorted((mine, theirs), key=len)
        if len(short) >= _ENOUGH and long.startswith(short):
            return True
    return False


def skeleton(name: str) -> str:
    """The consonants of a word by how they sound, none twice in a row."""
    word = name.casefold()
    if _CYRILLIC.search(word):
        heard = "".join(_OF_CYRILLIC.get(letter, "") for letter in word.replace("дж", "ж"))
    else:
        for written, sound in _OF_LATIN_PAIRS:
            word = word.replace(written, sound)
        heard = "".join(
            _OF_LATIN.get(letter, letter)
            for letter in word
            if letter.isalpha() and letter not in _VOWELS and letter != "h"
        )
    return re.sub(r"(.)\1+", r"\1", heard)


def _starts(name: str) -> bool:
    """Whether it starts with a vowel; an H that other alphabets leave out counts for none."""
    return name[:1].casefold() in _VOWELS
