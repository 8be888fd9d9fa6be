"""A SentencePiece vocabulary as a model's tokenizer."""

from collections.abc import Sequence
from pathlib import Path

from sentencepiece import SentencePieceProcessor

from svod.foundation.providers.folder.description import Tokens

_LONGEST_PIECE = 32
_NO_MARKER = -1


class Tokenizer:
    """A tokenizer read from its file; its methods may be called from any thread."""

    def __init__(self, path: Path, tokens: Tokens) -> None:
        self._pieces = SentencePieceProcessor(model_file=str(path))
        self._shift = tokens.shift
        self._own_unknown: int = self._pieces.unk_id()
        self._unknown = self._named(tokens.unknown, self._own_unknown)
        self._begin = self._marker(tokens.begin, self._pieces.bos_id())
        self._end = self._marker(tokens.end, self._pieces.eos_id())

    def encode(self, texts: Sequence[str], *, prefix: str, limit: int) -> list[list[int]]:
        """Ids of each text with its prefix and markers, 1..`limit` of them; the end is cut."""
        ready = [_plain(prefix + text[: limit * _LONGEST_PIECE]) for text in texts]
        room = limit - len(self._begin) - len(self._end)
        rows = [
            [*self._begin, *(self._id(own) for own in ids[:room]), *self._end]
            for ids in self._pieces.encode(ready)
        ]
        # A graph cannot read a row of nothing.
        return [row or [self._unknown] for row in rows]

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without prefix and markers."""
        return [len(ids) for ids in self._pieces.encode([_plain(text) for text in texts])]

    def _id(self, own: int) -> int:
        return self._unknown if own == self._own_unknown else own + self._shift

    def _named(self, given: int | None, own: int) -> int:
        return own + self._shift if given is None else given

    def _marker(self, given: int | None, own: int) -> list[int]:
        if given == _NO_MARKER or (given is None and own < 0):
            return []
        return [self._named(given, own)]


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
