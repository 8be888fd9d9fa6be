"""The database goes and comes back, the disk fills up and is freed, the server is asked to stop."""

import http.client
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import httpx2
import pytest
from external_postgres import ExternalPostgres
from running import Machine, wait_for

from svod.client import Client
from svod.client.errors import NotAvailable, SvodFailed
from svod.foundation.storage.embedded.home import home_of

pytestmark = [pytest.mark.xdist_group("journeys"), pytest.mark.timeout(400)]

TEXTS = {"en": "The lantern pump weighs 417 grams.", "ru": "Фонарный насос весит 417 граммов."}


def postmaster(machine: Machine) -> int:
    return int((home_of(machine.data).cluster / "postmaster.pid").read_text().split()[0])


@pytest.fixture
def external() -> Generator[ExternalPostgres]:
    with tempfile.TemporaryDirectory(prefix="svod-test-") as folder:
        Path(folder).chmod(0o711)
        server = ExternalPostgres(Path(folder) / "external")
        server.make()
        yield server
        server.stop()


@pytest.fixture
def small_disk() -> Generator[Path]:
    """A disk of 300 MB, where mounting one is allowed."""
    with tempfile.TemporaryDirectory(prefix="svod-test-") as folder:
        mounted = subprocess.run(  # noqa: S603
            ["/bin/mount", "-t", "tmpfs", "-o", "size=300m,mode=0711", "none", folder],
            check=False,
            capture_output=True,
        )
        if mounted.returncode:
            pytest.skip("no disk can be mounted here")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["/bin/umount", "-l", folder], check=False)  # noqa: S603


def fill(disk: Path) -> Path:
    """Fill a disk to its last byte."""
    balloon = disk / "balloon"
    piece = bytes(1 << 20)
    with balloon.open("wb", buffering=0) as out:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while out.write(piece[:size]) == size:
                    pass
            except OSError:
                continue
    return balloon


@pytest.mark.spec("X15", "X9")
def test_a_database_that_dies_under_load_is_started_again(machine: Machine) -> None:
    machine.up()
    with machine.client() as client:
        client.wait(client.add_note(TEXTS["ru"]).item.item_id)
    statuses: Counter[int] = Counter()
    acknowledged: list[str] = []
    done = threading.Event()

    def ask() -> None:
        with machine.client() as client:
            while not done.is_set():
                reply = httpx2.post(
                    f"{machine.url}/api/knowledge/search",
                    json={"query": TEXTS["ru"]},
                    headers={"Authorization": f"Bearer {machine.key}"},
                    timeout=60,
                )
                statuses[reply.status_code] += 1
                if reply.status_code == 503:
                    told = reply.json()
                    assert told["code"].startswith("storage.")
                    assert told["hint"]
                    assert reply.headers["retry-after"]
                try:
                    acknowledged.append(client.add_note(f"n {len(acknowledged)}").item.item_id)
                except NotAvailable:
                    continue

    asking = [threading.Thread(target=ask) for _ in range(2)]
    for one in asking:
        one.start()
    for _ in range(2):
        before = len(acknowledged)
        pid = postmaster(machine)
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: f"{statuses}", lambda n=before: len(acknowledged) > n + 3)
        assert postmaster(machine) != pid
    done.set()
    for one in asking:
        one.join()
    assert set(statuses) <= {200, 503}, statuses
    with machine.client() as client:
        there = {item.item_id for item in client.every_item()}
        assert set(acknowledged) <= there
        for item_id in acknowledged:
            assert client.wait(item_id).status == "ready"


@pytest.mark.spec("X15")
@pytest.mark.parametrize(("language", "word"), [("en", "database"), ("ru", "База данных")])
def test_while_the_database_is_gone_requests_say_so_and_then_go_on(
    language: str, word: str, external: ExternalPostgres, data_folder: Path
) -> None:
    """An external one, which nobody here starts again: its server is stopped and started."""
    machine = Machine(data_folder, language=language, extra={"DATABASE_URL": external.dsn})
    try:
        machine.up()
        with Client(machine.url, machine.key, language=language, retries=0) as client:
            added = client.wait(client.add_note(TEXTS[language]).item.item_id)
            external.stop()
            with pytest.raises(NotAvailable) as gone:
                client.search(TEXTS[language])
            assert gone.value.status == 503
            assert word in gone.value.message
            assert gone.value.hint
            assert not client.ready().ready
            external.start()
            wait_for(lambda: "not ready again", lambda: client.ready().ready)
            assert client.search(TEXTS[language]).hits[0].item_id == added.item_id
            again = client.add_note(f"{TEXTS[language]} 2")
            assert client.wait(again.item.item_id).status == "ready"
    finally:
        machine.close()


