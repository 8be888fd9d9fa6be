"""What pydantic found wrong, said in both languages."""

from collections.abc import Mapping, Sequence
from typing import Any

from svod.foundation.errors import Language, Says
from svod.interfaces.api.problems import FieldError

_OTHER = Says("This value does not fit.", "Это значение не подходит.")
_SAID: Mapping[str, Says] = {
    "missing": Says("This is needed.", "Это поле обязательно."),
    "extra_forbidden": Says("There is no such field.", "Такого поля нет."),
    "string_type": Says("A string is needed.", "Нужна строка."),
    "string_too_short": Says(
        "At least {min_length} characters are needed.", "Нужно не меньше {min_length} знаков."
    ),
    "string_too_long": Says(
        "At most {max_length} characters fit.", "Помещается не больше {max_length} знаков."
    ),
    "string_pattern_mismatch": Says(
        "This must look like {pattern}.", "Значение должно иметь вид {pattern}."
    ),
    "int_type": Says("A whole number is needed.", "Нужно целое число."),
    "int_parsing": Says("A whole number is needed.", "Нужно целое число."),
    "int_from_float": Says("A whole number is needed.", "Нужно целое число."),
    "int_parsing_size": Says("The number is too large.", "Число слишком велико."),
    "float_type": Says("A number is needed.", "Нужно число."),
    "float_parsing": Says("A number is needed.", "Нужно число."),
    "finite_number": Says("A finite number is needed.", "Нужно конечное число."),
    "bool_type": Says("true or false is needed.", "Нужно true или false."),
    "bool_parsing": Says("true or false is needed.", "Нужно true или false."),
    "greater_than": Says("This must be above {gt}.", "Нужно значение больше {gt}."),
    "greater_than_equal": Says("This must be at least {ge}.", "Нужно значение не меньше {ge}."),
    "less_than": Says("This must be below {lt}.", "Нужно значение меньше {lt}."),
    "less_than_equal": Says("This must be at most {le}.", "Нужно значение не больше {le}."),
    "too_short": Says("At least {min_length} are needed.", "Нужно не меньше {min_length}."),
    "too_long": Says("At most {max_length} are taken.", "Принимается не больше {max_length}."),
    "list_type": Says("A list is needed.", "Нужен список."),
    "dict_type": Says("An object is needed.", "Нужен объект."),
    "model_type": Says("An object is needed.", "Нужен объект."),
    "model_attributes_type": Says("A JSON object is needed.", "Нужен объект JSON."),
    "enum": Says("One of {expected} is needed.", "Нужно одно из: {expected}."),
    "literal_error": Says("One of {expected} is needed.", "Нужно одно из: {expected}."),
    "datetime_type": Says("A time as in RFC 3339 is needed.", "Нужно время по RFC 3339."),
    "datetime_parsing": Says("A time as in RFC 3339 is needed.", "Нужно время по RFC 3339."),
    "datetime_from_date_parsing": Says(
        "A time as in RFC 3339 is needed.", "Нужно время по RFC 3339."
    ),
    "timezone_aware": Says("The time needs its zone, as in …Z.", "Укажите пояс времени, как в …Z."),
    "max_chunk_size_too_small": Says(
        "max_chunk_size must be at least chunk_size.",
        "max_chunk_size должно быть не меньше chunk_size.",
    ),
    "chunk_overlap_too_large": Says(
        "chunk_overlap must be at most half of chunk_size.",
        "chunk_overlap должно быть не больше половины chunk_size.",
    ),
    "bulk_tags": Says(
        "tags go with the actions tag and untag, and only with them.",
        "tags указываются с действиями tag и untag, и только с ними.",
    ),
    "bulk_level": Says(
        "level goes with the action move, and only with it; so does namespace.",
        "level указывается с действием move, и только с ним; так же и namespace.",
    ),
    "separator_without_its_mode": Says(
        "separator goes together with the split_mode separator, and only with it.",
        "separator указывается вместе с split_mode separator, и только с ним.",
    ),
    "json_invalid": Says("This is not valid JSON.", "Это не JSON."),
}


def field_errors(errors: Sequence[Mapping[str, Any]], language: Language) -> list[FieldError]:
    """Each error with the path of its field, as `files.3.sha256`; the value is never repeated."""
    return [
        FieldError(field=_path(error["loc"]), code=error["type"], message=_message(error, language))
        for error in errors
    ]


def _path(place: Sequence[str | int]) -> str:
    inner = place[1:] if place and place[0] in {"body", "query", "path", "header"} else place
    return ".".join(map(str, inner)) or "body"


def _message(error: Mapping[str, Any], language: Language) -> str:
    facts = dict(error.get("ctx") or {})
    if language is Language.RU and isinstance(facts.get("expected"), str):
        facts["expected"] = facts["expected"].replace(" or ", " или ")
    try:
        return _SAID.get(error["type"], _OTHER).text(language, **facts)
    except KeyError:
        return _OTHER.text(language)
