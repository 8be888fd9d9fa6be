"""Write the network as an ONNX graph: the table of words in 4 bits, the layers in 8."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

from svod.foundation.providers.e5.folder import EMBEDDING, IDS
from svod.foundation.providers.e5.weights import BLOCK, FOUR_BIT_ZERO, Weights

_OURS = ""
_RUNTIME = "com.microsoft"
_OPSETS = {_OURS: 21, _RUNTIME: 1}
_IR_VERSION = 10
_WEIGHT_STEPS = 63
"""7 bits of 8: processors without VNNI add two products in 16 bits, and 255 * 127 * 2 is over."""
_INPUT_STEPS = 127
_ZERO = 128
_SMALLEST = 1e-9


def write_graph(weights: Weights, path: Path) -> None:
    """Write the graph to `path` and its numbers beside it, in `path` + `.data`.

    The input is ids, int64 (texts, tokens), of texts with the same number of tokens: without
    padding there is no mask, and attention takes two thirds of the time. The output is float32
    (texts, width): the mean over the tokens, of unit length.
    """
    graph = _Graph()
    _pool(graph, _encode(graph, weights))
    rows = [helper.make_tensor_value_info(IDS, onnx.TensorProto.INT64, ["texts", "tokens"])]
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
    x = _words(graph, weights)
    for layer in range(shape.layers):
        at = f"l{layer}."
        x = _attention(graph, weights, at, x)
        inner = _linear(graph, weights, [at + "fi"], x, shape.inner, shape.width)
        out = _linear(
            graph, weights, [at + "fo"], graph.one("Gelu", inner), shape.width, shape.inner
        )
        x = _level(graph, weights, at + "oln", graph.one("Add", x, out))
    return x


def _words(graph: _Graph, weights: Weights) -> str:
    """The table's vectors of the words, plus those of their places.

    The table stays packed, two weights to a byte, and the few rows that a text needs are
    unpacked: the runtime's own operator for it takes ten times as long.
    """
    width = weights.shape.width
    table = weights.four_bit("emb.word", weights.shape.vocabulary, width)
    packed = table.codes[:, : width // 2] | table.codes[:, width // 2 :] << 4
    rows = graph.one("Gather", graph.constant(packed), IDS)
    low = graph.one("BitwiseAnd", rows, graph.constant(np.array(15, np.uint8)))
    high = graph.one("BitShift", rows, graph.constant(np.array(4, np.uint8)), direction="RIGHT")
    codes = graph.one("Cast", graph.one("Concat", low, high, axis=-1), to=_type("FLOAT"))
    blocks = graph.one("Reshape", codes, graph.constant([0, 0, -1, BLOCK]))
    scales = graph.one("Gather", graph.constant(table.scales), IDS)
    scales = graph.one("Unsqueeze", graph.one("Cast", scales, to=_type("FLOAT")),
                       graph.constant([-1]))  # fmt: skip
    centred = graph.one("Sub", blocks, graph.constant(float(FOUR_BIT_ZERO)))
    words = graph.one("Reshape", graph.one("Mul", centred, scales), graph.constant([0, 0, width]))

    places = weights.floats("emb.pos", weights.shape.positions, width)
    places = places + weights.floats("emb.type", 2, width)[:1]
    count = graph.one("Gather", graph.one("Shape", IDS), graph.constant([1]))
    zero = graph.constant([0])
    used = graph.one("Slice", graph.constant(places), zero, count, zero)
    return _level(graph, weights, "emb.ln", graph.one("Add", words, used))


def _attention(graph: _Graph, weights: Weights, at: str, x: str) -> str:
    width = weights.shape.width
    joined = _linear(graph, weights, [at + name for name in "qkv"], x, width, width)
    three = graph.node("Split", joined, outputs=3, axis=-1, num_outputs=3)
    context = graph.one(
        "MultiHeadAttention", *three, domain=_RUNTIME, num_heads=weights.shape.heads
    )
    out = _linear(graph, weights, [at + "ao"], context, width, width)
    return _level(graph, weights, at + "aln", graph.one("Add", x, out))


def _linear(graph: _Graph, weights: Weights, names: Sequence[str], x: str, rows: int,
            columns: int) -> str:  # fmt: skip
    """`x` times the named matrices, one below another, plus their biases; in 8 bits.

    Each token has a scale of its own. One for a whole batch, as the usual operator has it, would
    let a text's vector depend on its neighbours and costs three times the error.
    """
    matrix = np.concatenate([weights.four_bit(n + ".w", rows, columns).floats() for n in names])
    bias = np.concatenate([weights.floats(n + ".b", rows) for n in names])
    steps = np.maximum(np.abs(matrix).max(axis=1), _SMALLEST) / _WEIGHT_STEPS
    codes = np.rint(matrix / steps[:, None]).astype(np.int8).T

    largest = graph.one("ReduceMax", graph.one("Abs", x), graph.constant([-1]), keepdims=1)
    largest = graph.one("Max", largest, graph.constant(_SMALLEST))
    finer = graph.one("Div", graph.constant(float(_INPUT_STEPS)), largest)
    # To a whole number by cutting what follows the point, hence the half.
    shifted = graph.one("Add", graph.one("Mul", x, finer), graph.constant(_ZERO + 0.5))
    product = graph.one(
        "MatMulIntegerToFloat",
        graph.one("Cast", shifted, to=_type("UINT8")),
        graph.constant(codes),
        graph.constant(1.0),
        graph.constant(steps / _INPUT_STEPS),
        graph.constant(np.array(_ZERO, np.uint8)),
        domain=_RUNTIME,
    )
    return graph.one("Add", graph.one("Mul", product, largest), graph.constant(bias))


def _level(graph: _Graph, weights: Weights, name: str, x: str) -> str:
    """Layer normalization."""
    width, epsilon = weights.shape.width, weights.shape.epsilon
    scale = graph.constant(weights.floats(name + ".w", width))
    shift = graph.constant(weights.floats(name + ".b", width))
    return graph.one("LayerNormalization", x, scale, shift, axis=-1, epsilon=epsilon)


def _pool(graph: _Graph, tokens: str) -> None:
    """The mean over a text's tokens; a sum does, as only its direction is kept."""
    total = graph.one("ReduceSum", tokens, graph.constant([1]), keepdims=0)
    graph.node("LpNormalization", total, output=EMBEDDING, axis=-1, p=2)


def _type(name: str) -> int:
    return int(getattr(onnx.TensorProto, name))
