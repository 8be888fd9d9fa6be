"""What a job is, and what a room gives to have it done."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from svod.foundation.errors import Says, Unavailable

Arguments = dict[str, int | str]
"""Ids, numbers and machine names; never a user's words, for the queue stores them in the clear."""

Handler = Callable[[Arguments], Awaitable[None]]
"""Does a job. Returning ends it; an exception has it done again later."""

GaveUp = Callable[[Arguments, Exception | None], Awaitable[None]]
"""Says that a job will not be done: told its last failure, or None if its processes just died."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done once the transaction that queues it has committed.

    Attributes:
        name: whose handler does it.
        arguments: what it is about.
        queue: a worker may serve some queues only.
        priority: higher runs first.
        lock: jobs of one lock run one at a time, in the order queued.
        once: while one with this mark waits, queuing another does nothing.
        delay_s: not before that many seconds have passed.
    """

    name: str
    arguments: Arguments = field(default_factory=dict[str, int | str])
    queue: str = "default"
    priority: int = 0
    lock: str | None = None
    once: str | None = None
    delay_s: float = 0.0


class Later(Unavailable):
    """Raised by a handler that cannot work now: the job waits, and no attempt is counted."""

    code = "jobs.later"
    says = Says("This has to wait {wait_s} s.", "Нужно подождать {wait_s} с.")

    def __init__(self, wait_s: float) -> None:
        self.wait_s = wait_s
        super().__init__(wait_s=wait_s)
