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

from svod.foundation.providers.e5.folder import EMBEDDING, IDS, MASK
from svod.foundation.providers.embedding import Vectors


class Session:
    """An ONNX Runtime session; `run` is called from one thread at a time."""

    def __init__(self, graph: Path, *, cores: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = cores
        options.inter_op_num_threads = 1
        # Its threads would otherwise spin for work and keep an idle server busy.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # The arena never gives back what the largest batch once took.
        options.enable_cpu_mem_arena = False
        options.enable_mem_pattern = False
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(graph), options, providers=["CPUExecutionProvider"]
        )

    def run(self, rows: Sequence[Sequence[int]], *, padding: int) -> Vectors:
        """Vectors of rows of ids, shape (len(rows), width), unit length."""
        longest = max(map(len, rows))
        ids = np.full((len(rows), longest), padding, np.int64)
        mask = np.zeros((len(rows), longest), np.int64)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            mask[place, : len(row)] = 1
        (vectors,) = self._session.run([EMBEDDING], {IDS: ids, MASK: mask})
        return cast("Vectors", vectors)
