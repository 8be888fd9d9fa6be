"""Items through REST: added, recognised, listed, changed against a revision, downloaded."""

from datetime import datetime
from hashlib import sha256

import httpx2
import pytest

from fakes.rooms import Scripted, an_item
from svod.foundation.errors import Language
from svod.foundation.ids import ItemId, write_id
from svod.interfaces.api.shapes.splitting import SplitAsked
from svod.interfaces.api.told import tell_failure
from svod.knowledge.chunking import SplitSettings
from svod.knowledge.items.item import Remark, Status

FILES = "/api/knowledge/files"
NOTES = "/api/knowledge/notes"
ITEMS = "/api/knowledge/items"


async def _note(owner: httpx2.AsyncClient, text: str = "Возврат за 21 день.") -> str:
    response = await owner.post(NOTES, json={"text": text})
    return response.json()["item"]["item_id"]


@pytest.mark.spec("I1", "I2", "K18")
async def test_a_note_is_created_once_and_then_updated_under_its_external_id(
    owner: httpx2.AsyncClient,
) -> None:
    created = await owner.post(NOTES, json={"text": "один", "external_id": "a"})
    item = created.json()["item"]
    assert (created.status_code, created.json()["outcome"]) == (201, "created")
    assert created.headers["location"] == f"{ITEMS}/{item['item_id']}"
    assert created.headers["etag"] == f'"{item["revision"]}"'
    same = await owner.post(NOTES, json={"text": "один", "external_id": "a"})
    assert (same.status_code, same.json()["outcome"]) == (200, "unchanged")
    updated = await owner.post(NOTES, json={"text": "два", "external_id": "a"})
    assert (updated.status_code, updated.json()["outcome"]) == (200, "updated")
    assert updated.json()["item"]["item_id"] == item["item_id"]


@pytest.mark.spec("I1")
async def test_times_are_rfc_3339_in_utc_and_names_are_snake_case(
    owner: httpx2.AsyncClient,
) -> None:
    item = (await owner.get(f"{ITEMS}/{await _note(owner)}")).json()
    for field in ("created_at", "updated_at"):
        assert item[field].endswith("Z")
        assert datetime.fromisoformat(item[field]).utcoffset() is not None
    assert all(name == name.lower() and "-" not in name for name in item)


