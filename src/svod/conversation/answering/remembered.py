"""Vectors of sentences that were compared lately: the evidence of one question is that of the next."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from svod.foundation.ids import WorkspaceId

MOST_SENTENCES = 8_192
"""12 MB of the built-in model's vectors."""

Vector = NDArray[np.float32]
_Key = tuple[str, WorkspaceId, bytes]


class Remembered:
    """The vectors used last, by model, workspace and a hash of the text; in memory only.

    Nothing is shared between workspaces (R8): whether a sentence was compared before must not show
    in how soon another workspace is answered.
    """

    def __init__(self, most: int = MOST_SENTENCES) -> None:
        self._most = most
        self._kept: OrderedDict[_Key, Vector] = OrderedDict()
        self._lock = threading.Lock()

    def known(
        self, card: str, texts: Sequence[tuple[WorkspaceId, str]]
    ) -> dict[tuple[WorkspaceId, str], Vector]:
        """Those of the texts whose vectors are still here."""
        found: dict[tuple[WorkspaceId, str], Vector] = {}
        with self._lock:
            for workspace_id, text in texts:
                key = _key(card, workspace_id, text)
                if key in self._kept:
                    self._kept.move_to_end(key)
                    found[workspace_id, text] = self._kept[key]
        return found

    def keep(self, card: str, vectors: Mapping[tuple[WorkspaceId, str], Vector]) -> None:
        """Remember vectors; the oldest are forgotten."""
        with self._lock:
            for (workspace_id, text), vector in vectors.items():
                self._kept[_key(card, workspace_id, text)] = vector
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


def _key(card: str, workspace_id: WorkspaceId, text: str) -> _Key:
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return (card, workspace_id, digest)
