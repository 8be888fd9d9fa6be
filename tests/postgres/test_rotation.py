"""New keys: what old ones sealed is sealed anew beside all other work, and the old ones go."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
import pytest_asyncio
from psycopg import sql

from svod.assembly import SEALED, Svod, assembled
from svod.foundation.jobs import Later
from svod.foundation.settings import Settings
from svod.foundation.storage import SealBroken, open_database
from svod.foundation.storage.errors import MasterKeyMissing
from svod.foundation.storage.keys import change_master_key, load_master_key
from svod.foundation.storage.standstill import STANDSTILL
from svod.foundation.storage.vaults import KeyTiming
from svod.knowledge.items.item import FileDraft, ItemChange, ItemQuery, NoteDraft
from svod.knowledge.retrieval import RetrievalPlan
from svod.knowledge.workspaces import Caller, Permission
from svod.knowledge.workspaces.caller import OperatorNeeded
from svod.knowledge.workspaces.replies import Reply

AT_ONCE = KeyTiming(fresh_s=0, known_s=0, quiet_s=0)
TEXTS = {"en": "Bicycles come back within 21 days.", "ru": "Велосипед возвращают за 21 день."}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", embeddings="none")


@asynccontextmanager
async def server(settings: Settings, dsn: str, timing: KeyTiming = AT_ONCE) -> AsyncGenerator[Svod]:
    async with assembled(settings, dsn, timing=timing) as svod:
        yield svod


@pytest_asyncio.fixture
async def svod(settings: Settings, empty_dsn: str) -> AsyncGenerator[Svod]:
    """A server with something in every room, whose keys change hands at once."""
    async with server(settings, empty_dsn) as svod:
        yield svod


async def fill(svod: Svod, caller: Caller) -> None:
    """Something in each column that is sealed by now."""
    for language, text in TEXTS.items():
        note = await svod.items.add_note(
            caller, NoteDraft(text, title=language, external_id=f"id-{language}")
        )
        await svod.items.add_file(caller, FileDraft(f"{language}.txt", content=text.encode()))
        await svod.items.change(
            caller, note.item.item_id, ItemChange(text=f"{text} 2"), expected_revision=None
        )
    await svod.items.add_file(caller, FileDraft("broken.pdf", content=b"%PDF-1.7 no more"))
    await svod.workspaces.make_key(
        caller, name="ключ", permissions=frozenset({Permission.KNOWLEDGE_READ})
    )
    await svod.replies.claim(caller, "request", b"body")
    await svod.replies.keep(caller, "request", Reply(201, {}, TEXTS["ru"]))


async def done(svod: Svod, caller: Caller) -> None:
    """Work until nothing waits."""
    async with asyncio.timeout(60):
        while (counts := await svod.jobs.counts()).waiting or counts.running:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert (await svod.rotations.state(caller)).under_way == 0


def key_ids(dsn: str) -> dict[str, set[int]]:
    """The ids of the keys that sealed the values of each column."""
    found: dict[str, set[int]] = {}
    with psycopg.connect(dsn) as connection:
        for one in SEALED:
            query = sql.SQL(
                "select distinct get_byte({column}, 0) from {table} where {column} is not null"
            ).format(column=sql.Identifier(one.column), table=sql.Identifier(one.table))
            if ids := {row[0] for row in connection.execute(query).fetchall()}:
                found[f"{one.table}.{one.column}"] = ids
    return found


def file_ids(settings: Settings) -> set[int]:
    return {path.read_bytes()[0] for path in (settings.data / "blobs").rglob("*") if path.is_file()}


@asynccontextmanager
async def working(svod: Svod) -> AsyncGenerator[None]:
    worker = asyncio.create_task(svod.work())
    try:
        yield
    finally:
        worker.cancel()
        await asyncio.wait([worker])


async def everything(svod: Svod, caller: Caller) -> list[object]:
    """What a reader sees of it."""
    seen: list[object] = [await svod.workspaces.whoami(caller), await svod.workspaces.keys(caller)]
    for text in TEXTS.values():
        found = await svod.retrieval.search(caller, RetrievalPlan(query=text))
        for hit in found.hits:
            seen += [hit.text, await svod.items.versions(caller, hit.item_id)]
            seen += [await svod.items.source(caller, hit.item_id, 1)]
    seen.append(await svod.replies.claim(caller, "request", b"body"))
    return seen


@pytest.mark.spec("X5")
async def test_everything_is_sealed_anew_and_the_old_key_goes(
    svod: Svod, settings: Settings, empty_dsn: str
) -> None:
    caller = await svod.workspaces.owner()
    async with working(svod):
        await fill(svod, caller)
        await done(svod, caller)
        before = await everything(svod, caller)
        held = key_ids(empty_dsn)
        assert len(held) > 10
        assert all(ids == {1} for ids in held.values())
        rotation = await svod.rotations.begin(caller)
        assert rotation.started == rotation.under_way == rotation.workspaces == 2
        await done(svod, caller)
        again = await svod.workspaces.owner()
        assert await everything(svod, again) == before
    assert all(ids == {2} for ids in key_ids(empty_dsn).values())
    assert file_ids(settings) == {2}
    with psycopg.connect(empty_dsn) as connection:
        kept = connection.execute(
            "select distinct key_id from workspace_key where purpose = 'seal'"
        ).fetchall()
    assert kept == [(2,)]


@pytest.mark.spec("X5")
async def test_reading_and_writing_go_on_meanwhile(svod: Svod, empty_dsn: str) -> None:
    caller = await svod.workspaces.owner()
    async with working(svod):
        for text in TEXTS.values():
            await svod.items.add_note(caller, NoteDraft(text))
        await done(svod, caller)
        for _ in range(3):
            await svod.rotations.begin(caller)
            for n in range(10):
                fresh = await svod.workspaces.owner()
                await svod.items.add_note(fresh, NoteDraft(f"{TEXTS['ru']} {n}"))
                found = await svod.retrieval.search(fresh, RetrievalPlan(query=TEXTS["en"]))
                assert found.hits[0].text == TEXTS["en"]
            await done(svod, caller)
    assert all(ids == {4} for ids in key_ids(empty_dsn).values())


@pytest.mark.spec("X5", "X14")
async def test_nobody_seals_with_a_key_that_others_may_not_know_yet(
    svod: Svod, settings: Settings, empty_dsn: str
) -> None:
    """Two processes; the other has read its keys before the rotation, and trusts them for a while."""
    patient = KeyTiming(fresh_s=1000, known_s=2000, quiet_s=4000)
    async with server(settings, empty_dsn, patient) as other:
        caller = await other.workspaces.owner()
        await svod.rotations.begin(await svod.workspaces.owner())
        async with other.database.transaction() as tx:
            vault = await other.rotations.vaults.renewed(tx, caller.own.workspace_id)
        # It can read what the new key seals, and seals with the old one still.
        assert vault is caller.vault
        assert vault.seals_with == 1
        with pytest.raises(Later):
            await other.rotations({"workspace_id": caller.own.workspace_id})
        sealed_there = vault.seal_text("слово", "about")
        ours = (await svod.workspaces.owner()).vault
        assert ours.seals_with == 2
        assert ours.open_text(sealed_there, "about") == "слово"
        assert vault.open_text(ours.seal_text("word", "about"), "about") == "word"


@pytest.mark.spec("X5")
async def test_the_old_key_stays_while_somebody_may_still_seal_with_it(
    settings: Settings, empty_dsn: str
) -> None:
    async with server(settings, empty_dsn, KeyTiming(0, 0, quiet_s=4000)) as svod:
        caller = await svod.workspaces.owner()
        await svod.items.add_note(caller, NoteDraft(TEXTS["ru"]))
        await svod.rotations.begin(caller)
        with pytest.raises(Later):
            await svod.rotations({"workspace_id": caller.own.workspace_id})
        assert key_ids(empty_dsn)["item.sealed_title"] == {2}
        assert (await svod.rotations.state(caller)).under_way == 2


@pytest.mark.spec("X5", "X9")
async def test_what_was_sealed_late_with_the_old_key_keeps_it_alive(
    svod: Svod, empty_dsn: str
) -> None:
    caller = await svod.workspaces.owner()
    added = await svod.items.add_note(caller, NoteDraft(TEXTS["en"]))
    late = caller.vault.seal_text("Late", "title", added.item.item_id)
    await svod.rotations.begin(caller)
    workspace_id = caller.own.workspace_id
    async with svod.database.transaction() as tx:
        (keys,) = await svod.rotations.vaults.seal_keys(tx, workspace_id)
        vault = await svod.rotations.vaults.renewed(tx, workspace_id)
    await svod.rotations._seal_anew(vault)
    with psycopg.connect(empty_dsn, autocommit=True) as connection:
        connection.execute("update item set sealed_title = %s", (late,))
    with pytest.raises(Later):
        await svod.rotations._remove(vault, keys)
    await svod.rotations({"workspace_id": workspace_id})
    assert (await svod.items.get(caller, added.item.item_id)).title == "Late"
    async with svod.database.transaction() as tx:
        assert not (await svod.rotations.vaults.seal_keys(tx, workspace_id))[0].older


@pytest.mark.spec("X5", "X10")
async def test_stored_files_are_left_alone_while_a_backup_is_made(
    svod: Svod, settings: Settings, empty_dsn: str
) -> None:
    caller = await svod.workspaces.owner()
    await svod.items.add_file(caller, FileDraft("a.txt", content=b"a"))
    await svod.rotations.begin(caller)
    with psycopg.connect(empty_dsn, autocommit=True) as connection:
        connection.execute("select pg_advisory_lock(%s)", (STANDSTILL,))
        with pytest.raises(Later):
            await svod.rotations({"workspace_id": caller.own.workspace_id})
        assert file_ids(settings) == {1}
    await svod.rotations({"workspace_id": caller.own.workspace_id})
    assert file_ids(settings) == {2}


@pytest.mark.spec("X5")
async def test_a_rotation_under_way_is_not_begun_again(svod: Svod) -> None:
    caller = await svod.workspaces.owner()
    assert (await svod.rotations.begin(caller)).started == 2
    assert (await svod.rotations.begin(caller)).started == 0


@pytest.mark.spec("X1", "X5")
async def test_only_the_operator_rotates(svod: Svod) -> None:
    limited = replace(await svod.workspaces.owner(), operator=False)
    with pytest.raises(OperatorNeeded):
        await svod.rotations.begin(limited)
    with pytest.raises(OperatorNeeded):
        await svod.rotations.state(limited)


@pytest.mark.spec("X5")
async def test_the_master_key_is_changed_beside_a_running_server(
    svod: Svod, settings: Settings, tmp_path: Path
) -> None:
    caller = await svod.workspaces.owner()
    await svod.items.add_note(caller, NoteDraft(TEXTS["ru"]))
    old = (settings.data / "master.key").read_bytes()
    count = await change_master_key(settings, svod.database, tmp_path / "new.key")
    assert count == 4
    new = (settings.data / "master.key").read_bytes()
    assert new == (tmp_path / "new.key").read_bytes() != old
    # The running server reads the new one when the one it has does not fit any more.
    assert (await svod.items.list(await svod.workspaces.owner(), ItemQuery())).items
    assert (await svod.rotations.begin(caller)).started == 2
    (settings.data / "master.key").write_bytes(old)
    with pytest.raises(MasterKeyMissing):
        await load_master_key(settings, svod.database)


@pytest.mark.spec("X5", "X9")
async def test_a_change_of_the_master_key_broken_off_at_its_end_is_mended(
    svod: Svod, settings: Settings, tmp_path: Path
) -> None:
    old = (settings.data / "master.key").read_bytes()
    await change_master_key(settings, svod.database, tmp_path / "new.key")
    new = (settings.data / "master.key").read_bytes()
    # As if it had been killed between the transaction and the file.
    (settings.data / "master.key").write_bytes(old)
    (settings.data / "master.key.next").write_bytes(new)
    (settings.data / "master.key.next").chmod(0o600)
    await load_master_key(settings, svod.database)
    assert (settings.data / "master.key").read_bytes() == new


@pytest.mark.spec("X5")
async def test_a_process_with_the_old_master_key_makes_no_keys(
    svod: Svod, settings: Settings, empty_dsn: str, tmp_path: Path
) -> None:
    """Set by the environment, it cannot be read again: what it wrapped would open nowhere."""
    text = (settings.data / "master.key").read_text()
    by_environment = Settings(data=settings.data, embeddings="none", master_key=text)
    async with server(by_environment, empty_dsn) as other:
        caller = await other.workspaces.owner()
        await change_master_key(settings, svod.database, tmp_path / "new.key")
        with pytest.raises((MasterKeyMissing, SealBroken)):
            await other.rotations.begin(caller)
    database = await open_database(empty_dsn, connections=4)
    await load_master_key(settings, database)
    await database.close()
