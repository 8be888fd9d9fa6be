"""What a chunk's row holds sealed: its text and where it stands."""

from dataclasses import dataclass
from typing import Any

import msgpack

from svod.foundation.ids import ItemId
from svod.foundation.storage import Vault
from svod.knowledge.chunking.chunk import Chunk


@dataclass(frozen=True, slots=True)
class ChunkAddress:
    """Which chunk it is: part of a version of an item; authenticated with the sealed body."""

    item_id: ItemId
    version: int
    part: int


def seal_chunk(vault: Vault, address: ChunkAddress, chunk: Chunk) -> bytes:
    """The sealed body of a chunk's row."""
    fields: list[Any] = [
        chunk.start,
        chunk.end,
        chunk.text,
        chunk.heading_path,
        chunk.header,
        chunk.page,
        chunk.sheet,
        chunk.continued,
    ]
    packed: bytes = msgpack.packb(fields, unicode_errors="surrogatepass")
    return vault.seal(packed, "chunk", address.item_id, address.version, address.part)


def open_chunk(vault: Vault, address: ChunkAddress, sealed: bytes) -> Chunk:
    """The chunk of a row.

    Raises:
        SealBroken: the body does not belong to this address.
    """
    packed = vault.open(sealed, "chunk", address.item_id, address.version, address.part)
    start, end, text, path, header, page, sheet, continued = msgpack.unpackb(packed, strict_map_key=False)
    return Chunk(start, end, text, tuple(path), header, page, sheet, continued)
