"""The model made ready: its files in place, its tokenizer and its session loaded."""

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import structlog

from svod.foundation.providers.e5 import folder
from svod.foundation.providers.e5.tokenizer import Tokenizer
from svod.foundation.providers.e5.weights import locate
from svod.foundation.providers.errors import ModelNotBuilt, ModelNotLoaded

if TYPE_CHECKING:
    from svod.foundation.providers.e5.session import Session

_log = structlog.get_logger()
_BUILD_TIMEOUT_S = 300.0
_Part = TypeVar("_Part")


class Model:
    """Loads tokenizer and session at first use, each once; from any thread.

    What fails is tried again at the next use.
    """

    def __init__(self, parent: Path, *, cores: int) -> None:
        self._parent = parent
        self._cores = cores
        self._loading = threading.Lock()
        self._prepared = False
        self._tokenizer: Tokenizer | None = None
        self._session: Session | None = None
        self._building: subprocess.Popen[str] | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether the session is there."""
        return self._session is not None

    def tokenizer(self) -> Tokenizer:
        """The tokenizer; the first call may take seconds.

        Raises:
            Unavailable: the files cannot be made or read.
        """
        if self._tokenizer is None:
            with self._loading:
                if self._tokenizer is None:
                    self._tokenizer = self._loaded(Tokenizer, folder.TOKENIZER)
        return self._tokenizer

    def session(self) -> "Session":
        """The session; the first call may take seconds.

        Raises:
            Unavailable: the files cannot be made or read.
        """
        if self._session is None:
            with self._loading:
                if self._session is None:
                    self._session = self._loaded(self._open_session, folder.GRAPH)
        return self._session

    def close(self) -> None:
        """Stop a build that runs; what is loaded goes when nobody holds it."""
        if self._building is not None:
            self._building.kill()

    def _loaded(self, load: Callable[[Path], _Part], name: str) -> _Part:
        self._prepare()
        try:
            return load(self._parent / folder.NAME / name)
        except Exception as failed:
            # The runtimes raise classes of their own. Files may have been damaged since they
            # were checked, so the next use checks them again.
            self._prepared = False
            raise ModelNotLoaded(reason=type(failed).__name__) from failed

    def _open_session(self, graph: Path) -> "Session":
        # Imported here: the runtime is large, and a server without meaning never needs it.
        from svod.foundation.providers.e5.session import Session  # noqa: PLC0415

        return Session(graph, cores=self._cores)

    def _prepare(self) -> None:
        """Have whole files in the folder."""
        if self._prepared:
            return
        if not folder.is_whole(self._parent / folder.NAME):
            self._build()
        self._prepared = True

    def _build(self) -> None:
        locate()
        _log.info("model.building", model=folder.NAME)
        command = [sys.executable, "-P", "-m", "svod.foundation.providers.e5.build"]
        try:
            self._building = subprocess.Popen(  # noqa: S603 - our own module, no shell
                [*command, str(self._parent)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                text=True,
            )  # fmt: skip
        except OSError as failed:
            raise ModelNotBuilt(reason=type(failed).__name__) from failed
        with self._building as child:
            try:
                _, said = child.communicate(timeout=_BUILD_TIMEOUT_S)
            except subprocess.TimeoutExpired as late:
                child.kill()
                raise ModelNotBuilt(reason=f"not done in {_BUILD_TIMEOUT_S:.0f} s") from late
        if child.returncode:
            last = said.strip().rpartition("\n")[2]
            _log.error("model.build_failed", status=child.returncode, last=last)
            raise ModelNotBuilt(reason=_why(child.returncode, last))
        if not folder.is_whole(self._parent / folder.NAME):
            raise ModelNotBuilt(reason="the files are not whole")


def _why(status: int, last: str) -> str:
    if status < 0:
        return f"stopped by signal {-status}"
    # The last line of a traceback: the class and its message; the class alone holds no path.
    return last.partition(":")[0].rpartition(".")[2] or f"exit status {status}"
