"""What a reading child may use, set by itself before it touches a file."""

import contextlib
import ctypes
import os
import resource
import signal
from dataclasses import dataclass
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38
_CLONE_NEWNET = 0x40000000
_CLONE_NEWUSER = 0x10000000
MOST_FILES = 64


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one child."""

    memory_mb: int
    timeout_s: float


def leave_network() -> bool:
    """Move this process to a network of its own, where nothing can be reached; False if not allowed.

    The children inherit it. An ordinary user may do so only together with a user namespace, which
    some systems forbid; then the other limits have to do.
    """
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        return libc.unshare(_CLONE_NEWNET) == 0 or libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) == 0
    except (OSError, AttributeError):
        return False


def confine(limits: Limits, *, parent: int) -> None:
    """Confine the calling process, a child of `parent`, for good."""
    os.setsid()
    die_with(parent)
    memory = limits.memory_mb << 20
    seconds = int(limits.timeout_s) + 1
    _lower(resource.RLIMIT_AS, memory)
    _lower(resource.RLIMIT_CPU, seconds, seconds + 2)
    # Nothing is written to disk: not a text, not a core.
    _lower(resource.RLIMIT_FSIZE, 0)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, MOST_FILES)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        # When the machine runs out of memory, this process goes first, not the server.
        Path("/proc/self/oom_score_adj").write_bytes(b"1000")
    with contextlib.suppress(OSError):
        os.nice(5)


def _lower(limit: int, soft: int, hard: int | None = None) -> None:
    hard = soft if hard is None else hard
    allowed = resource.getrlimit(limit)[1]
    if allowed != resource.RLIM_INFINITY:
        soft, hard = min(soft, allowed), min(hard, allowed)
    resource.setrlimit(limit, (soft, hard))


def die_with(parent: int) -> None:
    """End this process when its parent ends. A fork of it does not inherit that."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    except (OSError, AttributeError):
        return
    if os.getppid() != parent:
        # It died between the fork and the line above.
        os._exit(0)
