"""Identities that cannot be mistaken for one another, and how they are written.

Inside, an id is an integer; outside, it is thirteen characters of Crockford's base 32, which sort
as the numbers do, survive JavaScript's numbers, and are safe in an address.
"""

import secrets
from typing import NewType

from svod.foundation.clock import Clock

WorkspaceId = NewType("WorkspaceId", int)
"""A tenant: a random 63-bit number, unique across servers, so that a workspace can be moved."""
PrincipalId = NewType("PrincipalId", int)
"""A member or a key, counted within a workspace; 0 is the reader of the system workspace."""
LevelId = NewType("LevelId", int)
NamespaceId = NewType("NamespaceId", int)
ItemId = NewType("ItemId", int)
CardId = NewType("CardId", int)
"""A model card within a workspace."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_VALUES = {letter: value for value, letter in enumerate(_ALPHABET)}
_LENGTH = 13
_LARGEST = 2**63 - 1
_RANDOM_BITS = 22


def new_random_id() -> int:
    """A positive 63-bit number that tells nothing."""
    return secrets.randbits(63) or 1


def new_ordered_id(clock: Clock) -> int:
    """A positive 63-bit number that grows with time: 41 bits of milliseconds, 22 of chance."""
    milliseconds = int(clock.now().timestamp() * 1000) & (2**41 - 1)
    return (milliseconds << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS)


def write_id(number: int) -> str:
    """An id as it is shown outside."""
    letters: list[str] = []
    for _ in range(_LENGTH):
        number, value = divmod(number, 32)
        letters.append(_ALPHABET[value])
    return "".join(reversed(letters))


def read_id(text: str) -> int | None:
    """The number behind a shown id, or None when it is not one."""
    if len(text) != _LENGTH:
        return None
    number = 0
    for letter in text:
        value = _VALUES.get(letter)
        if value is None:
            return None
        number = number * 32 + value
    return number if 0 < number <= _LARGEST else None
