"""Which language a sentence is in, by its letters: enough to see that a model slipped."""

from svod.foundation.errors import Language

FEWEST_LETTERS = 12
"""A name and a number are in no language."""
CYRILLIC_IN_RUSSIAN = 0.3
CYRILLIC_IN_ENGLISH = 0.4
"""Sentences about products and people name them as they are written at home."""
FOREIGN = 0.3


def is_in(text: str, language: Language) -> bool:
    """Whether a sentence may pass for one in a language; what is too short for a judgement may."""
    letters = [letter for letter in text.casefold() if letter.isalpha()]
    if len(letters) < FEWEST_LETTERS:
        return True
    cyrillic = sum("Ѐ" <= letter <= "ӿ" for letter in letters)
    latin = sum(letter < "ɐ" for letter in letters)
    if len(letters) - cyrillic - latin > FOREIGN * len(letters):
        return False
    if language is Language.RU:
        return cyrillic >= CYRILLIC_IN_RUSSIAN * len(letters)
    return cyrillic <= CYRILLIC_IN_ENGLISH * len(letters)
