"""Sealing: users' words and bytes at rest, and the keyed hashes that stand for them.

Each workspace has two kinds of random 256-bit data keys, wrapped by the master key: *seal* keys,
of which one writes and every one reads, and one *words* key for hashes, which rotation
leaves alone. A ciphertext is `key id (1 byte) || nonce (12) || AES-256-GCM`. What a ciphertext
belongs to (workspace, kind, ids, part) is authenticated, so a value cannot be put into another
row's place; namespace and ordinal are left out, or every move would seal anew.

Source: NIST SP 800-38D (GCM; random nonces, far below 2**32 messages a key), RFC 7693 (BLAKE2).
"""

import hashlib
import os
import struct
from collections.abc import Iterable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from svod.foundation.errors import Says, Unavailable
from svod.foundation.ids import WorkspaceId

KEY_BYTES = 32
HASH_BYTES = 16
_NONCE_BYTES = 12


class SealBroken(Unavailable):
    """A sealed value does not open: it was altered, moved, or sealed with another key."""

    code = "storage.seal_broken"
    says = Says(
        "A stored value does not open with the keys of this workspace.",
        "Сохранённое значение не открывается ключами этой рабочей области.",
    )
    hint = Says(
        "Check that the master key belongs to this data folder.",
        "Проверьте, что главный ключ относится к этой папке данных.",
    )


class Vault:
    """Seals, opens and hashes for one workspace."""

    def __init__(
        self,
        workspace_id: WorkspaceId,
        *,
        seal_keys: dict[int, bytes],
        words_key: bytes,
        seals_with: int | None = None,
    ) -> None:
        """Hold the unwrapped keys.

        Args:
            workspace_id: whose keys they are; authenticated with every value.
            seal_keys: key id 1..255 -> 32 bytes.
            words_key: 32 bytes.
            seals_with: the id of the key that seals; the highest if none is named.
        """
        self.workspace_id = workspace_id
        self._ciphers: dict[int, AESGCM] = {}
        self.seals_with = 0
        self.renew(seal_keys, seals_with or max(seal_keys))
        self._words_key = words_key
        self._terms = hashlib.blake2b(key=words_key, digest_size=4, person=b"term")

    def renew(self, seal_keys: dict[int, bytes], seals_with: int) -> None:
        """Take other seal keys, at once for everybody who holds this vault."""
        self._ciphers = {key_id: AESGCM(key) for key_id, key in seal_keys.items()}
        self.seals_with = seals_with

    def seal(self, plain: bytes, *about: int | str) -> bytes:
        """Encrypt bytes; `about` names what they are: a kind, ids, a version, a part."""
        nonce, key_id = os.urandom(_NONCE_BYTES), self.seals_with
        sealed = self._ciphers[key_id].encrypt(nonce, plain, self._bound(about))
        return bytes([key_id]) + nonce + sealed

    def open(self, sealed: bytes, *about: int | str) -> bytes:
        """The bytes that were sealed about the same thing.

        Raises:
            SealBroken: altered, moved, or sealed with a key that is not here.
        """
        sealed = bytes(sealed)
        try:
            cipher = self._ciphers[sealed[0]]
            nonce, body = sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
            return cipher.decrypt(nonce, body, self._bound(about))
        except (InvalidTag, KeyError, IndexError, ValueError):
            raise SealBroken from None

    def seal_text(self, text: str, *about: int | str) -> bytes:
        """`seal` for text."""
        return self.seal(text.encode("utf-8", "surrogatepass"), *about)

    def open_text(self, sealed: bytes, *about: int | str) -> str:
        """`open` for text."""
        return self.open(sealed, *about).decode("utf-8", "surrogatepass")

    def key_for(self, purpose: str, value: str | bytes) -> bytes:
        """A keyed hash of 16 bytes, for uniqueness and look-up; differs by workspace and purpose."""
        raw = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
        digest = hashlib.blake2b(key=self._words_key, digest_size=HASH_BYTES)
        digest.update(purpose.encode() + b"\0" + raw)
        return digest.digest()

    def terms(self, words: Iterable[str]) -> list[int]:
        """Each word as the signed 32-bit number that word search compares, in the order given."""
        numbers: list[int] = []
        for word in words:
            digest = self._terms.copy()
            digest.update(word.encode("utf-8", "surrogatepass"))
            numbers.append(struct.unpack("<i", digest.digest())[0])
        return numbers

    def _bound(self, about: tuple[int | str, ...]) -> bytes:
        return "|".join(map(str, (self.workspace_id, *about))).encode()


class MasterKey:
    """Wraps the data keys of workspaces."""

    def __init__(self, key: bytes) -> None:
        """Hold 32 bytes."""
        self._cipher = AESGCM(key)

    def wrap(self, key: bytes, workspace_id: WorkspaceId, purpose: str, key_id: int) -> bytes:
        """A data key as it may be stored."""
        nonce = os.urandom(_NONCE_BYTES)
        about = f"{workspace_id}|{purpose}|{key_id}".encode()
        return nonce + self._cipher.encrypt(nonce, key, about)

    def unwrap(self, wrapped: bytes, workspace_id: WorkspaceId, purpose: str, key_id: int) -> bytes:
        """The data key.

        Raises:
            SealBroken: wrapped by another master key.
        """
        about = f"{workspace_id}|{purpose}|{key_id}".encode()
        try:
            return self._cipher.decrypt(wrapped[:_NONCE_BYTES], wrapped[_NONCE_BYTES:], about)
        except (InvalidTag, ValueError):
            raise SealBroken from None