@pytest.mark.spec("X15", "X9")
@pytest.mark.parametrize(("language", "word"), [("en", "disk is full"), ("ru", "Диск заполнен")])
def test_a_full_disk_is_said_and_nothing_is_lost(
    small_disk: Path, language: str, word: str
) -> None:
    machine = Machine(small_disk / "data", language=language)
    try:
        machine.up()
        with Client(machine.url, machine.key, language=language, retries=0) as client:
            kept = client.wait(client.add_note(TEXTS[language], title="n").item.item_id)
            balloon = fill(small_disk)
            with pytest.raises(NotAvailable) as full:
                client.add_file(b"x" * 3_000_000, name="big.txt")
            assert (full.value.status, full.value.code) == (507, "storage.disk_full")
            assert word in full.value.message
            assert full.value.hint
            assert "disk_full" in {one.code for one in client.ready().not_ready}
            # Writing until the database itself has no room: each call is done, or fails clearly.
            acknowledged = [kept.item_id]
            refused: list[SvodFailed] = []
            for number in range(500):
                try:
                    long = client.add_note(f"{number} {'слово ' * 3000}")
                    acknowledged.append(long.item.item_id)
                except SvodFailed as failed:
                    refused.append(failed)
                if len(refused) == 5:
                    break
            assert len(refused) == 5
            assert {(one.status, one.code.split(".")[0]) for one in refused} <= {
                (503, "storage"),
                (507, "storage"),
            }
            balloon.unlink()
            wait_for(lambda: "it does not recover", lambda: _can_add(client, acknowledged))
            for item_id in acknowledged:
                assert client.wait(item_id).status == "ready"
            added = client.add_file(b"x" * 3_000_000, name="big.txt")
            assert client.wait(added.item.item_id).status == "ready"
            assert client.search(TEXTS[language]).hits[0].item_id == kept.item_id
            assert machine.process
            assert machine.process.poll() is None
    finally:
        machine.close()


@pytest.mark.spec("X15", "N-04")
def test_an_item_that_waits_for_room_says_so(small_disk: Path) -> None:
    """Files lie on a disk of their own, so that it is full and the database is not."""
    machine = Machine(small_disk / "data")
    try:
        machine.up("--api-only")
        with Client(machine.url, machine.key, retries=0) as client:
            added = client.add_note(TEXTS["ru"])
            balloon = fill(small_disk)
            waits = client.item(added.item.item_id).waiting_reason
            assert waits
            assert waits.code == "disk_full"
            balloon.unlink()
            waits = client.item(added.item.item_id).waiting_reason
            assert waits
            assert waits.code == "no_worker"
    finally:
        machine.close()


def _can_add(client: Client, acknowledged: list[str]) -> bool:
    try:
        acknowledged.append(client.add_note("again").item.item_id)
    except SvodFailed:
        return False
    return True


@pytest.mark.spec("X15")
def test_a_request_under_way_ends_before_the_server_does(machine: Machine) -> None:
    machine.up()
    body = '{"text": "Последняя заметка."}'.encode()
    host = re.sub("^http://", "", machine.url)
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.putrequest("POST", "/api/knowledge/notes")
    connection.putheader("Authorization", f"Bearer {machine.key}")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body[:10])
    time.sleep(0.5)  # until the server has read the beginning
    assert machine.process
    machine.process.send_signal(signal.SIGTERM)
    wait_for(lambda: "\n".join(machine.said), lambda: "Stopping…" in machine.said)
    connection.send(body[10:])
    reply = connection.getresponse()
    assert reply.status == 201
    assert machine.process.wait(timeout=60) == 0
    machine.stop()
    machine.up()
    with machine.client() as client:
        (item,) = client.every_item()
        assert client.wait(item.item_id).status == "ready"
