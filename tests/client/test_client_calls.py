"""Each call of the client does what the REST operation does, and gives typed, frozen results."""

import dataclasses
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

import svod
from fakes.rooms import READER_KEY, Missing, Scripted, an_item
from svod.client import Client, Conflict, Invalid, LimitReached, NotAllowed, NotFound
from svod.client.decoding import encode
from svod.foundation.errors import Says
from svod.foundation.ids import ItemId, write_id
from svod.knowledge.items.item import Remark, Status


@pytest.mark.spec("I5")
def test_the_client_is_what_the_package_offers_first() -> None:
    assert svod.Client is Client


@pytest.mark.spec("I5", "I7a")
def test_whoami_and_levels_are_typed_and_frozen(client: Client) -> None:
    who = client.whoami()
    assert who.workspace_name == "Лесная полка"
    assert who.levels == client.levels()
    with pytest.raises(dataclasses.FrozenInstanceError):
        who.name = "other"  # type: ignore[misc]


@pytest.mark.spec("I5", "K18")
def test_a_note_goes_in_and_comes_out_as_it_was(client: Client) -> None:
    added = client.add_note("Возврат за 21 день. 😀", title="Возврат", external_id="a")
    assert (added.outcome, added.item.title) == ("created", "Возврат")
    assert client.add_note("Возврат за 21 день. 😀", external_id="a").outcome == "unchanged"
    item = client.item(added.item.item_id)
    assert item.created_at.tzinfo is not None
    assert client.text(item.item_id).text == "Возврат за 21 день. 😀"
    assert [one.version for one in client.versions(item.item_id)] == [1]
    assert client.source(item.item_id).content.decode() == "Возврат за 21 день. 😀"
    client.delete(item.item_id)
    with pytest.raises(NotFound) as gone:
        client.item(item.item_id)
    assert gone.value.code == "items.not_found"


@pytest.mark.spec("I5", "K12")
@pytest.mark.parametrize("given", ["path", "bytes"])
def test_a_file_is_given_as_a_path_or_as_bytes(
    client: Client, scripted: Scripted, tmp_path: Path, given: str
) -> None:
    path = tmp_path / "отчёт «май».txt"
    path.write_text("Возврат", encoding="utf-8")
    content = path if given == "path" else path.read_bytes()
    name = None if given == "path" else path.name
    added = client.add_file(
        content, name=name, external_id="папка/отчёт.txt", split='{"split_mode": "auto"}'
    )
    assert added.item.name == path.name
    source = client.source(added.item.item_id)
    assert (source.name, source.content) == (path.name, "Возврат".encode())
    assert scripted.items.uploads == 1


@pytest.mark.spec("K19")
def test_bytes_that_the_server_has_are_added_by_their_hash(
    client: Client, scripted: Scripted
) -> None:
    content = b"text"
    digest = sha256(content).hexdigest()
    assert not client.check_files([(digest, "a")])[0].known
    client.add_file(content, name="a.txt", external_id="a")
    states = client.check_files([(digest, "a"), (digest, "b")])
    assert [(one.item_id is not None, one.known) for one in states] == [(True, True), (False, True)]
    assert client.add_file(sha256=digest, name="b.txt", external_id="b").outcome == "created"
    assert scripted.items.uploads == 1


@pytest.mark.spec("I5")
def test_every_item_is_listed_page_after_page(client: Client, scripted: Scripted) -> None:
    for number in range(1, 451):
        scripted.items.kept[ItemId(number)] = an_item(number)
    assert len(client.items(limit=7).items) == 7
    listed = [item.item_id for item in client.every_item(kind="note")]
    assert listed == [write_id(number) for number in range(450, 0, -1)]


@pytest.mark.spec("I1", "I5")
def test_a_change_against_an_old_revision_is_a_conflict(client: Client) -> None:
    item = client.add_note("Возврат").item
    changed = client.change(item.item_id, title="Новое", expected_revision=item.revision)
    assert changed.title == "Новое"
    with pytest.raises(Conflict) as moved:
        client.change(item.item_id, title="Позднее", expected_revision=item.revision)
    assert (moved.value.status, moved.value.code) == (412, "items.changed_meanwhile")


