"""What can be wrong with a request before any room sees it."""

from svod.foundation.errors import Conflict, Denied, Exhausted, Invalid, NotFound, Says


class Malformed(Invalid):
    """The request cannot be read at all: HTTP says 400, not 422."""


class NotJson(Malformed):
    """The body is not JSON in UTF-8."""

    code = "api.not_json"
    says = Says("The body is not valid JSON in UTF-8.", "Тело запроса не является JSON в UTF-8.")


class TooDeep(Malformed):
    """JSON nested so deep that nothing we take looks like it."""

    code = "api.json_too_deep"
    says = Says("The JSON is nested too deeply.", "JSON вложен слишком глубоко.")


class UnfitText(Invalid):
    """Text holds a NUL or half of a surrogate pair, which no text can be stored with."""

    code = "api.unfit_text"
    says = Says(
        "The text holds a NUL character or half of a surrogate pair, which cannot be stored.",
        "В тексте есть символ NUL или половина суррогатной пары: так его не сохранить.",
    )
    hint = Says("Remove the broken character.", "Удалите испорченный символ.")


class NotMultipart(Malformed):
    """A file does not come as multipart/form-data that can be read."""

    code = "api.not_multipart"
    says = Says(
        "A file is sent as multipart/form-data with a part named `file`.",
        "Файл передаётся как multipart/form-data, частью с именем `file`.",
    )


class BodyTooLarge(Exhausted):
    """The body is larger than this operation takes; it was not read."""

    code = "api.body_too_large"
    says = Says(
        "The body is larger than the {limit_mb} MB that this takes.",
        "Тело запроса больше {limit_mb} МБ, которые здесь принимаются.",
    )
    hint = Says("Split it into smaller parts.", "Разделите его на части поменьше.")


class HostRefused(Denied):
    """The Host header names something that this server is not called."""

    code = "api.host_refused"
    says = Says(
        "This server does not answer to that host name.", "Этот сервер не отвечает на такое имя."
    )
    hint = Says(
        "Call it by its address, or start it with SVOD_HOST set to that name.",
        "Обращайтесь по адресу или запустите сервер с этим именем в SVOD_HOST.",
    )


class NoSuchRoute(NotFound):
    """No operation has this path."""

    code = "api.no_such_path"
    says = Says("There is no such address in the API.", "В API нет такого адреса.")
    hint = Says("GET /api/openapi.json lists them.", "Все перечислены в GET /api/openapi.json.")


class WrongMethod(Invalid):
    """The path is there, but takes other methods."""

    code = "api.wrong_method"
    says = Says("This address takes {allowed}.", "Этот адрес принимает {allowed}.")


class BadIfMatch(Malformed):
    """`If-Match` holds no revision."""

    code = "api.bad_if_match"
    says = Says(
        'If-Match holds one revision, as the ETag gave it: "3".',
        'If-Match содержит одну ревизию, как в ETag: "3".',
    )


class BadIdempotencyKey(Malformed):
    """`Idempotency-Key` is empty or too long."""

    code = "api.bad_idempotency_key"
    says = Says(
        "Idempotency-Key is 1 to 200 printable ASCII characters.",
        "Idempotency-Key: от 1 до 200 печатных знаков ASCII.",
    )


class SecretShown(Conflict):
    """A key was made already with this idempotency key; its secret is not kept."""

    code = "api.secret_shown"
    says = Says(
        "This key was made already, and its secret is shown only once.",
        "Этот ключ уже создан, а его секрет показывается только один раз.",
    )
    hint = Says("Revoke it and make another.", "Отзовите его и создайте другой.")


class NothingToChange(Invalid):
    """A change names nothing."""

    code = "api.nothing_to_change"
    says = Says(
        "Name at least one of {fields}.",
        "Укажите хотя бы одно из {fields}.",
    )


class FieldsInvalid(Invalid):
    """Fields of the request do not fit; `errors` says which and why."""

    code = "api.fields_invalid"
    says = Says("Some fields do not fit.", "Некоторые поля не подходят.")


class TooManyRequests(Exhausted):
    """One caller asks faster than the server lets him."""

    code = "api.too_many_requests"
    says = Says("Too many requests in a short time.", "Слишком много запросов за короткое время.")
    hint = Says(
        "Wait a moment; SVOD_REQUESTS_PER_MINUTE sets the limit.",
        "Немного подождите; предел задаёт SVOD_REQUESTS_PER_MINUTE.",
    )
