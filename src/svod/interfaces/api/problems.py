"""Failures as problem+json (RFC 9457): the six families, mapped to HTTP once."""

from collections.abc import Mapping

import structlog
from fastapi import Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from starlette.types import Scope

from svod.foundation.errors import (
    Conflict,
    Denied,
    Exhausted,
    Invalid,
    Language,
    NotFound,
    Says,
    SvodError,
    Unavailable,
)
from svod.foundation.storage.errors import DiskFull
from svod.interfaces.api.errors import HostRefused, Malformed, WrongMethod
from svod.knowledge.workspaces import Unauthenticated

PROBLEM_JSON = "application/problem+json"
RETRY_AFTER_S = 2

_STATUSES: tuple[tuple[type[SvodError], int], ...] = (
    (Unauthenticated, 401),
    (HostRefused, 421),
    (WrongMethod, 405),
    (Malformed, 400),
    (NotFound, 404),
    (Denied, 403),
    (Conflict, 409),
    (Invalid, 422),
    (DiskFull, 507),
    (Exhausted, 429),
    (Unavailable, 503),
)
"""The first that fits counts; the six families stand last."""

_TITLES = {
    400: Says("The request cannot be read", "Запрос не удалось прочитать"),
    401: Says("Not signed in", "Вход не выполнен"),
    403: Says("Not allowed", "Нет доступа"),
    404: Says("Not found", "Не найдено"),
    405: Says("Wrong method", "Неподходящий метод"),
    409: Says("Conflict", "Конфликт"),
    412: Says("Changed meanwhile", "Изменилось тем временем"),
    413: Says("Too large", "Слишком большой объём"),
    421: Says("Wrong host", "Чужое имя сервера"),
    422: Says("Cannot be done as asked", "Так выполнить нельзя"),
    429: Says("Limit reached", "Достигнут предел"),
    500: Says("Server error", "Ошибка сервера"),
    503: Says("Not available now", "Сейчас недоступно"),
    507: Says("No room left", "Нет места на диске"),
}


class FieldError(BaseModel):
    """What is wrong with one field."""

    field: str
    code: str
    message: str


class Problem(BaseModel):
    """A failure, told so that a person can act on it and a program can branch on `code`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:svod:problem:items.not_found",
                    "title": "Not found",
                    "status": 404,
                    "detail": "There is no such item.",
                    "code": "items.not_found",
                    "hint": None,
                    "request_id": "5f0c6f1b2f1d4c0e",
                    "errors": [],
                }
            ]
        }
    )

    type: str
    title: str
    status: int
    detail: str
    code: str
    hint: str | None = None
    request_id: str
    errors: list[FieldError] = []


class Unexpected(SvodError):
    """A fault of ours; the log has it under the request's id."""

    code = "api.unexpected"
    says = Says(
        "Something went wrong on the server; it is in the log under this request_id.",
        "На сервере произошла ошибка; в журнале она записана под этим request_id.",
    )


def language_of(scope: Scope) -> Language:
    """The reader's language, found at the edge."""
    return scope["state"].get("language", Language.EN)


def status_of(error: SvodError) -> int:
    """The HTTP status of a failure."""
    status = next((status for family, status in _STATUSES if isinstance(error, family)), 500)
    if status == 409 and error.code.endswith("changed_meanwhile"):  # noqa: PLR2004
        return 412  # raised only where If-Match named a revision
    if status == 429 and error.code.endswith(("_too_large", "_too_long")):  # noqa: PLR2004
        return 413
    return status


def problem_of(
    error: SvodError, scope: Scope, *, errors: list[FieldError] | None = None
) -> Problem:
    """The failure as it is told in the reader's language."""
    status, language = status_of(error), language_of(scope)
    return Problem(
        type=f"urn:svod:problem:{error.code}",
        title=_TITLES[status].text(language),
        status=status,
        detail=error.message(language),
        code=error.code,
        hint=error.advice(language),
        request_id=scope["state"].get("request_id", ""),
        errors=errors or [],
    )


def problem_response(
    error: SvodError,
    scope: Scope,
    *,
    errors: list[FieldError] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """The failure as an HTTP response in the reader's language."""
    problem = problem_of(error, scope, errors=errors)
    status = problem.status
    added = dict(headers or {})
    if status == 401:  # noqa: PLR2004
        added["WWW-Authenticate"] = 'Bearer realm="svod"'
    if status in {429, 503}:
        added["Retry-After"] = str(RETRY_AFTER_S)
    return JSONResponse(
        problem.model_dump(mode="json"), status, media_type=PROBLEM_JSON, headers=added
    )


def failed(request: Request, error: Exception) -> JSONResponse:
    """A failure that a room or the door told."""
    return problem_response(foreseen(error), request.scope)


def crashed(error: Exception, scope: Scope) -> JSONResponse:
    """A failure that nobody foresaw: logged whole, told without its words."""
    return problem_response(foreseen(error), scope)


def foreseen(error: Exception) -> SvodError:
    """The failure as one that can be told; one that nobody foresaw is logged whole."""
    if isinstance(error, SvodError):
        return error
    structlog.get_logger().error("request_crashed", exc_info=error)
    return Unexpected()
