"""The statements of kept replies."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from svod.foundation.ids import ItemId, WorkspaceId
from svod.foundation.storage import Statements, Transaction

SQL = Statements(__package__ or "")


@dataclass(frozen=True, slots=True)
class ReplyRow:
    """A kept reply as it is stored.

    Without a status the request is still running, or its process died: after it had made something,
    if that is noted.
    """

    body_key: bytes
    status: int | None
    sealed_reply: bytes | None
    sealed_made: bytes | None


async def claim(
    tx: Transaction,
    workspace_id: WorkspaceId,
    request_key: bytes,
    *,
    body_key: bytes,
    now: datetime,
    abandoned_before: datetime,
) -> bool:
    """Whether the request is ours to carry out."""
    parameters = {
        "workspace_id": workspace_id,
        "request_key": request_key,
        "body_key": body_key,
        "now": now,
        "abandoned_before": abandoned_before,
    }
    return await tx.run(SQL.claim_request, parameters) > 0


async def find(tx: Transaction, workspace_id: WorkspaceId, request_key: bytes) -> ReplyRow | None:
    """What is known of a request."""
    parameters = {"workspace_id": workspace_id, "request_key": request_key}
    return await tx.first(SQL.find_reply, parameters, row=ReplyRow)


async def keep(
    tx: Transaction,
    workspace_id: WorkspaceId,
    request_key: bytes,
    *,
    status: int,
    sealed_reply: bytes,
) -> None:
    """Write what was answered."""
    parameters = {
        "workspace_id": workspace_id,
        "request_key": request_key,
        "status": status,
        "sealed_reply": sealed_reply,
    }
    await tx.run(SQL.keep_reply, parameters)


async def release(tx: Transaction, workspace_id: WorkspaceId, request_key: bytes) -> None:
    """Forget a request that came to nothing."""
    parameters = {"workspace_id": workspace_id, "request_key": request_key}
    await tx.run(SQL.release_request, parameters)


async def drop_old(tx: Transaction, workspace_id: WorkspaceId, *, before: datetime) -> None:
    """Forget what is too old to be asked for again."""
    await tx.run(SQL.drop_old_replies, {"workspace_id": workspace_id, "before": before})


async def note_made(
    tx: Transaction,
    workspace_id: WorkspaceId,
    request_key: bytes,
    *,
    sealed_made: bytes,
    item_id: ItemId | None,
) -> None:
    """Note what a request made."""
    parameters = {
        "workspace_id": workspace_id,
        "request_key": request_key,
        "sealed_made": sealed_made,
        "item_id": item_id,
    }
    await tx.run(SQL.note_made, parameters)


async def forget_made(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> None:
    """Drop the replies that show these items."""
    await tx.run(SQL.forget_made, {"workspace_id": workspace_id, "item_ids": list(item_ids)})
