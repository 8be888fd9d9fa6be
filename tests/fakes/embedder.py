"""An embedder without a model: texts that share words or their beginnings lie close."""

import asyncio
import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence

import numpy as np

from svod.foundation.errors import Unavailable
from svod.foundation.providers import ModelCard, Purpose, Vectors

DIMENSIONS = 64
MAX_TOKENS = 512
_TOKEN = re.compile(r"\w+|[^\w\s]")
_STEM_LETTERS = 5
_PURPOSE_WEIGHT = 0.05


class HashEmbedder:
    """Keeps the promises of an `Embedder` at no cost; the same text always gives the same vector.

    A text is the sum of random signs, one row a stem and a run of three letters. It knows no
    meaning: a translation is as far as any other text.
    """

    def __init__(self) -> None:
        self.closed = False

    @property
    def card(self) -> ModelCard:
        return ModelCard(
            name="hash:64",
            dimensions=DIMENSIONS,
            max_tokens=MAX_TOKENS,
            sha256=hashlib.sha256(b"hash:64").hexdigest(),
            # Signs are even, so vectors spread alike in every direction.
            prior_mean=np.zeros(DIMENSIONS, np.float32),
            prior_covariance=np.eye(DIMENSIONS, dtype=np.float32) / DIMENSIONS,
        )

    @property
    def max_tokens(self) -> int:
        return MAX_TOKENS

    @property
    def ready(self) -> bool:
        return not self.closed

    @property
    def trouble(self) -> Unavailable | None:
        return None

    async def warm(self) -> None:
        return

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        # As the real one, it lets others run, and may be cancelled here.
        await asyncio.sleep(0)
        rows = [self._vector(text, purpose) for text in texts]
        return np.array(rows, np.float32).reshape(len(rows), DIMENSIONS)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(_tokens(text)) for text in texts]

    async def aclose(self) -> None:
        self.closed = True

    def _vector(self, text: str, purpose: Purpose) -> Vectors:
        kind = Purpose.ASK if purpose is Purpose.ASK else Purpose.STORE
        total = _PURPOSE_WEIGHT * _signs(f"purpose {kind}")
        for token in _tokens(text)[:MAX_TOKENS]:
            for feature, weight in _features(token):
                total = total + weight * _signs(feature)
        return (total / np.linalg.norm(total)).astype(np.float32)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold().replace("ё", "е"))


def _features(token: str) -> Iterator[tuple[str, float]]:
    yield f"stem {token[:_STEM_LETTERS]}", 1.0
    runs = [token[at : at + 3] for at in range(len(token) - 2)]
    for run in runs:
        yield f"run {run}", 1 / len(runs)


def _signs(feature: str) -> np.ndarray:
    digest = hashlib.blake2b(feature.encode(errors="replace"), digest_size=DIMENSIONS // 8).digest()
    return np.unpackbits(np.frombuffer(digest, np.uint8)).astype(np.float64) * 2 - 1
