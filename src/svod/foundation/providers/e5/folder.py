"""The model's files on disk: made once, checked before use, made again when damaged."""

import hashlib
import json
import shutil
import tempfile
import time
from pathlib import Path

from svod.foundation.providers.e5.weights import SHA256

FORMAT = 2
"""Raised whenever the same weights would give other files."""

TOKENIZER, GRAPH, NUMBERS = "tokenizer.model", "graph.onnx", "graph.onnx.data"
IDS, EMBEDDING = "ids", "embedding"
"""Input and output of the graph."""

NAME = f"e5-{SHA256[:8]}-v{FORMAT}"

_MANIFEST = "manifest.json"
_FILES = (TOKENIZER, GRAPH, NUMBERS)
_UNFINISHED = ".unfinished-"
_FORGOTTEN_AFTER_S = 3600


def is_whole(folder: Path) -> bool:
    """Whether the folder holds every file as it was written; 0.3 s for 90 MB."""
    try:
        sums = json.loads((folder / _MANIFEST).read_text())
        return all(sums[name] == _sha256(folder / name) for name in _FILES)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def seal(folder: Path) -> None:
    """Write down what the files are, as the last of them."""
    sums = {name: _sha256(folder / name) for name in _FILES}
    (folder / _MANIFEST).write_text(json.dumps(sums))


def unfinished(parent: Path) -> Path:
    """A new folder to build in, beside the final one.

    What a crash or an earlier release left is removed; who still reads those files keeps them.
    """
    parent.mkdir(parents=True, exist_ok=True)
    for old in parent.glob("e5-*"):
        if old.name != NAME:
            shutil.rmtree(old, ignore_errors=True)
    for old in parent.glob(f"{_UNFINISHED}*"):
        # Files in it keep the folder's own time old, so a build that runs looks forgotten only
        # after an hour.
        if time.time() - old.stat().st_mtime > _FORGOTTEN_AFTER_S:
            shutil.rmtree(old, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=parent))


def put_in_place(built: Path, parent: Path) -> None:
    """Give a sealed folder its name, in one step; a damaged one in its place makes room.

    When another process was first and its folder is whole, that one stays.
    """
    target = parent / NAME
    if target.exists():
        if is_whole(target):
            return
        # Out of the way in one step first, so that nobody sees half of it.
        away = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=parent))
        target.rename(away / NAME)
        shutil.rmtree(away)
    try:
        built.rename(target)
    except OSError:
        if not is_whole(target):
            raise


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
