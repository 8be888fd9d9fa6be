"""What waits while a backup is made: removing stored files, and sealing them anew."""

from svod.foundation.storage.statements import Statements
from svod.foundation.storage.transaction import Transaction

SQL = Statements(__package__ or "")

STANDSTILL = 0x53764F65
"""The advisory lock that a backup holds alone, and whoever removes files shares."""


async def files_may_change(tx: Transaction) -> bool:
    """Whether stored files may be removed or replaced until this transaction ends."""
    return bool(await tx.value(SQL.share_standstill, {"lock": STANDSTILL}))
