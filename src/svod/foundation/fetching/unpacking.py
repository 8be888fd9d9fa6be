"""A body as it comes, unpacked piece by piece, within a limit that holds for both its sizes."""

import zlib
from typing import Protocol

from svod.foundation.fetching.errors import BadResponse, PageTooLarge

_GZIP = 16 + zlib.MAX_WBITS
_MEGABYTE = 1024 * 1024
ACCEPTED = "gzip, deflate"


class _Packed(Protocol):
    """What `zlib` gives for unpacking."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def unconsumed_tail(self) -> bytes: ...
    def decompress(self, data: bytes, /, max_length: int = 0) -> bytes: ...


class Unpacking:
    """Gathers a body. Nothing grows beyond the limit, packed or unpacked, however small the piece."""

    def __init__(self, encoding: str, *, most_bytes: int) -> None:
        """Get ready.

        Args:
            encoding: the Content-Encoding; one that was not asked for is refused.
            most_bytes: the limit.

        Raises:
            BadResponse: an encoding that is not unpacked, or several on top of one another.
        """
        self._encoding = encoding.strip().lower()
        if self._encoding not in {"", "identity", "gzip", "x-gzip", "deflate"}:
            raise BadResponse
        self._most_bytes = most_bytes
        self._came = 0
        self._content = bytearray()
        self._packed: _Packed | None = None

    @property
    def is_packed(self) -> bool:
        """Whether what comes is smaller than what it holds."""
        return self._encoding not in {"", "identity"}

    def feed(self, piece: bytes) -> None:
        """Take the next piece.

        Raises:
            PageTooLarge: it does not fit any more.
            BadResponse: it does not unpack.
        """
        self._came += len(piece)
        if self._came > self._most_bytes:
            raise self._too_large()
        if not self.is_packed:
            self._content += piece
            return
        try:
            self._unpack(piece)
        except zlib.error:
            raise BadResponse from None

    def finish(self) -> bytes:
        """The body.

        Raises:
            BadResponse: it was cut short.
        """
        if self._packed is not None and not self._packed.eof:
            raise BadResponse
        return bytes(self._content)

    def _unpack(self, piece: bytes) -> None:
        while piece:
            if self._packed is None:
                self._packed = zlib.decompressobj(self._window(piece))
            elif self._packed.eof:
                # Gzip may follow gzip; anything else after the end is padding.
                if self._encoding == "deflate" or not piece.startswith(b"\x1f"):
                    return
                self._packed = zlib.decompressobj(_GZIP)
            room = self._most_bytes - len(self._content)
            self._content += self._packed.decompress(piece, room + 1)
            if len(self._content) > self._most_bytes:
                raise self._too_large()
            piece = self._packed.unused_data if self._packed.eof else self._packed.unconsumed_tail

    def _window(self, piece: bytes) -> int:
        if self._encoding != "deflate":
            return _GZIP
        # By the standard it is a zlib stream, but some servers send the bare one.
        is_zlib = piece[0] & 0x0F == zlib.DEFLATED and piece[0] >> 4 <= 7  # noqa: PLR2004
        return zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS

    def _too_large(self) -> PageTooLarge:
        return PageTooLarge(limit_mb=self._most_bytes // _MEGABYTE)
