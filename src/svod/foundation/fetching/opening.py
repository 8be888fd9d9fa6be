"""A fetcher for this machine."""

from svod.foundation.fetching.fetcher import Fetcher
from svod.foundation.fetching.guard import Allowed, Guard, Names


def guarded_fetcher(allow: str) -> Fetcher:
    """A fetcher that asks the machine's name service; to be closed.

    Args:
        allow: hosts and networks that an administrator lets through, as in `SVOD_FETCH_ALLOW`.

    Raises:
        AllowUnfit: the list cannot be read.
    """
    names = Names()
    return Fetcher(Guard(names, Allowed.read(allow)), closing=names.close)
