"""What an endpoint replied, read with distrust."""

import base64
import binascii
import json
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from svod.foundation.providers.embedding import Vectors
from svod.foundation.providers.errors import EndpointUnfit

_SHORTEST = 1e-6
"""A vector shorter than this points nowhere."""
_MOST_DIMENSIONS = 4000
"""What fits into a row of the database beside the rest."""


def vectors_of(body: bytes, *, texts: int, dimensions: int | None) -> Vectors:
    """The vectors of a reply in the order of the texts, each of unit length; some 20 ms.

    Raises:
        EndpointUnfit: it is no such reply, or a vector is missing, of another size, not finite or
            of no length.
    """
    rows = _rows(body, texts)
    sizes = {len(row) for row in rows}
    if len(sizes) != 1:
        raise EndpointUnfit(reason="vectors of different sizes")
    (size,) = sizes
    if size == 0 or (dimensions is not None and size != dimensions):
        raise EndpointUnfit(reason=f"{size} dimensions in place of {dimensions}")
    if size > _MOST_DIMENSIONS:
        raise EndpointUnfit(reason=f"{size} dimensions; at most {_MOST_DIMENSIONS} are kept")
    vectors = np.stack(rows)
    if not np.isfinite(vectors).all():
        raise EndpointUnfit(reason="a number that is not finite")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if lengths.min() < _SHORTEST:
        raise EndpointUnfit(reason="a vector of no length")
    return (vectors / lengths).astype(np.float32)


def _rows(body: bytes, texts: int) -> list[NDArray[np.float64]]:
    try:
        data = cast("list[dict[str, Any]]", json.loads(body)["data"])
        placed = {int(entry.get("index", at)): entry["embedding"] for at, entry in enumerate(data)}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise EndpointUnfit(reason="no list of vectors") from None
    if len(data) != texts or placed.keys() != set(range(texts)):
        raise EndpointUnfit(reason=f"{len(data)} vectors for {texts} texts")
    try:
        return [_row(placed[at]) for at in range(texts)]
    except (ValueError, TypeError, binascii.Error):
        raise EndpointUnfit(reason="a vector that is no list of numbers") from None


def _row(given: object) -> NDArray[np.float64]:
    if isinstance(given, str):
        # Some servers know base64 only, whatever was asked for.
        return np.frombuffer(base64.b64decode(given, validate=True), "<f4").astype(np.float64)
    row = np.asarray(given, np.float64)
    if row.ndim != 1:
        raise ValueError
    return row


def error_code(body: bytes) -> str:
    """The machine name of a refusal, if the reply gives one; its prose may repeat our texts."""
    try:
        error = cast("dict[str, Any]", json.loads(body)["error"])
        code = str(error.get("code") or error.get("type") or "")
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""
    return code if code.isascii() and code.replace("_", "").isalnum() and len(code) < 50 else ""  # noqa: PLR2004
