"""Why a job waits."""

from enum import StrEnum

from svod.foundation.errors import Says


class WaitingReason(StrEnum):
    """Why what is queued does not run yet."""

    NO_WORKER = "no_worker"
    BUSY = "busy"
    DISK_FULL = "disk_full"
    MEANING_UNAVAILABLE = "meaning_unavailable"
    MEANING_KEY_REFUSED = "meaning_key_refused"

    @classmethod
    def named(cls, name: str | None) -> "WaitingReason | None":
        """The reason of a stored name; None where there is none, or another release's."""
        return next((reason for reason in cls if reason.value == name), None)

    @property
    def says(self) -> Says:
        """The reason, for a person."""
        match self:
            case WaitingReason.NO_WORKER:
                return Says(
                    "No worker is running; start one with `svod up`.",
                    "Нет работающего обработчика; запустите его командой `svod up`.",
                )
            case WaitingReason.DISK_FULL:
                return Says(
                    "The server's disk is full; free some space, and it goes on by itself.",
                    "Диск сервера заполнен; освободите место, и работа продолжится сама.",
                )
            case WaitingReason.BUSY:
                return Says("Other work comes before it.", "Перед этим есть другая работа.")
            case WaitingReason.MEANING_UNAVAILABLE:
                return Says(
                    "The meaning model does not answer; it is found by words, its meaning follows.",
                    "Модель смысла не отвечает: материал находится по словам, смысл добавится позже.",
                )
            case WaitingReason.MEANING_KEY_REFUSED:
                return Says(
                    "The embeddings endpoint refuses its key; it is found by words. The operator has "
                    "to set SVOD_EMBEDDINGS_KEY.",
                    "Сервис эмбеддингов не принимает ключ: материал находится по словам. Оператору "
                    "нужно задать SVOD_EMBEDDINGS_KEY.",
                )
