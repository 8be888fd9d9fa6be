"""Several processes on one data folder or one database: servers that answer, workers that work."""

import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest
from running import Machine, wait_for

pytestmark = [pytest.mark.xdist_group("journeys"), pytest.mark.timeout(300)]

TEXTS = {"en": "Pumps are lent for free.", "ru": "Насосы выдаются бесплатно."}


@pytest.fixture
def second(machine: Machine) -> Generator[Machine]:
    """Another process on the same data folder."""
    second = Machine(machine.data)
    yield second
    second.close()


@pytest.mark.spec("X14", "X15", "N-04")
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_is_added_waits_for_a_worker_and_says_so(
    machine: Machine, second: Machine, language: str
) -> None:
    machine.language = second.language = language
    machine.up("--api-only")
    assert any("svod worker" in line for line in machine.said)
    with machine.client() as client:
        added = client.add_note(TEXTS[language])
        waits = client.item(added.item.item_id)
        assert waits.status == "queued"
        assert waits.waiting_reason
        assert waits.waiting_reason.code == "no_worker"
        second.start("worker")
        assert client.wait(added.item.item_id).status == "ready"
        assert client.search(TEXTS[language]).hits[0].item_id == added.item.item_id
    assert second.stop(signal.SIGTERM) == 0
    # The database goes on: the other process still has its share of it.
    with machine.client() as client:
        assert client.search(TEXTS[language]).hits
    assert machine.stop(signal.SIGTERM) == 0


@pytest.mark.spec("X14", "X15")
def test_any_number_of_processes_share_one_data_folder(machine: Machine, second: Machine) -> None:
    machine.up("--api-only")
    announced = machine.url
    second.start("up", "--api-only", "--port", "0")
    workers = [Machine(machine.data) for _ in range(2)]
    try:
        for worker in workers:
            worker.start("worker")
        wait_for(lambda: "\n".join(second.said), lambda: second.own_url is not None)
        assert second.own_url != announced
        # Commands on this machine go on talking to the first one.
        assert machine.url == announced
        with second.client() as other, machine.client() as first:
            added = [other.add_note(f"{text} {n}") for text in TEXTS.values() for n in range(8)]
            for one in added:
                assert first.wait(one.item.item_id).status == "ready"
            assert {item.item_id for item in first.every_item()} == {
                one.item.item_id for one in added
            }
        # A worker that dies leaves its work to the other.
        dead = workers.pop()
        assert dead.process
        os.kill(dead.process.pid, signal.SIGKILL)
        dead.process.wait()
        with machine.client() as first:
            assert first.wait(first.add_note("После смерти.").item.item_id).status == "ready"
    finally:
        for worker in workers:
            worker.close()


@pytest.mark.spec("X14")
def test_processes_elsewhere_share_a_database_by_its_address(
    empty_dsn: str, data_folder: Path
) -> None:
    """An external database, as `DATABASE_URL` names it; the files lie in one folder."""
    external = {"DATABASE_URL": empty_dsn}
    api = Machine(data_folder, extra=external)
    worker = Machine(data_folder, extra=external)
    try:
        api.up("--api-only")
        worker.start("worker")
        with api.client() as client:
            added = client.add_file("Насосы бесплатно.".encode(), name="насосы.txt")
            assert client.wait(added.item.item_id).status == "ready"
            assert client.search("насосы").hits
        assert not (data_folder / "postgres").exists()
    finally:
        worker.close()
        api.close()
