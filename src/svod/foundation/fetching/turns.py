"""One request to a host at a time, and a pause between two."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

GAP_S = 1.0
_LEAST_WAIT_S = 0.1
_MOST_HOSTS = 1000


@dataclass(slots=True)
class _Turn:
    taken: bool = False
    free_at: float = 0.0
    refused: int = 0


@dataclass(slots=True)
class Turns:
    """Whose turn it is; of one process."""

    gap_s: float = GAP_S
    now: Callable[[], float] = monotonic
    _turns: dict[str, _Turn] = field(default_factory=dict[str, _Turn])

    def take(self, host: str) -> float:
        """Take a turn with a host: 0 if it is granted, else the seconds after which to ask again.

        Whoever is granted one calls `end`. Those who are refused are told different times, so that
        they do not all come back at once.
        """
        turn = self._turns.setdefault(host, _Turn())
        if not turn.taken and turn.free_at <= self.now():
            turn.taken, turn.refused = True, 0
            return 0.0
        turn.refused += 1
        wait_s = max(turn.free_at - self.now(), 0.0) + self.gap_s * turn.refused
        return max(wait_s, _LEAST_WAIT_S)

    def end(self, host: str) -> None:
        """Give the turn back."""
        now = self.now()
        turn = self._turns[host]
        turn.taken, turn.free_at = False, now + self.gap_s
        if len(self._turns) > _MOST_HOSTS:
            self._turns = {
                name: one for name, one in self._turns.items() if one.taken or one.free_at > now
            }
