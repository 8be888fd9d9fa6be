"""Time, asked of one place, so that a test can hold it still."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The moment, in UTC."""
        ...


class SystemClock:
    """The machine's own time."""

    def now(self) -> datetime:
        """The moment, in UTC."""
        return datetime.now(UTC)  # noqa: TID251 - the one place that asks the machine