@pytest.mark.spec("I1")
async def test_an_idempotency_key_gives_the_first_reply_again(
    owner: httpx2.AsyncClient, reader: httpx2.AsyncClient, scripted: Scripted
) -> None:
    headers = {"Idempotency-Key": "once"}
    first = await owner.post(NOTES, json={"text": "один"}, headers=headers)
    again = await owner.post(NOTES, json={"text": "один"}, headers=headers)
    assert again.status_code == first.status_code == 201
    assert again.content == first.content
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["idempotency-replayed"] == "true"
    assert len(scripted.items.kept) == 1
    other = await owner.post(NOTES, json={"text": "два"}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (
        422,
        "workspaces.idempotency_key_reused",
    )
    foreign = await reader.post(NOTES, json={"text": "один"}, headers=headers)
    assert foreign.status_code == 403


@pytest.mark.spec("I1")
async def test_what_failed_may_be_tried_again_with_the_same_idempotency_key(
    owner: httpx2.AsyncClient,
) -> None:
    headers = {"Idempotency-Key": "k"}
    failed = await owner.post(NOTES, json={"text": " "}, headers=headers)
    assert failed.json()["code"] == "items.note_empty"
    assert (await owner.post(NOTES, json={"text": "да"}, headers=headers)).status_code == 201


@pytest.mark.spec("I1")
@pytest.mark.parametrize("key", ["", "x" * 201])
async def test_an_idempotency_key_that_cannot_be_kept_is_refused(
    owner: httpx2.AsyncClient, key: str
) -> None:
    response = await owner.post(NOTES, json={"text": "да"}, headers={"Idempotency-Key": key})
    assert (response.status_code, response.json()["code"]) == (400, "api.bad_idempotency_key")


@pytest.mark.spec("I1")
async def test_a_change_against_an_old_revision_fails_and_changes_nothing(
    owner: httpx2.AsyncClient,
) -> None:
    item_id = await _note(owner)
    etag = (await owner.get(f"{ITEMS}/{item_id}")).headers["etag"]
    first = await owner.patch(
        f"{ITEMS}/{item_id}", json={"title": "Новое"}, headers={"If-Match": etag}
    )
    assert first.status_code == 200
    assert first.headers["etag"] != etag
    late = await owner.patch(
        f"{ITEMS}/{item_id}", json={"title": "Позднее"}, headers={"If-Match": etag}
    )
    assert (late.status_code, late.json()["code"]) == (412, "items.changed_meanwhile")
    assert (await owner.get(f"{ITEMS}/{item_id}")).json()["title"] == "Новое"


@pytest.mark.spec("I1")
async def test_a_change_that_names_nothing_or_a_revision_that_is_none_is_refused(
    owner: httpx2.AsyncClient,
) -> None:
    item_id = await _note(owner)
    nothing = await owner.patch(f"{ITEMS}/{item_id}", json={})
    assert (nothing.status_code, nothing.json()["code"]) == (422, "api.nothing_to_change")
    odd = await owner.patch(
        f"{ITEMS}/{item_id}", json={"title": "t"}, headers={"If-Match": "latest"}
    )
    assert (odd.status_code, odd.json()["code"]) == (400, "api.bad_if_match")
    unpinned = await owner.patch(f"{ITEMS}/{item_id}", json={"pinned": False})
    assert unpinned.status_code == 200


@pytest.mark.spec("I1")
async def test_a_list_goes_on_where_its_cursor_says_until_the_end(
    owner: httpx2.AsyncClient,
) -> None:
    made = [await _note(owner, f"заметка {n}") for n in range(5)]
    seen: list[str] = []
    cursor = None
    for _ in range(3):
        query = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = (await owner.get(ITEMS, params=query)).json()
        seen += [item["item_id"] for item in page["items"]]
        cursor = page["next_cursor"]
    assert cursor is None
    assert seen == made[::-1]
    odd = await owner.get(ITEMS, params={"limit": 201, "colour": "red"})
    assert {(one["field"], one["code"]) for one in odd.json()["errors"]} == {
        ("limit", "less_than_equal"),
        ("colour", "extra_forbidden"),
    }


@pytest.mark.spec("K15", "I1")
@pytest.mark.parametrize(("lang", "word"), [("en", "password"), ("ru", "парол")])
async def test_a_failure_is_told_in_the_readers_language_with_what_to_do(
    owner: httpx2.AsyncClient, scripted: Scripted, lang: str, word: str
) -> None:
    scripted.items.kept[ItemId(5)] = an_item(
        5,
        status=Status.FAILED,
        failure=Remark("encrypted"),
        warnings=(Remark("cut", {"kept": 1000}), Remark("made_by_a_newer_release")),
    )
    response = await owner.get(f"{ITEMS}/{write_id(5)}", headers={"Accept-Language": lang})
    item = response.json()
    assert item["failure"]["code"] == "encrypted"
    assert word in item["failure"]["message"]
    assert word in item["failure"]["hint"]
    assert "1000" in item["warnings"][0]["message"]
    assert item["warnings"][1]["code"] == "made_by_a_newer_release"


@pytest.mark.spec("K15")
@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("code", ["cancelled", "gave_up", "no_text", "made_by_a_newer_release"])
def test_every_failure_says_something_and_what_to_do(code: str, lang: str) -> None:
    message, hint = tell_failure(Remark(code), Language(lang))
    assert message
    assert hint


@pytest.mark.spec("K12", "K20")
async def test_a_file_is_uploaded_with_its_fields(
    owner: httpx2.AsyncClient, scripted: Scripted
) -> None:
    response = await owner.post(
        FILES,
        files={"file": ("x", "Возврат за 21 день.".encode())},
        data={
            "name": "возврат.txt",
            "external_id": "папка/возврат.txt",
            "copy": "true",
            "title": "",
            "split": '{"split_mode": "heading", "chunk_size": 500}',
        },
    )
    assert response.status_code == 201
    item = response.json()["item"]
    assert (item["name"], item["external_id"]) == ("возврат.txt", "папка/возврат.txt")
    assert scripted.items.uploads == 1


@pytest.mark.spec("K12", "X8")
@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        ({"json": {"name": "a"}}, 400, "api.not_multipart"),
        (
            {"content": b"x", "headers": {"Content-Type": "multipart/form-data"}},
            400,
            "api.not_multipart",
        ),
        ({"files": {"name": (None, "a.txt")}}, 400, "api.not_multipart"),
        ({"files": {"picture": ("a.txt", b"x")}}, 400, "api.not_multipart"),
        ({"files": {"file": ("a.txt", b"x"), "split": (None, "{")}}, 400, "api.not_json"),
        (
            {"files": {"file": ("a.txt", b"x"), "split": (None, '{"x": 1}')}},
            422,
            "api.fields_invalid",
        ),
        ({"files": {"file": ("a.txt", b"x"), "colour": (None, "red")}}, 422, "api.fields_invalid"),
        (
            {"files": {"file": ("a.txt", b"x"), "copy": (None, "perhaps")}},
            422,
            "api.fields_invalid",
        ),
        ({"files": {"file": ("a.txt", b"x"), "title": (None, "a\0b")}}, 422, "api.unfit_text"),
        ({"files": {"file": ("", b"x"), "name": (None, "")}}, 422, "api.fields_invalid"),
        ({"files": {"name": (None, "a"), "sha256": (None, "12")}}, 422, "api.fields_invalid"),
        ({"files": {"name": (None, "a"), "sha256": (None, "0" * 64)}}, 404, "items.bytes_unknown"),
    ],
)
async def test_an_upload_that_cannot_be_taken_is_told_so(
    owner: httpx2.AsyncClient, request_: dict[str, object], status: int, code: str
) -> None:
    response = await owner.post(FILES, **request_)  # type: ignore[arg-type]
    assert (response.status_code, response.json()["code"]) == (status, code)


