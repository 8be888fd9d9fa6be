"""Claiming a request by its key, and keeping what was answered to it."""

import json
from dataclasses import dataclass
from datetime import timedelta

from svod.foundation.clock import Clock
from svod.foundation.errors import Conflict, Invalid, Says
from svod.foundation.ids import ItemId
from svod.foundation.storage import Database, Transaction
from svod.knowledge.workspaces.caller import Caller, Reading
from svod.knowledge.workspaces.replies import postgres

KEPT = timedelta(days=1)
ABANDONED = timedelta(seconds=60)
"""No creation runs as long as this, so one without a reply by then died with its process."""
_DROP_EVERY = 200


class KeyReused(Invalid):
    """An idempotency key came with something else than the first time."""

    code = "workspaces.idempotency_key_reused"
    says = Says(
        "This Idempotency-Key was used for another request.",
        "Этот Idempotency-Key уже использован для другого запроса.",
    )
    hint = Says(
        "Take a new key for each new request.", "Для каждого нового запроса нужен новый ключ."
    )


class StillRunning(Conflict):
    """The first request with this idempotency key has not been answered yet."""

    code = "workspaces.request_running"
    says = Says(
        "The first request with this Idempotency-Key is still running.",
        "Первый запрос с этим Idempotency-Key ещё выполняется.",
    )
    hint = Says("Ask again in a moment.", "Повторите чуть позже.")


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered: a status, headers of ours, and the body as JSON text."""

    status: int
    headers: dict[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class MadeBefore:
    """What a request made whose reply was lost with its process: as its maker noted it."""

    note: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """A claimed request, for whoever makes what it asks to note it in the same transaction."""

    reading: Reading
    request_key: bytes

    async def note(self, tx: Transaction, note: str, *, item_id: ItemId | None = None) -> None:
        """Note what was made: known exactly if this transaction commits, and never made again.

        Args:
            tx: the transaction that makes it.
            note: enough to answer from; kept sealed for a day.
            item_id: the item that the reply will show; with it, the reply goes.
        """
        sealed = self.reading.vault.seal_text(note, "made", self.request_key.hex())
        await postgres.note_made(
            tx,
            self.reading.workspace_id,
            self.request_key,
            sealed_made=sealed,
            item_id=item_id,
        )


class Replies:
    """The kept replies of every workspace."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._claims = 0

    async def claim(
        self, caller: Caller, request: str, fingerprint: bytes
    ) -> Reply | MadeBefore | None:
        """The reply of the first time, or None: then it is this call's to carry out.

        Where the first time made something and died before it answered, what it made.

        Args:
            caller: keys are his own; another principal's are other keys.
            request: the operation and the idempotency key.
            fingerprint: what is asked; the same key must come with the same.

        Raises:
            KeyReused: the key came with something else before.
            StillRunning: the first request is not done.
        """
        now = self._clock.now()
        own, key = caller.own, self._key(caller, request)
        body_key = own.vault.key_for("idempotency-body", fingerprint)
        async with self._database.transaction() as tx:
            if self._claims % _DROP_EVERY == 0:
                await postgres.drop_old(tx, own.workspace_id, before=now - KEPT)
            self._claims += 1
            if await postgres.claim(
                tx,
                own.workspace_id,
                key,
                body_key=body_key,
                now=now,
                abandoned_before=now - ABANDONED,
            ):
                return None
            row = await postgres.find(tx, own.workspace_id, key)
        if row is None:
            raise StillRunning
        if bytes(row.body_key) != body_key:
            raise KeyReused
        if row.status is None or row.sealed_reply is None:
            if row.sealed_made is None:
                raise StillRunning
            return MadeBefore(own.vault.open_text(row.sealed_made, "made", key.hex()))
        kept = json.loads(own.vault.open_text(row.sealed_reply, "reply", key.hex()))
        return Reply(row.status, kept["headers"], kept["body"])

    def receipt(self, caller: Caller, request: str) -> Receipt:
        """The receipt of a claimed request."""
        return Receipt(caller.own, self._key(caller, request))

    async def keep(self, caller: Caller, request: str, reply: Reply) -> None:
        """Remember what was answered to a claimed request."""
        own, key = caller.own, self._key(caller, request)
        text = json.dumps({"headers": reply.headers, "body": reply.body})
        sealed = own.vault.seal_text(text, "reply", key.hex())
        async with self._database.transaction() as tx:
            await postgres.keep(tx, own.workspace_id, key, status=reply.status, sealed_reply=sealed)

    async def release(self, caller: Caller, request: str) -> None:
        """Give a claimed request free again: it failed, and may be tried again."""
        async with self._database.transaction() as tx:
            await postgres.release(tx, caller.own.workspace_id, self._key(caller, request))

    @staticmethod
    def _key(caller: Caller, request: str) -> bytes:
        own = caller.own
        return own.vault.key_for("idempotency", f"{own.principal_id}\0{request}")
