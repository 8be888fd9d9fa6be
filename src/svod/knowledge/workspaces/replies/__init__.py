"""What was answered to creations that carry an idempotency key (I1), kept sealed for a day.

Takes a caller, a key of his and a fingerprint of what he asks; gives the reply of the first time.
"""

from svod.knowledge.workspaces.replies.postgres import forget_made
from svod.knowledge.workspaces.replies.replies import (
    KeyReused,
    MadeBefore,
    Receipt,
    Replies,
    Reply,
    StillRunning,
)

__all__ = ["KeyReused", "MadeBefore", "Receipt", "Replies", "Reply", "StillRunning", "forget_made"]
