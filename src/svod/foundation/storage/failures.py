"""The driver's failures, told as ours; the one place that reads them."""

from collections.abc import Generator
from contextlib import contextmanager

from psycopg import Error, InterfaceError, OperationalError, errors
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from svod.foundation.errors import SvodError
from svod.foundation.storage.errors import Contended, DatabaseBusy, DatabaseGone, DiskFull

_CONTENDED = (errors.SerializationFailure, errors.DeadlockDetected, errors.LockNotAvailable)
_BUSY = (PoolTimeout, TooManyRequests, errors.QueryCanceled, errors.TooManyConnections)
_FULL = (errors.DiskFull,)


@contextmanager
def told() -> Generator[None]:
    """Raise what the driver cannot help as a failure of ours; programming errors pass through."""
    try:
        yield
    except (Error, PoolTimeout, PoolClosed) as error:
        ours = _ours(error)
        if ours is None:
            raise
        raise ours from error


def _ours(error: Exception) -> SvodError | None:
    if isinstance(error, _FULL):
        return DiskFull()
    if isinstance(error, _CONTENDED):
        return Contended()
    if isinstance(error, _BUSY):
        return DatabaseBusy()
    if isinstance(error, (OperationalError, InterfaceError, PoolClosed)):
        return DatabaseGone()
    return None
