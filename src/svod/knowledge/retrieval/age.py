"""How old what an item says is, and why it may be out of date (R19c)."""

from datetime import datetime
from typing import Protocol

from svod.knowledge.items.item import Status
from svod.knowledge.retrieval.plan import Stale


class Dated(Protocol):
    """A row of an item in the version that serves."""

    @property
    def version(self) -> int: ...
    @property
    def newest(self) -> int: ...
    @property
    def status(self) -> str: ...
    @property
    def version_at(self) -> datetime: ...


def age_days(row: Dated, now: datetime) -> int:
    """Whole days since the version came."""
    return max((now - row.version_at).days, 0)


def stale(row: Dated) -> Stale | None:
    """Why a newer text is to be expected; None where what serves is the newest there is."""
    failed = row.status == Status.FAILED
    if row.newest > row.version:
        return Stale.NEWER_FAILED if failed else Stale.NEWER_WAITS
    return Stale.REFRESH_FAILED if failed else None
