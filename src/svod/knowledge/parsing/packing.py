"""Values as msgpack, with types."""

from typing import cast

import msgpack


class Unpackable(Exception):
    """These bytes are not one whole value."""


def packed(value: object) -> bytes:
    """A value of strings, numbers, lists and dictionaries as bytes."""
    return cast("bytes", msgpack.packb(value))  # pyright: ignore[reportUnknownMemberType]


def unpacked(content: bytes | bytearray) -> object:
    """The value that some bytes hold.

    Raises:
        Unpackable: they are cut short, or something else.
    """
    try:
        return cast("object", msgpack.unpackb(content))  # pyright: ignore[reportUnknownMemberType]
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException) as error:
        raise Unpackable from error
