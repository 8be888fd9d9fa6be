"""The built-in model as an `Embedder`: one session, one thread, questions first."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import structlog

from svod.foundation.errors import Unavailable
from svod.foundation.providers.batches import by_characters, by_tokens
from svod.foundation.providers.cores import usable_cores
from svod.foundation.providers.e5.card import DIMENSIONS, MAX_TOKENS, card
from svod.foundation.providers.e5.model import Model
from svod.foundation.providers.embedding import ModelCard, Purpose, Vectors
from svod.foundation.providers.errors import EmbeddingFailed, ModelNotLoaded
from svod.foundation.providers.requests import Request, Waiting

_QUERY, _PASSAGE = "query: ", "passage: "
_CLOSE_TIMEOUT_S = 10.0

_log = structlog.get_logger()


class BuiltinEmbedder:
    """multilingual-e5-small in 8 bits; its files are made in `folder` at first use.

    One embedder a process: its thread loads the model at the first call and runs batches of at
    most 1,000 tokens, the oldest question first, then the oldest of the rest.
    """

    def __init__(self, *, folder: Path, cores: int | None = None) -> None:
        """Remember where; nothing is loaded yet.

        Args:
            folder: where the model's files are kept, made when missing; 90 MB.
            cores: threads of computation; as many as the process may use by default.
        """
        self._model = Model(folder, cores=cores or usable_cores())
        self._waiting = Waiting()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._trouble: Unavailable | None = None

    @property
    def card(self) -> ModelCard:
        """Which model this is; known before it is loaded."""
        return card()

    @property
    def max_tokens(self) -> int:
        """How much of a text it reads."""
        return MAX_TOKENS

    @property
    def ready(self) -> bool:
        """Whether it answers without loading first."""
        return self._model.is_loaded

    @property
    def trouble(self) -> Unavailable | None:
        """Why it could not be loaded; None while it was not tried, or is loaded."""
        return self._trouble

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Vectors:
        """Turn texts into unit vectors, shape (len(texts), 384), in the order given.

        The same text gives the same vector in any company (to some 1e-6). A text over 512
        tokens, prefix counted, is cut at the end.

        Raises:
            Unavailable: the model cannot be loaded or was closed.
        """
        if not texts:
            return np.zeros((0, DIMENSIONS), np.float32)
        return await self._ask_for(list(texts), purpose)

    async def warm(self) -> None:
        """Load the model, in the background; returns when it is ready.

        Raises:
            Unavailable: the model cannot be loaded.
        """
        if not self.ready:
            await self._ask_for([], Purpose.ASK)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without prefix and markers; any thread, 5 MB a second.

        The first call loads the tokenizer, for which the files must be made.

        Raises:
            Unavailable: the files cannot be made or read.
        """
        return self._model.tokenizer().count(texts)

    async def aclose(self) -> None:
        """As `close`, from the loop."""
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Stop the thread after its batch; callers who wait get `EmbedderClosed`."""
        self._waiting.close()
        self._model.close()
        if self._thread is not None:
            self._thread.join(_CLOSE_TIMEOUT_S)

    async def _ask_for(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        loop = asyncio.get_running_loop()
        request = Request(texts, purpose, loop, loop.create_future())
        self._waiting.add(request)
        self._start()
        try:
            return await request.answer
        except asyncio.CancelledError:
            request.abandoned = True
            raise

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="embedding", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        running: dict[Request, Iterator[Vectors | None]] = {}
        while (request := self._waiting.first()) is not None:
            try:
                self._model.session()
            except Unavailable as failed:
                self._fail_all(failed)
            except Exception as failed:  # noqa: BLE001 - the edge: the thread must outlive it
                self._fail_all(ModelNotLoaded(reason=type(failed).__name__))
            else:
                self._trouble = None
                self._step(request, running)

    def _fail_all(self, failed: Unavailable) -> None:
        """All who wait, so that a hundred of them do not try a hundred times."""
        self._trouble = failed
        self._waiting.fail_all(failed)

    def _step(self, request: Request, running: dict[Request, Iterator[Vectors | None]]) -> None:
        for left in [old for old in running if old.abandoned]:
            del running[left]
        steps = running.setdefault(request, self._steps(request))
        try:
            vectors = next(steps)
        except Exception as failed:  # noqa: BLE001 - the edge
            # One request that fails must not stop the others.
            _log.exception("model.failed", texts=len(request.texts))
            request.fail(EmbeddingFailed(reason=type(failed).__name__))
        else:
            if vectors is None:
                return
            request.resolve(vectors)
        del running[request]
        self._waiting.remove(request)

    def _steps(self, request: Request) -> Iterator[Vectors | None]:
        """Work in bounded steps; the last one gives the vectors."""
        tokenizer, session = self._model.tokenizer(), self._model.session()
        rows: list[list[int]] = []
        prefix = _QUERY if request.purpose is Purpose.ASK else _PASSAGE
        for group in by_characters(request.texts):
            rows += tokenizer.encode(group, prefix=prefix, limit=MAX_TOKENS)
            yield None
        vectors = np.zeros((len(rows), DIMENSIONS), np.float32)
        for places in by_tokens([len(row) for row in rows]):
            vectors[places] = session.run([rows[place] for place in places])
            yield None
        yield vectors
