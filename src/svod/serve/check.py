"""One check of `svod doctor`."""

from dataclasses import dataclass

from svod.foundation.errors import Says


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, whether it is well, what was seen, and what to do."""

    name: Says
    well: bool
    seen: Says
    advice: Says | None = None
