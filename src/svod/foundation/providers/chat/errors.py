"""What can go wrong between us and a language model.

All are `Unavailable`: whoever asks goes on without the model. What the endpoint says in words stays
out of them, for it may quote the prompt.
"""

from svod.foundation.errors import Invalid, Says, Unavailable

_LOOK = Says(
    "Look whether the endpoint in SVOD_MODEL_URL answers, and at its log.",
    "Проверьте, отвечает ли адрес из SVOD_MODEL_URL, и посмотрите его журнал.",
)


class ModelUnreachable(Unavailable):
    """The endpoint does not answer, is overloaded or fails, after every try."""

    code = "providers.model_unreachable"
    says = Says(
        "The language model did not answer ({reason}; tries: {tries}).",
        "Языковая модель не ответила ({reason}; попыток: {tries}).",
    )
    hint = _LOOK


class ModelRejected(Unavailable):
    """The endpoint does not take the request: the key, the model's name or a setting is wrong."""

    code = "providers.model_rejected"
    says = Says(
        "The language model's endpoint rejected the request ({reason}).",
        "Сервер языковой модели отклонил запрос ({reason}).",
    )
    hint = Says(
        "Check SVOD_MODEL_URL, SVOD_MODEL, SVOD_MODEL_KEY and SVOD_MODEL_CONTEXT_TOKENS.",
        "Проверьте SVOD_MODEL_URL, SVOD_MODEL, SVOD_MODEL_KEY и SVOD_MODEL_CONTEXT_TOKENS.",
    )


class ModelBrokeOff(Unavailable):
    """The reply began and did not come to its end."""

    code = "providers.model_broke_off"
    says = Says(
        "The language model broke off ({reason}).", "Языковая модель оборвала ответ ({reason})."
    )
    hint = _LOOK


class ModelSettingsUnfit(Invalid):
    """The settings of the language model do not go together."""

    code = "providers.model_settings_unfit"
    says = Says(
        "The settings of the language model do not fit: {why}.",
        "Настройки языковой модели не подходят: {why}.",
    )
    hint = Says(
        "SVOD_MODEL_URL is the address up to and with /v1, SVOD_MODEL the model's name there.",
        "SVOD_MODEL_URL — адрес вместе с /v1, SVOD_MODEL — имя модели на нём.",
    )
