"""The weights file is believed in nothing."""

import struct
from pathlib import Path

import numpy as np
import pytest

from svod.foundation.providers.e5.weights import Weights, locate
from svod.foundation.providers.errors import WeightsChanged, WeightsDamaged

WIDTH, ROWS = 32, 4


def a_file(*, pieces: list[bytes] | None = None, bounds: list[int] | None = None,
           offset: int = 0, tensors: int = 2, shape: tuple[int, ...] = (WIDTH, 1, 2, 64, 9, 8, 1)
           ) -> bytes:  # fmt: skip
    """A file of the format with one 4-bit and one full tensor."""
    pieces = pieces or [b"<s>", b"<pad>", b"</s>", b"<unk>", "да".encode()]
    blob = b"".join(pieces)
    bounds = bounds or [0, *np.cumsum([len(p) for p in pieces]).tolist()]
    head = b"E5S1" + struct.pack("<I7ifi", 1, *shape, 1e-12, 32)
    head += struct.pack("<5iQ", len(pieces), 0, 2, 1, 3, len(blob))
    head += np.array(bounds, "<u4").tobytes() + np.zeros(len(pieces), "<f4").tobytes() + blob
    head += struct.pack("<iI", 0, 0) + struct.pack("<i", tensors)
    entries = [(b"four", 1, ROWS * 18), (b"full", 0, 4 * WIDTH)]
    start = len(head) + sum(2 + len(name) + 5 + 16 for name, *_ in entries) + offset
    for name, kind, size in entries:
        head += struct.pack("<H", len(name)) + name + struct.pack("<BIQQ", kind, 0, start, size)
        start += size
    row = struct.pack("<e", 0.5) + bytes([0x0F] * 16)
    return head + row * ROWS + np.arange(WIDTH, dtype="<f4").tobytes()


def test_tensors_are_read_as_they_were_packed() -> None:
    weights = Weights(a_file())
    four = weights.four_bit("four", ROWS, WIDTH)
    # The low halves come first: 15 stands for +7, 0 for -8, each times a half.
    np.testing.assert_array_equal(four.floats()[0], [3.5] * 16 + [-4.0] * 16)
    np.testing.assert_array_equal(weights.floats("full", WIDTH), np.arange(WIDTH))
    assert weights.pieces.texts[-1] == "да"


def test_a_file_cut_anywhere_is_refused() -> None:
    def read(data: bytes) -> None:
        weights = Weights(data)
        weights.four_bit("four", ROWS, WIDTH)
        weights.floats("full", WIDTH)

    whole = a_file()
    read(whole)
    for length in range(len(whole)):
        with pytest.raises(WeightsDamaged):
            read(whole[:length])


@pytest.mark.parametrize(
    "data",
    [
        a_file(bounds=[0, 3, 2, 12, 17, 21]),
        a_file(bounds=[0, 3, 8, 12, 17, 4_000_000_000]),
        a_file(pieces=[b"<s>", b"<pad>", b"</s>", b"<unk>", b"\xff"]),
        a_file(offset=10_000),
        a_file(offset=2**62),
        a_file(tensors=-1),
        a_file(tensors=2**31 - 1),
        a_file(shape=(WIDTH, 1, 0, 64, 9, 8, 1)),
        a_file(shape=(WIDTH, 1, 2, 64, 2**31 - 1, 8, 1)),
        a_file(shape=(WIDTH, 1, 2, 64, 1, 8, 1)),
        b"E5S2" + a_file()[4:],
    ],
)
def test_impossible_sizes_are_refused(data: bytes) -> None:
    with pytest.raises(WeightsDamaged):
        Weights(data)


@pytest.mark.parametrize(("rows", "columns"), [(ROWS + 1, WIDTH), (ROWS, WIDTH * 2), (ROWS, 20)])
def test_a_tensor_of_another_size_is_refused(rows: int, columns: int) -> None:
    weights = Weights(a_file())
    with pytest.raises(WeightsDamaged):
        weights.four_bit("four", rows, columns)
    with pytest.raises(WeightsDamaged):
        weights.floats("full", rows, columns)
    with pytest.raises(WeightsDamaged):
        weights.floats("absent", 1)


def test_another_file_is_refused_by_its_sum(tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(a_file())
    with pytest.raises(WeightsChanged):
        Weights.read(tmp_path / "weights")


def test_the_installed_file_is_the_one_that_is_pinned() -> None:
    shape = Weights.read(locate()).shape
    assert (shape.width, shape.layers, shape.heads, shape.inner) == (384, 12, 12, 1536)
