"""Tokens of a text where no tokenizer is at hand: rather too many than too few."""

import re

_WORD = re.compile(r"\S+")
_BYTES_A_TOKEN = 4
"""English words take fewer tokens than this says, Russian and others about as many."""


def estimated_tokens(text: str) -> int:
    """About how many tokens a model takes for a text; words count apart."""
    return sum(_of_word(word) for word in text.split())


def cut(text: str, most: int) -> str:
    """The beginning of a text that is estimated to take at most so many tokens."""
    if len(text) <= most:  # no character takes more than one
        return text
    left = most
    for word in _WORD.finditer(text):
        taken = _of_word(word.group())
        if taken > left:
            # A word of thousands of letters: as much of it as surely fits.
            return text[: word.start() + left]
        left -= taken
    return text


def _of_word(word: str) -> int:
    return -(-len(word.encode("utf-8", "replace")) // _BYTES_A_TOKEN)