@pytest.mark.spec("K19")
async def test_bytes_that_the_server_has_need_not_be_sent_again(
    owner: httpx2.AsyncClient, scripted: Scripted
) -> None:
    content = "Возврат".encode()
    digest = sha256(content).hexdigest()
    asked = {"files": [{"sha256": digest, "external_id": "a.txt"}]}
    assert (await owner.post(f"{FILES}/missing", json=asked)).json() == {
        "files": [{"item_id": None, "known": False, "item": None}]
    }
    await owner.post(FILES, files={"file": ("a.txt", content), "external_id": (None, "a.txt")})
    there = (await owner.post(f"{FILES}/missing", json=asked)).json()["files"][0]
    assert there["item_id"]
    asked["files"][0]["external_id"] = "b.txt"
    assert (await owner.post(f"{FILES}/missing", json=asked)).json() == {
        "files": [{"item_id": None, "known": True, "item": None}]
    }
    by_hash = await owner.post(FILES, files={"name": (None, "b.txt"), "sha256": (None, digest)})
    assert by_hash.status_code == 201
    assert scripted.items.uploads == 1


@pytest.mark.spec("K19")
async def test_at_most_a_thousand_files_are_asked_about_at_once(
    owner: httpx2.AsyncClient,
) -> None:
    files = [{"sha256": f"{n:064x}"} for n in range(1001)]
    assert (await owner.post(f"{FILES}/missing", json={"files": files})).status_code == 422
    assert (await owner.post(f"{FILES}/missing", json={"files": files[1:]})).status_code == 200


@pytest.mark.spec("I1")
async def test_a_source_is_a_download_that_no_browser_runs(owner: httpx2.AsyncClient) -> None:
    name = 'отчёт "1"\r\nX-Evil: 1.html'
    made = await owner.post(
        FILES, files={"file": ("x", b"<script>1</script>"), "name": (None, name)}
    )
    item_id = made.json()["item"]["item_id"]
    response = await owner.get(f"{ITEMS}/{item_id}/source")
    assert response.content == b"<script>1</script>"
    assert response.headers["content-disposition"].startswith("attachment;")
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in response.headers["content-security-policy"]
    assert "x-evil" not in response.headers


@pytest.mark.spec("I1")
async def test_versions_text_refresh_and_deletion_are_there(owner: httpx2.AsyncClient) -> None:
    item_id = await _note(owner)
    assert [
        one["version"]
        for one in (await owner.get(f"{ITEMS}/{item_id}/versions")).json()["versions"]
    ] == [1]
    text = (await owner.get(f"{ITEMS}/{item_id}/text", params={"version": 1})).json()
    assert text["text"] == "Возврат за 21 день."
    assert (await owner.get(f"{ITEMS}/{item_id}/text", params={"version": 0})).status_code == 422
    refreshed = await owner.post(f"{ITEMS}/{item_id}/refresh")
    assert (refreshed.status_code, refreshed.json()["status"]) == (202, "queued")
    assert (await owner.delete(f"{ITEMS}/{item_id}")).status_code == 204
    assert (await owner.get(f"{ITEMS}/{item_id}")).status_code == 404


UNFIT_SPLITS = [
    ({"chunk_size": 1}, "split.chunk_size", "greater_than_equal"),
    ({"max_chunk_size": 1}, "split.max_chunk_size", "greater_than_equal"),
    ({"chunk_size": 1000, "max_chunk_size": 999}, "split", "max_chunk_size_too_small"),
    ({"max_chunk_size": 999}, "split", "max_chunk_size_too_small"),
    ({"chunk_size": 100, "chunk_overlap": 51}, "split", "chunk_overlap_too_large"),
    ({"split_mode": "separator"}, "split", "separator_without_its_mode"),
    ({"separator": "---"}, "split", "separator_without_its_mode"),
]


@pytest.mark.spec("K21", "X8")
@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(("split", "field", "code"), UNFIT_SPLITS)
async def test_a_split_that_no_document_could_be_split_by_is_refused_at_once(
    owner: httpx2.AsyncClient,
    scripted: Scripted,
    lang: str,
    split: dict[str, object],
    field: str,
    code: str,
) -> None:
    response = await owner.post(
        "/api/knowledge/notes",
        json={"text": "x", "split": split},
        headers={"Accept-Language": lang},
    )
    assert response.status_code == 422
    (told,) = response.json()["errors"]
    assert (told["field"], told["code"]) == (field, code)
    assert any("а" <= letter <= "я" for letter in told["message"]) == (lang == "ru")
    assert not scripted.items.kept


@pytest.mark.spec("K21")
@pytest.mark.parametrize(
    "split",
    [
        {},
        {"chunk_size": 50},
        {"chunk_size": 5000},
        {"chunk_size": 100, "chunk_overlap": 50},
        {"split_mode": "separator", "separator": "\\n"},
        {"split_mode": "fixed_size"},
    ],
)
def test_a_split_that_the_door_takes_is_one_that_documents_are_split_by(
    split: dict[str, object],
) -> None:
    stored = SplitAsked.model_validate(split).stored()
    given = SplitSettings.model_validate(split)
    assert SplitSettings.model_validate_json(stored) == given
