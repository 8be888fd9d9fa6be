"""Passwords: kept as argon2id, checked slowly, a few at a time.

Source: RFC 9106; the parameters are argon2-cffi's low-memory profile: 64 MiB, three passes.
"""

import asyncio
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from svod.knowledge.workspaces.sign_in.errors import BadPassword

SHORTEST = 10
LONGEST = 200
_AT_ONCE = 2
"""Each takes 64 MiB and about 50 ms of a core."""


class Passwords:
    """Makes and checks the hashes of one process."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._nobodys: str | None = None

    async def hash(self, password: str, *, email: str) -> str:
        """What is kept of a password.

        Raises:
            BadPassword: it is too short, too long, or the e-mail itself.
        """
        plain = _normal(password)
        if not SHORTEST <= len(plain) <= LONGEST or plain.casefold() == email.casefold():
            raise BadPassword(least=SHORTEST, most=LONGEST)
        async with self._turns:
            return await asyncio.to_thread(self._hasher.hash, plain)

    async def fits(self, password: str, kept: str | None) -> bool:
        """Whether a password is the one that was kept; as slow where none was."""
        plain = _normal(password[: 2 * LONGEST])
        async with self._turns:
            return await asyncio.to_thread(self._verify, plain, kept)

    def _verify(self, plain: str, kept: str | None) -> bool:
        if kept is None:
            if self._nobodys is None:
                self._nobodys = self._hasher.hash("nobody's password")
            self._check(plain, self._nobodys)
            return False
        return self._check(plain, kept)

    def _check(self, plain: str, kept: str) -> bool:
        try:
            return self._hasher.verify(kept, plain)
        except (VerificationError, InvalidHashError):
            return False


def _normal(password: str) -> str:
    # The same letters, however a keyboard composes them; a lone surrogate is a letter like any.
    return unicodedata.normalize("NFC", password).encode("utf-8", "replace").decode()
