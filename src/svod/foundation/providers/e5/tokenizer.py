"""Cut text into the pieces of the model's vocabulary."""

import struct
from collections.abc import Sequence
from pathlib import Path

from sentencepiece import SentencePieceProcessor

from svod.foundation.providers.e5.normalization import normalize
from svod.foundation.providers.e5.weights import Pieces

_LONGEST_PIECE = 16
_MOST_CHARACTERS = 100_000
"""Of a text to embed; what follows could not reach the model's few hundred tokens anyway."""


class Tokenizer:
    """A tokenizer read from its file; its methods may be called from any thread."""

    def __init__(self, path: Path) -> None:
        self._pieces = SentencePieceProcessor(model_file=str(path))
        self._begin: int = self._pieces.bos_id()
        self._end: int = self._pieces.eos_id()

    def encode(self, texts: Sequence[str], *, prefix: str, limit: int) -> list[list[int]]:
        """Ids of each text with its prefix and markers, at most `limit`; the end is cut."""
        most = limit * _LONGEST_PIECE
        ready = [prefix + normalize(text[:_MOST_CHARACTERS])[:most] for text in texts]
        return [[self._begin, *ids[: limit - 2], self._end] for ids in self._pieces.encode(ready)]

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without prefix and markers."""
        return [len(ids) for ids in self._pieces.encode([normalize(text) for text in texts])]


def serialize(pieces: Pieces) -> bytes:
    """The vocabulary as a sentencepiece model that leaves normalization to us.

    Source: the messages of sentencepiece_model.proto, written by hand: four fields are needed.
    """
    special = {pieces.begin, pieces.end, pieces.padding, len(pieces.texts) - 1}
    model = bytearray()
    for place, (text, score) in enumerate(zip(pieces.texts, pieces.scores.tolist(), strict=True)):
        kind = _UNKNOWN if place == pieces.unknown else _CONTROL if place in special else _NORMAL
        entry = _bytes(1, text.encode()) + _float(2, score) + _number(3, kind)
        model += _bytes(1, entry)
    trainer = _number(3, _UNIGRAM) + _number(4, len(pieces.texts))
    trainer += _number(40, pieces.unknown) + _number(41, pieces.begin)
    trainer += _number(42, pieces.end) + _number(43, pieces.padding)
    names = {45: pieces.unknown, 46: pieces.begin, 47: pieces.end, 48: pieces.padding}
    for field, place in names.items():
        trainer += _bytes(field, pieces.texts[place].encode())
    normalizer = _bytes(1, b"identity") + _number(3, 1) + _number(4, 1) + _number(5, 1)
    return bytes(model + _bytes(2, trainer) + _bytes(3, normalizer))


_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3
_UNIGRAM = 1
_VARINT, _FIXED32, _LENGTH = 0, 5, 2


def _varint(value: int) -> bytes:
    out = bytearray()
    while value >> 7:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3 | _VARINT) + _varint(value)


def _float(field: int, value: float) -> bytes:
    return _varint(field << 3 | _FIXED32) + struct.pack("<f", value)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | _LENGTH) + _varint(len(value)) + value
