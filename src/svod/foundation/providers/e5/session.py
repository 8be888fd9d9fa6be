"""One loaded graph: rows of ids in, vectors out.

Importing this brings the runtime, 35 MB and a third of a second: only what embeds does.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
# The runtime is not typed.

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np
import onnxruntime

from svod.foundation.providers.e5.folder import EMBEDDING, IDS
from svod.foundation.providers.embedding import Vectors
from svod.foundation.providers.runtime import session_options


class Session:
    """An ONNX Runtime session; `run` is called from one thread at a time."""

    def __init__(self, graph: Path, *, cores: int) -> None:
        options = session_options(cores)
        # The runtime's larger rewrites would join operators into ones that are slower here.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        self._session = onnxruntime.InferenceSession(
            str(graph), options, providers=["CPUExecutionProvider"]
        )

    def run(self, rows: Sequence[Sequence[int]]) -> Vectors:
        """Vectors of rows of ids that are equally long, shape (len(rows), width), unit length."""
        (vectors,) = self._session.run([EMBEDDING], {IDS: np.array(rows, np.int64)})
        return cast("Vectors", vectors)
