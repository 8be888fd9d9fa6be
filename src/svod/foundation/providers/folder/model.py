"""A folder's model made ready: tokenizer and session, each loaded once."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from svod.foundation.errors import Invalid
from svod.foundation.providers.errors import FolderUnusable, ModelFailed
from svod.foundation.providers.folder.description import GRAPH, Description, describe
from svod.foundation.providers.folder.tokenizer import Tokenizer

if TYPE_CHECKING:
    from svod.foundation.providers.folder.session import Session

_Part = TypeVar("_Part")


class Model:
    """Loads at first use, from any thread; what fails is tried again at the next use."""

    def __init__(self, path: Path, *, cores: int) -> None:
        self._path = path
        self._cores = cores
        self._loading = threading.Lock()
        self._tokenizer: Tokenizer | None = None
        self._session: Session | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether the session is there."""
        return self._session is not None

    def description(self) -> Description:
        """What the folder holds now.

        Raises:
            FolderUnusable: it is not complete any more.
        """
        try:
            return describe(self._path)
        except Invalid as unfit:
            raise FolderUnusable(reason=unfit.message()) from unfit

    def tokenizer(self) -> Tokenizer:
        """The tokenizer.

        Raises:
            FolderUnusable: it cannot be loaded.
        """
        with self._loading:
            if self._tokenizer is None:
                self._tokenizer = _loaded(self._open_tokenizer)
            return self._tokenizer

    def session(self) -> "Session":
        """The session; the first call may take seconds.

        Raises:
            FolderUnusable: it cannot be loaded.
        """
        with self._loading:
            if self._session is None:
                self._session = _loaded(self._open_session)
            return self._session

    def close(self) -> None:
        """What is loaded goes when nobody holds it."""

    def _open_tokenizer(self) -> Tokenizer:
        known = self.description()
        return Tokenizer(known.vocabulary, known.about.tokens)

    def _open_session(self) -> "Session":
        # Imported here: the runtime is large, and a server without meaning never needs it.
        from svod.foundation.providers.folder.session import Session  # noqa: PLC0415

        return Session(self._path / GRAPH, self.description().about, cores=self._cores)


def _loaded(load: Callable[[], _Part]) -> _Part:
    try:
        return load()
    except ModelFailed:
        raise
    except Exception as failed:
        # The runtimes raise classes of their own.
        raise FolderUnusable(reason=type(failed).__name__) from failed
