"""A loaded graph of the operator's: rows of ids in, vectors out.

Importing this brings the runtime, 35 MB and a third of a second: only what embeds does.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# The runtime is not typed.

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from svod.foundation.providers.embedding import Vectors
from svod.foundation.providers.errors import FolderUnusable
from svod.foundation.providers.folder.description import About
from svod.foundation.providers.runtime import session_options

_POOLED, _TOKENS = 2, 3
_SHORTEST = 1e-6


class Session:
    """An ONNX Runtime session; `run` is called from one thread at a time."""

    def __init__(self, graph: Path, about: About, *, cores: int) -> None:
        self._session = onnxruntime.InferenceSession(
            str(graph), session_options(cores), providers=["CPUExecutionProvider"]
        )
        self._about = about
        outputs = [output.name for output in self._session.get_outputs()]
        wanted = about.output or next(
            (name for name in outputs if name == "sentence_embedding"), outputs[0]
        )
        if wanted not in outputs:
            raise FolderUnusable(reason=f"the graph has no output {wanted}")
        self._output = wanted

    def run(self, rows: Sequence[Sequence[int]]) -> Vectors:
        """Unit vectors of rows of ids that are equally long.

        Raises:
            FolderUnusable: the graph gives something else.
        """
        ids = np.array(rows, np.int64)
        (given,) = self._session.run([self._output], self._feed(ids))
        made = self._pooled(cast("NDArray[Any]", given).astype(np.float64))
        size = self._about.dimensions
        if len(made) != len(rows) or made.shape[1] < size:
            raise FolderUnusable(reason=f"vectors of shape {made.shape}, not of {size} dimensions")
        # A model trained for it may be used with its first dimensions only.
        made = made[:, :size]
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or lengths.min() < _SHORTEST:
            raise FolderUnusable(reason="a vector of no finite length")
        return (made / lengths).astype(np.float32)

    def _feed(self, ids: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        feed: dict[str, NDArray[Any]] = {}
        for given in self._session.get_inputs():
            if "mask" in given.name:
                # Rows are equally long, so nothing is padded.
                values = np.ones_like(ids)
            elif "type" in given.name:
                values = np.zeros_like(ids)
            elif "position" in given.name:
                values = np.broadcast_to(np.arange(ids.shape[1]), ids.shape)
            else:
                values = ids
            feed[given.name] = values.astype(np.int32 if "int32" in given.type else np.int64)
        return feed

    def _pooled(self, given: NDArray[np.float64]) -> NDArray[np.float64]:
        if given.ndim == _POOLED:
            return given
        if given.ndim == _TOKENS and self._about.pooling == "mean":
            return given.mean(axis=1)
        if given.ndim == _TOKENS and self._about.pooling == "cls":
            return given[:, 0]
        raise FolderUnusable(reason=f"an output of {given.ndim} axes does not fit the pooling")
