"""Work for later: queued in the transaction of the row it is about, done at least once.

Takes a `Database` and handlers by name; gives `Jobs`. It promises that a job exists exactly if the
transaction that queued it committed; that a job of a process that died runs again within seconds;
that the same job, and two jobs of one lock, never run at once; and that one which fails again and
again ends in its room's `gave_up`. A handler may run again from the start, so it must not mind:
`Steps` keeps what it has finished. The queue's own tables hold names, ids and numbers only.
"""

from svod.foundation.jobs.job import Arguments, GaveUp, Handler, Job, Later
from svod.foundation.jobs.queue import Jobs
from svod.foundation.jobs.steps import Steps
from svod.foundation.jobs.waiting import WaitingReason

__all__ = ["Arguments", "GaveUp", "Handler", "Job", "Jobs", "Later", "Steps", "WaitingReason"]
