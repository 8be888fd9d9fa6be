"""A creation with an idempotency key is carried out once; its reply is given again."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Header, Response
from pydantic import BaseModel

from svod.interfaces.api.errors import BadIdempotencyKey
from svod.interfaces.api.rooms import RepliesRoom
from svod.knowledge.workspaces import Caller
from svod.knowledge.workspaces.replies import MadeBefore, Receipt, Reply, StillRunning

LONGEST_KEY = 200

IdempotencyKey = Annotated[
    str | None,
    Header(description="Any text of yours; the same again within a day gives the same reply."),
]


@dataclass(frozen=True, slots=True)
class Made:
    """What a creation answers."""

    body: BaseModel
    status: int = 201
    headers: dict[str, str] | None = None

    def response(self) -> Response:
        """As HTTP."""
        return Response(
            self.body.model_dump_json(),
            self.status,
            headers=self.headers,
            media_type="application/json",
        )


async def once(
    replies: RepliesRoom,
    caller: Caller,
    key: str | None,
    *,
    operation: str,
    fingerprint: bytes,
    make: Callable[[], Awaitable[Made]],
    kept: Callable[[Made], str] | None = None,
) -> Response:
    """The response of `make`, or the one it gave when the key came first.

    Args:
        replies: where they are kept.
        caller: whose key it is.
        key: the Idempotency-Key; without one it is simply carried out.
        operation: the operation's id; keys of two operations are two keys.
        fingerprint: what is asked; the same key must come with the same.
        make: carries it out.
        kept: the body to keep where it is not the one answered.

    Raises:
        BadIdempotencyKey: the key is empty, too long, or not printable.
    """

    async def make_unnoted(_: Receipt | None) -> Made:
        return await make()

    return await once_noted(
        replies,
        caller,
        key,
        operation=operation,
        fingerprint=fingerprint,
        make=make_unnoted,
        kept=kept,
    )


async def once_noted(
    replies: RepliesRoom,
    caller: Caller,
    key: str | None,
    *,
    operation: str,
    fingerprint: bytes,
    make: Callable[[Receipt | None], Awaitable[Made]],
    recall: Callable[[str], Awaitable[Made]] | None = None,
    kept: Callable[[Made], str] | None = None,
) -> Response:
    """As `once`, for what notes on a receipt what it makes, in the transaction that makes it.

    If the process dies before it has answered, the key that comes again is answered by `recall`,
    given the note, and nothing is made twice.
    """
    if key is None:
        return (await make(None)).response()
    if not (0 < len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise BadIdempotencyKey
    request = f"{operation}\0{key}"
    claimed = await replies.claim(caller, request, fingerprint)
    if isinstance(claimed, Reply):
        headers = claimed.headers | {"Idempotency-Replayed": "true"}
        return Response(
            claimed.body, claimed.status, headers=headers, media_type="application/json"
        )
    if isinstance(claimed, MadeBefore):
        if recall is None:
            raise StillRunning
        made = await recall(claimed.note)
    else:
        try:
            made = await make(replies.receipt(caller, request))
        except BaseException:
            await replies.release(caller, request)
            raise
    body = kept(made) if kept else made.body.model_dump_json()
    await replies.keep(caller, request, Reply(made.status, made.headers or {}, body))
    return made.response()
