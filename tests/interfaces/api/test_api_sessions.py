# ruff: noqa: ARG001 - fixtures that must only have run
"""Browsers: signed in, recognised by their cookie, safe from other sites' pages; and rates."""

from dataclasses import replace

import httpx2
import pytest
from fastapi import FastAPI

from fakes.doors import EMAIL, PASSWORD, SECRET
from fakes.rooms import OWNER_KEY, Scripted
from svod.interfaces.api import make_app
from svod.interfaces.api.errors import TooManyRequests
from svod.interfaces.api.rates import Rates
from svod.knowledge.workspaces.sign_in.sessions import csrf_token

ASKED = {"email": EMAIL, "password": PASSWORD}


async def _signed_in(client: httpx2.AsyncClient, scripted: Scripted) -> str:
    scripted.browsers.caller = await scripted.workspaces.authenticate(OWNER_KEY)
    return (await client.post("/api/session", json=ASKED)).json()["csrf_token"]


@pytest.mark.spec("X4")
async def test_a_browser_that_signs_in_gets_a_cookie_no_script_can_read(
    nobody: httpx2.AsyncClient,
) -> None:
    reply = await nobody.post("/api/session", json=ASKED)
    cookie = reply.headers["set-cookie"]
    assert reply.status_code == 200
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert SECRET not in reply.text
    assert reply.json()["workspaces"][0]["name"] == "Прокат"


@pytest.mark.spec("X4")
async def test_beyond_this_machine_the_cookie_goes_through_tls_alone(
    app: FastAPI, scripted: Scripted
) -> None:
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://svod.example") as client:
        reply = await client.post("/api/session", json=ASKED)
    assert "Secure" in reply.headers["set-cookie"]


@pytest.mark.spec("X4")
@pytest.mark.parametrize(("lang", "said"), [("en", "password"), ("ru", "пароль")])
async def test_a_wrong_password_is_told_in_the_readers_language(
    nobody: httpx2.AsyncClient, lang: str, said: str
) -> None:
    wrong = ASKED | {"password": "other words entirely"}
    reply = await nobody.post("/api/session", json=wrong, headers={"Accept-Language": lang})
    assert (reply.status_code, reply.json()["code"]) == (401, "workspaces.wrong_password")
    assert said in reply.json()["detail"]
    assert "set-cookie" not in reply.headers


@pytest.mark.spec("X4")
async def test_what_changes_something_needs_the_token_of_the_session(
    nobody: httpx2.AsyncClient, scripted: Scripted
) -> None:
    token = await _signed_in(nobody, scripted)
    note = {"text": "Возврат за 21 день."}
    assert (await nobody.get("/api/whoami")).status_code == 200
    without = await nobody.post("/api/knowledge/notes", json=note)
    assert (without.status_code, without.json()["code"]) == (403, "workspaces.forged_request")
    forged = {"X-CSRF-Token": csrf_token("svod_0000000000001_" + "x" * 43)}
    assert (await nobody.post("/api/knowledge/notes", json=note, headers=forged)).status_code == 403
    ours = {"X-CSRF-Token": token}
    assert (await nobody.post("/api/knowledge/notes", json=note, headers=ours)).status_code == 201
    theirs = ours | {"Origin": "https://evil.example"}
    assert (await nobody.post("/api/knowledge/notes", json=note, headers=theirs)).status_code == 403


@pytest.mark.spec("X4")
async def test_signing_out_ends_the_session(nobody: httpx2.AsyncClient, scripted: Scripted) -> None:
    token = await _signed_in(nobody, scripted)
    assert (await nobody.get("/api/session")).json()["csrf_token"] == token
    left = await nobody.delete("/api/session", headers={"X-CSRF-Token": token})
    assert left.status_code == 204
    assert scripted.browsers.left
    assert (await nobody.get("/api/session")).status_code == 401


@pytest.mark.spec("X4")
async def test_a_spent_link_signs_nobody_in(nobody: httpx2.AsyncClient) -> None:
    for path, more in (("invitation", {}), ("setup", {"email": EMAIL})):
        good = {"token": SECRET, "password": PASSWORD, **more}
        assert (await nobody.post(f"/api/{path}", json=good)).status_code == 200
        refused = await nobody.post(f"/api/{path}", json=good | {"token": "svod_spent"})
        assert refused.status_code == 403
        assert "set-cookie" not in refused.headers


@pytest.mark.spec("X12")
async def test_the_log_is_listed_and_exported_for_admins(
    owner: httpx2.AsyncClient, reader: httpx2.AsyncClient
) -> None:
    (first, _) = (await owner.get("/api/audit")).json()["entries"]
    assert (first["action"], first["by"]) == ("key_made", "Анна")
    lines = (await owner.get("/api/audit/export")).text.splitlines()
    assert len(lines) == 2
    for path in ("/api/audit", "/api/audit/export"):
        assert (await reader.get(path)).status_code == 403


@pytest.mark.spec("X4")
async def test_a_key_that_asks_too_often_waits_and_no_other(scripted: Scripted) -> None:
    app = make_app(replace(scripted.rooms, requests_per_minute=4))
    transport = httpx2.ASGITransport(app)
    headers = {"Authorization": f"Bearer {OWNER_KEY}"}
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        codes = [(await client.get("/api/whoami", headers=headers)).status_code for _ in range(4)]
        refused = await client.get("/api/whoami", headers=headers)
        other = await client.get("/health")
    assert codes[:2] == [200, 200]
    assert (refused.status_code, refused.json()["code"]) == (429, "api.too_many_requests")
    assert int(refused.headers["retry-after"]) > 0
    assert other.status_code == 200


@pytest.mark.spec("X4")
def test_buckets_are_apart_and_the_least_used_are_forgotten() -> None:
    rates = Rates(2)
    rates.take("one")
    with pytest.raises(TooManyRequests):
        rates.take("one")
    for number in range(10_001):
        rates.take(number)
    rates.take("one")
