"""A folder with a tiny ONNX model and a SentencePiece vocabulary, made on the spot."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from sentencepiece import SentencePieceTrainer

from svod.foundation.providers.probes import PROBES

WIDTH = 48
PIECES = 400


def a_model_folder(folder: Path, *, seed: int = 1, pooled: bool = False, **about: Any) -> Path:
    """A model whose token vectors are rows of chance; texts that share pieces lie close.

    Args:
        folder: where it is put.
        seed: another one makes another model.
        pooled: whether the graph gives one vector a text.
        about: what `svod.json` says beside the dimensions.
    """
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(PROBES), model_writer=vocabulary, vocab_size=PIECES,
        hard_vocab_limit=False, character_coverage=1.0, minloglevel=2,
    )  # fmt: skip
    (folder / "sp.model").write_bytes(vocabulary.getvalue())
    (folder / "model.onnx").write_bytes(_graph(seed, pooled=pooled).SerializeToString())
    said = {"dimensions": WIDTH, "max_tokens": 64} | about
    (folder / "svod.json").write_text(json.dumps(said))
    return folder


def _graph(seed: int, *, pooled: bool) -> onnx.ModelProto:
    rng = np.random.default_rng(seed)
    table = numpy_helper.from_array(
        rng.standard_normal((PIECES + 8, WIDTH)).astype(np.float32), "table"
    )
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("Cast", ["attention_mask"], ["weights"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["weights", "last"], ["spread"]),
        helper.make_node("Mul", ["rows", "spread"], ["last_hidden_state"]),
    ]
    shape: list[str | int] = ["batch", "length", WIDTH]
    output = "last_hidden_state"
    if pooled:
        nodes.append(
            helper.make_node("ReduceMean", [output, "middle"], ["sentence_embedding"], keepdims=0)
        )
        output, shape = "sentence_embedding", ["batch", WIDTH]
    numbers = [
        table,
        numpy_helper.from_array(np.array([-1], np.int64), "last"),
        numpy_helper.from_array(np.array([1], np.int64), "middle"),
    ]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask")
    ]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, numbers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
