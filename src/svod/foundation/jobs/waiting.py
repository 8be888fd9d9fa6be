"""Why a job waits."""

from enum import StrEnum

from svod.foundation.errors import Says


class WaitingReason(StrEnum):
    """Why what is queued does not run yet."""

    NO_WORKER = "no_worker"
    BUSY = "busy"

    @property
    def says(self) -> Says:
        """The reason, for a person."""
        match self:
            case WaitingReason.NO_WORKER:
                return Says(
                    "No worker is running; start one with `svod up`.",
                    "Нет работающего обработчика; запустите его командой `svod up`.",
                )
            case WaitingReason.BUSY:
                return Says("Other work comes before it.", "Перед этим есть другая работа.")
