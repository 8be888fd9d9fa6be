"""Write the network as an ONNX graph: the table of words in 4 bits, the layers in 8."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from svod.foundation.providers.e5.folder import EMBEDDING, IDS, MASK
from svod.foundation.providers.e5.weights import BLOCK, FourBit, Weights

_OURS = ""
_RUNTIME = "com.microsoft"
_OPSETS = {_OURS: 21, _RUNTIME: 1}
_IR_VERSION = 10
_WEIGHT_STEPS = 63
"""7 bits of 8: processors without VNNI add two products in 16 bits, and 255 * 127 * 2 is over."""
_INPUT_STEPS = 127
_ZERO = 128


def write_graph(weights: Weights, path: Path) -> None:
    """Write the graph to `path` and its numbers beside it, in `path` + `.data`.

    Inputs are ids and mask, int64 (texts, tokens); the output is float32 (texts, width): the mean
    over the tokens, of unit length.
    """
    graph = _Graph()
    tokens = _encode(graph, weights)
    _pool(graph, tokens)
    rows = [helper.make_tensor_value_info(n, onnx.TensorProto.INT64, ["texts", "tokens"])
            for n in (IDS, MASK)]  # fmt: skip
    width = weights.shape.width
    result = helper.make_tensor_value_info(EMBEDDING, onnx.TensorProto.FLOAT, ["texts", width])
    model = helper.make_model(
        helper.make_graph(graph.nodes, "e5", rows, [result], graph.constants),
        opset_imports=[helper.make_opsetid(name, no) for name, no in _OPSETS.items()],
        ir_version=_IR_VERSION,
    )
    onnx.save(  # pyright: ignore[reportUnknownMemberType] - PathLike without a parameter
        model, path, save_as_external_data=True, location=f"{path.name}.data", size_threshold=1024
    )


@dataclass(slots=True)
class _Graph:
    """Nodes and constants, named as they come."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def constant(self, value: NDArray[np.generic] | Sequence[int] | float) -> str:
        if isinstance(value, float):
            array: NDArray[np.generic] = np.array(value, np.float32)
        else:
            array = value if isinstance(value, np.ndarray) else np.array(value, np.int64)
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def four_bits(self, table: FourBit) -> str:
        """A constant of type INT4, two to a byte, the first in the low half."""
        packed = table.codes[:, 0::2] | table.codes[:, 1::2] << 4
        name = f"c{len(self.constants)}"
        self.constants.append(
            onnx.TensorProto(
                name=name,
                data_type=onnx.TensorProto.INT4,
                dims=table.codes.shape,
                # Codes 0..15 stand for -8..7; as two's complement that is the high bit turned.
                raw_data=(packed ^ 0x88).tobytes(),
            )
        )
        return name

    def node(self, kind: str, *inputs: str, outputs: int = 1, domain: str = _OURS,
             output: str | None = None, **attributes: Any) -> list[str]:  # fmt: skip
        names = [output or f"n{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, domain=domain, **attributes))
        return names

    def one(self, kind: str, *inputs: str, domain: str = _OURS, output: str | None = None,
            **attributes: Any) -> str:  # fmt: skip
        return self.node(kind, *inputs, domain=domain, output=output, **attributes)[0]


def _encode(graph: _Graph, weights: Weights) -> str:
    """Vectors of the tokens after the last layer, (texts, tokens, width)."""
    shape = weights.shape
    mask = graph.one("Cast", MASK, to=_type("INT32"))
    x = _words(graph, weights)
    for layer in range(shape.layers):
        at = f"l{layer}."
        x = _attention(graph, weights, at, x, mask)
        inner = _linear(graph, _matrix(weights, at + "fi", shape.inner, shape.width), x)
        bias = graph.constant(weights.floats(at + "fi.b", shape.inner))
        inner = graph.one("BiasGelu", inner, bias, domain=_RUNTIME)
        out = _linear(graph, _matrix(weights, at + "fo", shape.width, shape.inner), inner)
        x = _add_and_level(graph, weights, x, out, bias=at + "fo.b", level=at + "oln")
    return x


def _words(graph: _Graph, weights: Weights) -> str:
    """The table's vectors of the words, plus those of their places."""
    width = weights.shape.width
    table = weights.four_bit("emb.word", weights.shape.vocabulary, width)
    words = graph.one(
        "GatherBlockQuantized", graph.four_bits(table), IDS,
        graph.constant(table.scales.astype(np.float32)),
        domain=_RUNTIME, block_size=BLOCK, gather_axis=0, quantize_axis=1,
    )  # fmt: skip
    places = weights.floats("emb.pos", weights.shape.positions, width)
    places = places + weights.floats("emb.type", 2, width)[:1]
    count = graph.one("Gather", graph.one("Shape", IDS), graph.constant([1]))
    zero = graph.constant([0])
    used = graph.one("Slice", graph.constant(places), zero, count, zero)
    total = graph.one("Add", words, used)
    scale, shift = _level(graph, weights, "emb.ln")
    return graph.one(
        "LayerNormalization", total, scale, shift, axis=-1, epsilon=weights.shape.epsilon
    )


def _attention(graph: _Graph, weights: Weights, at: str, x: str, mask: str) -> str:
    width = weights.shape.width
    joined = np.concatenate([_matrix(weights, at + name, width, width) for name in "qkv"])
    three = graph.node("Split", _linear(graph, joined, x), outputs=3, axis=-1, num_outputs=3)
    bias = np.concatenate([weights.floats(f"{at}{name}.b", width) for name in "qkv"])
    context = graph.one(
        "MultiHeadAttention", *three, graph.constant(bias), mask,
        domain=_RUNTIME, num_heads=weights.shape.heads,
    )  # fmt: skip
    out = _linear(graph, _matrix(weights, at + "ao", width, width), context)
    return _add_and_level(graph, weights, x, out, bias=at + "ao.b", level=at + "aln")


def _linear(graph: _Graph, matrix: NDArray[np.float32], x: str) -> str:
    """`x` times the matrix in 8 bits, each token with a scale of its own.

    One scale for a whole batch, as the usual operator has it, would let a text's vector depend
    on its neighbours and costs three times the error (cosine 0.9962 against 0.9988).
    """
    steps = np.maximum(np.abs(matrix).max(axis=1), 1e-12) / _WEIGHT_STEPS
    codes = np.rint(matrix / steps[:, None]).astype(np.int8).T
    largest = graph.one("ReduceMax", graph.one("Abs", x), graph.constant([-1]), keepdims=1)
    scale = graph.one("Mul", graph.one("Max", largest, graph.constant(1e-9)),
                      graph.constant(1 / _INPUT_STEPS))  # fmt: skip
    rounded = graph.one("Round", graph.one("Div", x, scale))
    shifted = graph.one("Add", rounded, graph.constant(float(_ZERO)))
    product = graph.one(
        "MatMulIntegerToFloat",
        graph.one("Cast", shifted, to=_type("UINT8")),
        graph.constant(codes),
        graph.constant(1.0),
        graph.constant(steps),
        graph.constant(np.array(_ZERO, np.uint8)),
        domain=_RUNTIME,
    )
    return graph.one("Mul", product, scale)


def _add_and_level(graph: _Graph, weights: Weights, x: str, y: str, *, bias: str,
                   level: str) -> str:  # fmt: skip
    """Layer normalization of `x + y + bias`."""
    added = graph.constant(weights.floats(bias, weights.shape.width))
    return graph.one(
        "SkipLayerNormalization", x, y, *_level(graph, weights, level), added,
        domain=_RUNTIME, epsilon=weights.shape.epsilon,
    )  # fmt: skip


def _level(graph: _Graph, weights: Weights, name: str) -> tuple[str, str]:
    width = weights.shape.width
    return (
        graph.constant(weights.floats(name + ".w", width)),
        graph.constant(weights.floats(name + ".b", width)),
    )


def _pool(graph: _Graph, tokens: str) -> None:
    """The mean over a text's tokens; a sum does, as only its direction is kept."""
    mask = graph.one("Unsqueeze", graph.one("Cast", MASK, to=_type("FLOAT")), graph.constant([2]))
    total = graph.one("ReduceSum", graph.one("Mul", tokens, mask), graph.constant([1]), keepdims=0)
    graph.node("LpNormalization", total, output=EMBEDDING, axis=-1, p=2)


def _matrix(weights: Weights, name: str, rows: int, columns: int) -> NDArray[np.float32]:
    return weights.four_bit(name + ".w", rows, columns).floats()


def _type(name: str) -> int:
    return int(getattr(onnx.TensorProto, name))