@pytest.mark.spec("I5", "K15")
@pytest.mark.parametrize(("language", "word"), [("en", "password"), ("ru", "парол")])
def test_a_failure_comes_in_the_clients_language(
    url: str, scripted: Scripted, client: Client, language: str, word: str
) -> None:
    scripted.items.kept[ItemId(5)] = an_item(5, status=Status.FAILED, failure=Remark("encrypted"))
    with Client(url, READER_KEY, language=language) as reader:
        failure = reader.wait(write_id(5)).failure
    assert failure is not None
    assert word in failure.message
    assert client.refresh(write_id(5)).status == "queued"


@pytest.mark.spec("I5")
def test_what_is_wrong_with_fields_is_told_by_field(client: Client) -> None:
    with pytest.raises(Invalid) as refused:
        client.search("", limit=99)
    assert {one.field for one in refused.value.errors} == {"query", "limit"}
    assert refused.value.request_id


@pytest.mark.spec("X8", "I5")
def test_a_file_over_the_limit_is_refused_in_words(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "large.bin"
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    with pytest.raises(LimitReached) as refused:
        client.add_file(path)
    assert refused.value.code == "api.body_too_large"


@pytest.mark.spec("X1", "I5")
@pytest.mark.usefixtures("scripted")
def test_what_the_key_may_not_do_is_not_allowed(url: str) -> None:
    with Client(url, READER_KEY) as reader, pytest.raises(NotAllowed) as refused:
        reader.add_note("x")
    assert refused.value.hint
    with Client(url, "svod_wrong") as stranger, pytest.raises(NotAllowed) as unknown:
        stranger.whoami()
    assert unknown.value.status == 401


@pytest.mark.spec("I5", "X4")
def test_keys_are_made_listed_and_revoked(client: Client) -> None:
    until = datetime(2027, 1, 31, tzinfo=UTC)
    made = client.make_key("ночной", ["knowledge:read"], expires_at=until)
    assert made.key.expires_at == until
    assert client.keys() == (made.key,)
    client.revoke_key(made.key.principal_id)
    with pytest.raises(NotFound):
        client.revoke_key("0000000000zzz")


@pytest.mark.spec("I4", "I5")
def test_results_turn_into_the_json_that_they_came_from(client: Client) -> None:
    found = encode(client.search("срок"))
    assert found["hits"][0]["matched"]["spans"] == [[0, 7]]
    answer = encode(client.ask("Срок?", language="ru"))
    assert answer["citations"][0]["n"] == 1
    assert encode(client.add_note("x").item)["created_at"] == "2026-11-30T12:00:00.123456Z"


@pytest.mark.spec("I5")
def test_ready_tells_what_is_missing_instead_of_failing(client: Client, scripted: Scripted) -> None:
    assert client.ready().ready
    scripted.health.missing = [Missing("database", Says("No database.", "Нет базы."))]
    ready = client.ready()
    assert not ready.ready
    assert [(one.code, one.blocking) for one in ready.not_ready] == [("database", True)]


@pytest.mark.spec("I5")
@pytest.mark.parametrize("odd", ["", "../../whoami", "a/b", "?x=1", "%2e"])
def test_an_odd_id_is_not_found_and_never_another_operation(client: Client, odd: str) -> None:
    with pytest.raises(NotFound):
        client.item(odd)


@pytest.mark.spec("I5", "K13", "K35")
def test_a_page_is_added_by_its_address(client: Client) -> None:
    added = client.add_link("https://example.com/docs#top", refresh_days=7)
    assert (added.outcome, added.item.url) == ("created", "https://example.com/docs")
    assert client.add_link("https://example.com/docs").outcome == "unchanged"
    assert client.change(added.item.item_id, refresh_days=30).refresh_days == 30
    assert client.change(added.item.item_id, refresh_days=0).refresh_days is None
    with pytest.raises(Invalid) as refused:
        client.add_link("http://127.0.0.1/")
    assert refused.value.code == "address_refused"
