"""A model that runs in this process as an `Embedder`: one session, one thread, questions first."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import structlog

from svod.foundation.errors import Unavailable
from svod.foundation.providers.batches import by_characters, by_tokens
from svod.foundation.providers.embedding import Purpose, Vectors
from svod.foundation.providers.errors import EmbeddingFailed, ModelFailed, ModelNotLoaded
from svod.foundation.providers.requests import Request, Waiting

_CLOSE_TIMEOUT_S = 10.0

_NONE: Vectors = np.zeros((0, 0), np.float32)

_log = structlog.get_logger()


class Tokenizes(Protocol):
    """Cuts texts into the ids of a model."""

    def encode(self, texts: Sequence[str], *, prefix: str, limit: int) -> list[list[int]]:
        """Ids of each text with its prefix and markers, 1..`limit` of them; the end is cut."""
        ...

    def count(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, without prefix and markers."""
        ...


class Runs(Protocol):
    """Turns rows of ids into vectors."""

    def run(self, rows: Sequence[Sequence[int]]) -> Vectors:
        """Unit vectors of rows that are equally long."""
        ...


class LocalModel(Protocol):
    """A model on this machine: loads at first use, each part once, from any thread."""

    @property
    def is_loaded(self) -> bool: ...
    def tokenizer(self) -> Tokenizes: ...
    def session(self) -> Runs: ...
    def close(self) -> None: ...


class LocalEmbedder:
    """Runs a local model in a thread of its own.

    One embedder a model and process: its thread loads the model at the first call and runs batches
    of at most 1,000 tokens, the oldest question first, then the oldest of the rest.
    """

    def __init__(
        self, model: LocalModel, *, query_prefix: str, passage_prefix: str, max_tokens: int
    ) -> None:
        """Remember it; nothing is loaded yet."""
        self._model = model
        self._query_prefix = query_prefix
        self._passage_prefix = passage_prefix
        self._max_tokens = max_tokens
        self._waiting = Waiting()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._trouble: Unavailable | None = None

    @property
    def max_tokens(self) -> int:
        """How much of a text it reads."""
        return self._max_tokens

    @property
    def ready(self) -> bool:
        """Whether it answers without loading first."""
        return self._model.is_loaded

    @property
    def trouble(self) -> Unavailable | None:
        """Why it could not be loaded; None while it was not tried, or is loaded."""
        return self._trouble

    async def warm(self) -> None:
        """Load the model, in the background; returns when it is ready.

        Raises:
            Unavailable: the model cannot be loaded.
        """
        if not self.ready:
            await self.vectors_of([], Purpose.ASK)

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

    async def vectors_of(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """The vectors of texts, whatever is known of the model."""
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
        except ModelFailed as failed:
            request.fail(failed)
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
        is_query = request.purpose is Purpose.ASK
        prefix = self._query_prefix if is_query else self._passage_prefix
        for group in by_characters(request.texts):
            rows += tokenizer.encode(group, prefix=prefix, limit=self._max_tokens)
            yield None
        done: dict[int, Vectors] = {}
        for places in by_tokens([len(row) for row in rows]):
            vectors = session.run([rows[place] for place in places])
            done |= zip(places, vectors, strict=True)
            yield None
        yield np.stack([done[place] for place in range(len(rows))]) if rows else _NONE
