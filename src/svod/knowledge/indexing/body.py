"""Chunks sealed: one by one in the search tables, all together while their vectors are computed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import msgpack

from svod.foundation.ids import ItemId
from svod.foundation.storage import Of, SealedColumn, Vault
from svod.knowledge.chunking.chunk import Chunk

SEALED = (
    SealedColumn("chunk", "sealed_body", ("chunk", Of("item_id"), Of("version"), Of("part"))),
    SealedColumn("item_split", "sealed_chunks", ("split", Of("item_id"), Of("version"))),
)
"""What each sealed column of this room is about, for the rotation of keys."""


@dataclass(frozen=True, slots=True)
class ChunkAddress:
    """Which chunk it is: part of a version of an item; authenticated with the sealed body."""

    item_id: ItemId
    version: int
    part: int


def seal_chunk(vault: Vault, address: ChunkAddress, chunk: Chunk) -> bytes:
    """The sealed body of a chunk's row."""
    return vault.seal(
        _pack(_fields(chunk)), "chunk", address.item_id, address.version, address.part
    )


def open_chunk(vault: Vault, address: ChunkAddress, sealed: bytes) -> Chunk:
    """The chunk of a row.

    Raises:
        SealBroken: the body does not belong to this address.
    """
    packed = vault.open(sealed, "chunk", address.item_id, address.version, address.part)
    return _chunk(_unpack(packed))


def seal_split(vault: Vault, item_id: ItemId, version: int, chunks: Sequence[Chunk]) -> bytes:
    """Every chunk of a version in one sealed value."""
    return vault.seal(_pack([_fields(chunk) for chunk in chunks]), "split", item_id, version)


def open_split(vault: Vault, item_id: ItemId, version: int, sealed: bytes) -> list[Chunk]:
    """The chunks that `seal_split` sealed."""
    return [_chunk(fields) for fields in _unpack(vault.open(sealed, "split", item_id, version))]


def _fields(chunk: Chunk) -> list[Any]:
    return [
        chunk.start,
        chunk.end,
        chunk.text,
        chunk.heading_path,
        chunk.header,
        chunk.page,
        chunk.sheet,
        chunk.continued,
    ]


def _chunk(fields: list[Any]) -> Chunk:
    start, end, text, path, header, page, sheet, continued = fields
    return Chunk(start, end, text, tuple(path), header, page, sheet, continued)


def _pack(value: list[Any]) -> bytes:
    packed = cast("object", msgpack.packb(value, unicode_errors="surrogatepass"))  # pyright: ignore[reportUnknownMemberType]
    return cast("bytes", packed)


def _unpack(packed: bytes) -> list[Any]:
    value = cast("object", msgpack.unpackb(packed, unicode_errors="surrogatepass"))  # pyright: ignore[reportUnknownMemberType]
    return cast("list[Any]", value)
