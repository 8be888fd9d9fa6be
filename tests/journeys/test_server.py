"""The server as a process: started, set up, stopped, started again, in the way of others."""

import os
import re
import signal
import socket

import httpx2
import pytest
from running import Machine, free_port, wait_for

from svod.client import Client, Conflict

pytestmark = [pytest.mark.xdist_group("journeys"), pytest.mark.timeout(300)]


@pytest.mark.spec("I1", "X4")
def test_the_printed_link_gives_the_owners_key_once(server: Machine) -> None:
    links: list[str] = []

    def printed() -> bool:
        links.extend(re.findall(r"http\S+token=\S+", "\n".join(server.said)))
        return bool(links)

    wait_for(lambda: f"no link in {server.said}", printed)
    link = links[0]
    page = httpx2.get(link)
    assert page.status_code == 200
    token = link.partition("token=")[2]
    shown = httpx2.post(f"{server.url}/setup", data={"token": token})
    key = re.search(r"<pre><code>(svod_[^<]+)</code></pre>", shown.text)
    assert key
    with Client(server.url, key[1]) as owner:
        assert owner.whoami().permissions == ("admin",)
    spent = httpx2.post(f"{server.url}/setup", data={"token": token})
    assert spent.status_code == 403


@pytest.mark.spec("I1", "I5")
def test_a_creation_repeated_with_its_key_makes_one_item(server: Machine) -> None:
    headers = {"Authorization": f"Bearer {server.key}", "Idempotency-Key": "journey"}
    body = {"text": "Одна и та же заметка."}
    path = f"{server.url}/api/knowledge/notes"
    first, again = (httpx2.post(path, json=body, headers=headers) for _ in range(2))
    assert first.status_code == again.status_code == 201
    assert first.content == again.content
    other = httpx2.post(path, json={"text": "Другая."}, headers=headers)
    assert other.json()["code"] == "workspaces.idempotency_key_reused"


@pytest.mark.spec("I1", "I5", "K16")
def test_a_note_is_changed_against_its_revision(server: Machine) -> None:
    with server.client() as client:
        added = client.add_note("Часы работы: с девяти до шести.", title="Часы")
        ready = client.wait(added.item.item_id)
        changed = client.change(
            ready.item_id, text="Часы работы: с десяти до семи.", expected_revision=ready.revision
        )
        assert changed.version == 2
        with pytest.raises(Conflict) as moved:
            client.change(ready.item_id, title="Поздно", expected_revision=ready.revision)
        assert moved.value.status == 412
        served = client.wait(ready.item_id)
        assert served.serving_version == 2
        assert "десяти" in client.text(served.item_id).text
        assert "девяти" in client.text(served.item_id, 1).text
        hit = client.search("десяти часы работы").hits[0]
        assert (hit.item_id, hit.version) == (served.item_id, 2)


@pytest.mark.spec("X15")
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_second_server_on_the_folder_says_where_the_first_one_is(
    server: Machine, language: str
) -> None:
    second = Machine(server.data, language=language)
    ended = second("up", "--port", "0")
    assert ended.code == 0
    assert server.url in ended.out


@pytest.mark.spec("X15", "I4")
@pytest.mark.parametrize(("language", "word"), [("en", "taken"), ("ru", "занят")])
def test_a_taken_port_says_who_holds_it(machine: Machine, language: str, word: str) -> None:
    machine.language = language
    with socket.create_server(("127.0.0.1", 0)) as holder:
        ended = machine("up", "--port", str(holder.getsockname()[1]))
    assert ended.code == 1
    assert word in ended.err
    assert "pid" in ended.err


@pytest.mark.spec("X15", "X9", "X4")
def test_what_was_added_is_there_after_a_stop_and_a_start(machine: Machine) -> None:
    machine.up()
    assert (
        machine("add", "--text", "Возврат в течение 21 дня.", "--title", "Возврат", "--wait").code
        == 0
    )
    key = machine.key
    assert machine.stop(signal.SIGINT) == 0
    assert machine("whoami").code == 5
    machine.up(port=free_port())
    assert machine.key == key
    found = machine("ask", "За сколько дней можно оформить возврат?")
    assert "21" in found.out
    assert machine.stop(signal.SIGTERM) == 0


@pytest.mark.spec("I4", "X15")
def test_a_detached_server_goes_on_alone(machine: Machine) -> None:
    started = machine("up", "--port", "0", "--detach")
    assert started.code == 0, started.out + started.err
    pid = int(re.search(r"pid (\d+)", started.out)[1])  # type: ignore[index]
    try:
        assert machine("whoami").code == 0
        assert machine("doctor").code == 0
    finally:
        os.kill(pid, signal.SIGTERM)
        wait_for(lambda: "it does not stop", lambda: not (machine.data / "server.json").exists())
