"""Kept replies: the first one to come carries the request out, and its reply is sealed."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest

from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.foundation.storage import Database, Vaults
from svod.knowledge.workspaces import Caller, Permission, Reading
from svod.knowledge.workspaces.replies import KeyReused, Replies, Reply, StillRunning

REPLY = Reply(201, {"ETag": '"1"'}, '{"title": "Возврат"}')


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 30, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def replies(database: Database, clock: Hands) -> Replies:
    return Replies(database, clock)


@pytest.fixture
async def caller(database: Database, vaults: Vaults, workspace_id: WorkspaceId) -> Caller:
    async with database.transaction() as tx:
        await vaults.create_keys(tx, workspace_id)
        vault = await vaults.of(tx, workspace_id)
    own = Reading(workspace_id, PrincipalId(1), vault)
    return Caller(own, own, frozenset({Permission.ADMIN}), "tester", "key")


@pytest.mark.spec("I1")
async def test_the_second_time_gives_the_reply_of_the_first(
    replies: Replies, caller: Caller
) -> None:
    assert await replies.claim(caller, "add_note\0k", b"body") is None
    await replies.keep(caller, "add_note\0k", REPLY)
    assert await replies.claim(caller, "add_note\0k", b"body") == REPLY
    assert await replies.claim(caller, "add_file\0k", b"body") is None


@pytest.mark.spec("I1")
async def test_of_many_at_once_one_carries_the_request_out(
    replies: Replies, caller: Caller
) -> None:
    async def claim() -> str:
        try:
            return "mine" if await replies.claim(caller, "k", b"body") is None else "kept"
        except StillRunning:
            return "running"

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(claim()) for _ in range(6)]
    assert sorted(task.result() for task in tasks) == ["mine", *["running"] * 5]


@pytest.mark.spec("I1")
async def test_a_key_that_comes_with_something_else_is_refused(
    replies: Replies, caller: Caller
) -> None:
    await replies.claim(caller, "k", b"one")
    with pytest.raises(KeyReused):
        await replies.claim(caller, "k", b"two")


@pytest.mark.spec("I1")
async def test_what_was_released_or_left_by_a_dead_process_may_be_tried_again(
    replies: Replies, caller: Caller, clock: Hands
) -> None:
    await replies.claim(caller, "k", b"body")
    await replies.release(caller, "k")
    assert await replies.claim(caller, "k", b"body") is None
    clock.time += timedelta(seconds=30)
    with pytest.raises(StillRunning):
        await replies.claim(caller, "k", b"body")
    clock.time += timedelta(seconds=31)
    assert await replies.claim(caller, "k", b"body") is None


@pytest.mark.spec("I1", "X3")
async def test_keys_of_another_principal_are_other_keys(replies: Replies, caller: Caller) -> None:
    await replies.claim(caller, "k", b"body")
    await replies.keep(caller, "k", REPLY)
    reading = Reading(caller.own.workspace_id, PrincipalId(2), caller.own.vault)
    other = Caller(reading, reading, caller.permissions, "other", "key")
    assert await replies.claim(other, "k", b"body") is None


@pytest.mark.spec("I1")
async def test_after_a_day_a_reply_is_forgotten(
    database: Database, caller: Caller, clock: Hands
) -> None:
    replies = Replies(database, clock)
    await replies.claim(caller, "k", b"body")
    await replies.keep(caller, "k", REPLY)
    clock.time += timedelta(days=1, seconds=1)
    assert await Replies(database, clock).claim(caller, "k", b"body") is None


@pytest.mark.spec("X5", "X16")
async def test_neither_the_key_nor_the_reply_is_stored_in_the_clear(
    replies: Replies, caller: Caller, database: Database
) -> None:
    await replies.claim(caller, "кракозябра", b"body")
    await replies.keep(caller, "кракозябра", REPLY)
    async with database.transaction() as tx:
        cursor = await tx.connection.execute(
            "select request_key, body_key, sealed_reply from idempotency where workspace_id = %s",
            (caller.own.workspace_id,),
        )
        stored = b"".join(bytes(value) for row in await cursor.fetchall() for value in row)
    assert "Возврат".encode() not in stored
    assert json.dumps("Возврат").encode() not in stored
    assert "кракозябра".encode() not in stored
