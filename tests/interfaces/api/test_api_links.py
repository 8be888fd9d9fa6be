"""Pages through REST: added by their addresses, told as items, fetched again by days."""

import httpx2
import pytest

from svod.foundation.errors import Language
from svod.foundation.fetching.errors import FAILURES
from svod.interfaces.api.told import tell_failure
from svod.knowledge.items.item import Remark

LINKS = "/api/knowledge/links"
ITEMS = "/api/knowledge/items"
URL = "https://example.com/docs"


@pytest.mark.spec("K13", "I1", "I2")
async def test_a_page_is_added_once(owner: httpx2.AsyncClient) -> None:
    body = {"url": f"{URL}?utm_source=x#top", "refresh_days": 7, "title": "Docs"}
    created = await owner.post(LINKS, json=body)
    item = created.json()["item"]
    assert (created.status_code, created.json()["outcome"]) == (201, "created")
    assert created.headers["location"] == f"{ITEMS}/{item['item_id']}"
    assert (item["kind"], item["url"], item["title"]) == ("link", URL, "Docs")
    assert (item["refresh_days"], item["fetched_at"], item["next_refresh_at"]) == (7, None, None)
    assert item["stale"] is False
    again = await owner.post(LINKS, json={"url": URL})
    assert (again.status_code, again.json()["outcome"]) == (200, "unchanged")
    assert again.json()["item"]["item_id"] == item["item_id"]


@pytest.mark.spec("I1")
async def test_with_an_idempotency_key_the_first_reply_comes_again(
    owner: httpx2.AsyncClient,
) -> None:
    headers = {"Idempotency-Key": "once"}
    first, again = [await owner.post(LINKS, json={"url": URL}, headers=headers) for _ in range(2)]
    assert first.status_code == again.status_code == 201
    assert first.content == again.content
    other = await owner.post(LINKS, json={"url": f"{URL}/b"}, headers=headers)
    assert other.json()["code"] == "workspaces.idempotency_key_reused"


@pytest.mark.spec("X11", "X3", "N-62")
@pytest.mark.parametrize("language", list(Language))
async def test_every_address_that_is_not_public_is_refused_alike(
    owner: httpx2.AsyncClient, language: Language
) -> None:
    told: set[tuple[int, str, str]] = set()
    for url in (
        "http://127.0.0.1:5432/",
        "http://[::1]/",
        "http://10.1.2.3/",
        "http://2130706433/",
        "http://169.254.169.254/latest/",
        "http://localhost/",
        "http://wiki/",
    ):
        refused = await owner.post(
            LINKS, json={"url": url}, headers={"Accept-Language": language.value}
        )
        problem = refused.json()
        told.add((refused.status_code, problem["code"], problem["detail"]))
    assert len(told) == 1
    ((status, code, _),) = told
    assert (status, code) == (422, "address_refused")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"url": "ftp://example.com/"}, 422),
        ({"url": "https://user:pass@example.com/"}, 422),
        ({"url": "example.com"}, 422),
        ({"url": ""}, 422),
        ({"url": "x" * 4001}, 422),
        ({}, 422),
        ({"url": URL, "refresh_days": 2}, 422),
        ({"url": URL, "refresh_days": "7"}, 422),
        ({"url": URL, "depth": 3}, 422),
        ({"url": URL, "level": "domain:unknown.example"}, 404),
    ],
)
async def test_what_cannot_be_added_is_refused(
    owner: httpx2.AsyncClient, body: dict[str, object], status: int
) -> None:
    refused = await owner.post(LINKS, json=body)
    assert refused.status_code == status, refused.text
    assert (await owner.get(ITEMS)).json()["items"] == []


@pytest.mark.spec("X1")
async def test_adding_needs_the_right_to_write(
    reader: httpx2.AsyncClient, billing: httpx2.AsyncClient, nobody: httpx2.AsyncClient
) -> None:
    for client, status in ((reader, 403), (billing, 403), (nobody, 401)):
        assert (await client.post(LINKS, json={"url": URL})).status_code == status


@pytest.mark.spec("K35")
async def test_the_days_between_refreshes_can_be_changed_and_taken_away(
    owner: httpx2.AsyncClient,
) -> None:
    added = await owner.post(LINKS, json={"url": URL, "refresh_days": 1})
    path = f"{ITEMS}/{added.json()['item']['item_id']}"
    for days in (30, None):
        changed = await owner.patch(path, json={"refresh_days": days})
        assert (changed.status_code, changed.json()["refresh_days"]) == (200, days)
    assert (await owner.patch(path, json={"refresh_days": 5})).status_code == 422
    assert (await owner.patch(path, json={})).json()["code"] == "api.nothing_to_change"
    note = await owner.post("/api/knowledge/notes", json={"text": "A note."})
    assert note.json()["item"]["url"] is None
    refused = await owner.patch(
        f"{ITEMS}/{note.json()['item']['item_id']}", json={"refresh_days": 1}
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "links.not_a_link")


@pytest.mark.spec("K15", "I8")
@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("code", FAILURES)
def test_why_a_page_failed_is_told_in_the_readers_language(language: Language, code: str) -> None:
    message, hint = tell_failure(Remark(code, {"status": 404}), language)
    assert message == FAILURES[code](status=404).message(language)
    assert hint
