"""Keys, the caller, the probes and the set-up page."""

import re

import httpx2
import pytest

from fakes.rooms import SETUP_SECRET, Missing, Scripted
from svod.foundation.errors import Says


@pytest.mark.spec("I7a")
async def test_whoami_says_who_asks_and_what_he_may_do_where(reader: httpx2.AsyncClient) -> None:
    who = (await reader.get("/api/whoami")).json()
    assert who["permissions"] == ["knowledge:read"]
    assert [(one["name"], one["may_change"]) for one in who["levels"]] == [
        ("workspace", False),
        ("global", False),
    ]
    assert len(who["workspace_id"]) == len(who["principal_id"]) == 13


@pytest.mark.spec("K5")
async def test_levels_say_how_much_is_on_them(owner: httpx2.AsyncClient) -> None:
    levels = (await owner.get("/api/knowledge/levels")).json()["levels"]
    assert levels[0] == {"name": "workspace", "kind": "workspace", "items": 2, "may_change": True}


@pytest.mark.spec("X4")
async def test_a_keys_secret_is_in_the_reply_that_makes_it_and_nowhere_else(
    owner: httpx2.AsyncClient, scripted: Scripted
) -> None:
    body = {
        "name": "ночной",
        "permissions": ["knowledge:write"],
        "expires_at": "2027-01-31T03:00:00+03:00",
    }
    headers = {"Idempotency-Key": "one"}
    made = await owner.post("/api/keys", json=body, headers=headers)
    secret = made.json()["secret"]
    assert made.status_code == 201
    assert made.json()["key"]["expires_at"] == "2027-01-31T00:00:00Z"
    listed = await owner.get("/api/keys")
    assert listed.json()["keys"][0]["name"] == "ночной"
    assert secret not in listed.text
    again = await owner.post("/api/keys", json=body, headers=headers)
    assert (again.status_code, again.json()["code"]) == (409, "api.secret_shown")
    assert len(scripted.workspaces.made) == 1
    assert all(secret not in str(reply) for _, reply in scripted.replies.kept.values())


@pytest.mark.spec("X4", "X8")
@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"name": "", "permissions": ["admin"]}, "name", "string_too_short"),
        ({"name": "k", "permissions": []}, "permissions", "too_short"),
        ({"name": "k", "permissions": ["root"]}, "permissions.0", "enum"),
        (
            {"name": "k", "permissions": ["admin"], "expires_at": "2027-01-31T00:00:00"},
            "expires_at",
            "timezone_aware",
        ),
    ],
)
async def test_a_key_that_makes_no_sense_is_not_made(
    owner: httpx2.AsyncClient, body: dict[str, object], field: str, code: str
) -> None:
    response = await owner.post("/api/keys", json=body)
    assert response.status_code == 422
    assert [(one["field"], one["code"]) for one in response.json()["errors"]] == [(field, code)]


@pytest.mark.spec("X4")
async def test_a_key_is_revoked_and_an_unknown_one_is_not_there(owner: httpx2.AsyncClient) -> None:
    made = await owner.post("/api/keys", json={"name": "k", "permissions": ["admin"]})
    principal_id = made.json()["key"]["principal_id"]
    assert (await owner.delete(f"/api/keys/{principal_id}")).status_code == 204
    unknown = await owner.delete("/api/keys/00000000000zz", headers={"X-Request-Id": "x"})
    odd = await owner.delete("/api/keys/me", headers={"X-Request-Id": "x"})
    assert unknown.status_code == odd.status_code == 404
    assert unknown.content == odd.content


@pytest.mark.spec("I1")
@pytest.mark.parametrize(("lang", "word"), [("en", "loading"), ("ru", "загружается")])
async def test_ready_says_what_is_missing_and_whether_one_must_wait_for_it(
    nobody: httpx2.AsyncClient, scripted: Scripted, lang: str, word: str
) -> None:
    assert (await nobody.get("/health")).json() == {"status": "ok"}
    assert (await nobody.get("/ready")).json() == {"status": "ready", "not_ready": []}
    says = Says("The model is loading.", "Модель загружается.")
    scripted.health.missing = [Missing("meaning_loading", says, blocking=False)]
    partly = await nobody.get("/ready", headers={"Accept-Language": lang})
    assert (partly.status_code, partly.json()["status"]) == (200, "ready")
    assert word in partly.json()["not_ready"][0]["message"]
    scripted.health.missing = [Missing("database", says)]
    missing = await nobody.get("/ready")
    assert (missing.status_code, missing.json()["status"]) == (503, "not_ready")


@pytest.mark.spec("X4")
@pytest.mark.parametrize(("lang", "word"), [("en", "works once"), ("ru", "один раз")])
async def test_the_set_up_page_explains_and_spends_nothing_until_its_button_is_pressed(
    nobody: httpx2.AsyncClient, scripted: Scripted, lang: str, word: str
) -> None:
    headers = {"Accept-Language": lang}
    for _ in range(2):
        page = await nobody.get("/setup", params={"token": SETUP_SECRET}, headers=headers)
        assert page.status_code == 200
        assert word in page.text
        assert page.text.count("<button") == 1
    assert not scripted.workspaces.setup_spent
    done = await nobody.post("/setup", data={"token": SETUP_SECRET}, headers=headers)
    secret = scripted.workspaces.made[0].secret
    assert done.status_code == 200
    assert secret in done.text
    assert done.headers["cache-control"] == "no-store"
    spent = await nobody.post("/setup", data={"token": SETUP_SECRET}, headers=headers)
    assert spent.status_code == 403
    assert secret not in spent.text
    assert "svod up" in spent.text


@pytest.mark.spec("X4")
async def test_the_set_up_page_loads_nothing_from_elsewhere_and_runs_no_script(
    nobody: httpx2.AsyncClient,
) -> None:
    page = await nobody.get("/setup", params={"token": '"><script>alert(1)</script>'})
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "<script" not in page.text
    assert not re.search(r"(src|href)=|url\(|@import", page.text)
    assert page.headers["referrer-policy"] == "no-referrer"
