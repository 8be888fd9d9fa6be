"""What a call can fail with; each carries what the server said."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """What is wrong with one field of a request."""

    field: str
    code: str
    message: str


class SvodFailed(Exception):
    """A call did not succeed. `code` never changes; `message` and `hint` are for people."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        hint: str | None = None,
        status: int | None = None,
        request_id: str | None = None,
        errors: tuple[FieldProblem, ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint
        self.status = status
        self.request_id = request_id
        self.errors = errors


class NotFound(SvodFailed):
    """It is not there, or the key may not know of it."""


class NotAllowed(SvodFailed):
    """No valid key was sent, or the key may not do this."""


class Conflict(SvodFailed):
    """It changed meanwhile, or something stands in its place."""


class Invalid(SvodFailed):
    """What was asked makes no sense as it stands."""


class LimitReached(SvodFailed):
    """A size, a quota or a rate."""


class NotAvailable(SvodFailed):
    """The server, or something that it needs, does not answer."""


class ServerFailed(SvodFailed):
    """A fault of the server."""


BY_STATUS: dict[int, type[SvodFailed]] = {
    400: Invalid,
    401: NotAllowed,
    403: NotAllowed,
    404: NotFound,
    405: Invalid,
    409: Conflict,
    412: Conflict,
    413: LimitReached,
    421: NotAllowed,
    422: Invalid,
    429: LimitReached,
    502: NotAvailable,
    503: NotAvailable,
    504: NotAvailable,
    507: NotAvailable,
}
"""Other statuses are `ServerFailed`."""
