"""How many tokens a text has, without the tokenizer of the model that will read it."""

import math
import re

_PIECE = re.compile(
    r"(?P<latin>[A-Za-z]+)|(?P<cyrillic>[Ѐ-ӿ]+)|(?P<digits>\d+)|(?P<newlines>\n+)|(?P<spaces>\s+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_LATIN_LETTERS = 3.5
_CYRILLIC_LETTERS = 2.2
"""Letters that a token has at worst: vocabularies made for English cut Russian finely."""
_OTHER_TOKENS = 1.0
_WIDE_TOKENS = 2.0
"""A sign outside of the first plane, an emoji say, is written in bytes by most of them."""


def estimate_tokens(text: str) -> int:
    """The tokens of a text from above: tokenizers in use count as many or fewer."""
    total = 0.0
    for piece in _PIECE.finditer(text):
        length = piece.end() - piece.start()
        match piece.lastgroup:
            case "latin":
                total += max(1.0, length / _LATIN_LETTERS)
            case "cyrillic":
                total += max(1.0, length / _CYRILLIC_LETTERS)
            case "digits":
                total += length
            case "newlines":
                total += 1
            case "spaces":
                # One space belongs to the word after it.
                total += (length - 1) / 2
            case _:
                total += _OTHER_TOKENS if ord(piece[0]) < 0x1_0000 else _WIDE_TOKENS  # noqa: PLR2004
    return math.ceil(total)
