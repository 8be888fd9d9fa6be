"""Make the model's files: `python -m svod.foundation.providers.e5.build FOLDER`.

A process of its own, so that the server keeps nothing of the 400 MB that this takes for seconds.
"""

import shutil
import sys
from pathlib import Path

from svod.foundation.providers.e5 import folder
from svod.foundation.providers.e5.graph import write_graph
from svod.foundation.providers.e5.tokenizer import serialize
from svod.foundation.providers.e5.weights import Weights, locate


def build(parent: Path) -> None:
    """Write tokenizer and graph into a folder under `parent`, all or nothing.

    Raises:
        Unavailable: the weights are missing, changed or damaged.
        OSError: they could not be written.
    """
    weights = Weights.read(locate())
    unfinished = folder.unfinished(parent)
    try:
        (unfinished / folder.TOKENIZER).write_bytes(serialize(weights.pieces))
        write_graph(weights, unfinished / folder.GRAPH)
        folder.seal(unfinished)
        folder.put_in_place(unfinished, parent)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


if __name__ == "__main__":
    build(Path(sys.argv[1]))
