"""Notes stored with an item, said in the reader's language: why it failed, what to know of it."""

from collections.abc import Mapping

from svod.foundation.errors import Language, Says
from svod.foundation.fetching.errors import FAILURES as FETCH_FAILURES
from svod.foundation.fetching.errors import fetch_failure
from svod.knowledge.items.item import Remark
from svod.knowledge.parsing.errors import FAILURES, reading_failure
from svod.knowledge.parsing.warned import WARNINGS

_FAILED: Mapping[str, tuple[Says, Says]] = {
    "cancelled": (
        Says("Its processing was cancelled.", "Обработка была отменена."),
        Says("Refresh it to start again.", "Чтобы начать снова, обновите его."),
    ),
    "gave_up": (
        Says("Its processing failed several times.", "Обработка несколько раз не удалась."),
        Says(
            "Refresh it to try again; if it fails again, look into the server's log.",
            "Обновите его, чтобы попробовать ещё раз; если не выйдет, посмотрите журнал сервера.",
        ),
    ),
    "model_unavailable": (
        Says("The meaning model did not answer.", "Модель смысла не ответила."),
        Says("It is found by words; refresh it later.", "По словам он находится; обновите позже."),
    ),
}
_UNKNOWN = (
    Says("Its processing failed ({code}).", "Обработка не удалась ({code})."),
    Says("Refresh it to try again.", "Обновите его, чтобы попробовать ещё раз."),
)
_NOTED = Says("To know: {code}.", "Обратите внимание: {code}.")


def tell_failure(note: Remark, language: Language) -> tuple[str, str | None]:
    """Why an item failed and what to do about it."""
    if note.code in FETCH_FAILURES:
        fetching = fetch_failure(note.code, note.facts)
        return fetching.message(language), fetching.advice(language)
    if note.code in FAILURES:
        failure = reading_failure(note.code, note.facts)
        return failure.message(language), failure.advice(language)
    says, hint = _FAILED.get(note.code, _UNKNOWN)
    facts = {"code": note.code, **note.facts}
    return says.text(language, **facts), hint.text(language, **facts)


def tell_warning(note: Remark, language: Language) -> str:
    """What to know of an item's reading."""
    says = WARNINGS.get(note.code, _NOTED)
    try:
        return says.text(language, **{"code": note.code, **note.facts})
    except KeyError:  # a fact that a newer or older release did not store
        return _NOTED.text(language, code=note.code)
