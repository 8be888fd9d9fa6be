"""Domains, addresses, members, limited keys and workspaces over HTTP."""

import httpx2
import pytest

LIMIT = {"level": "domain:example.com", "grant": "send"}


@pytest.mark.spec("K1", "K4", "I1")
async def test_domains_and_addresses_are_registered_paged_and_deleted(
    owner: httpx2.AsyncClient,
) -> None:
    for name in ("Example.COM", "telegram:shop_bot", "Пример.рф"):
        assert (await owner.post("/api/domains", json={"name": name})).status_code == 201
    first = (await owner.get("/api/domains", params={"limit": 2})).json()
    assert [(one["name"], one["kind"]) for one in first["domains"]] == [
        ("example.com", "mail"),
        ("telegram:shop_bot", "platform"),
    ]
    rest = (await owner.get("/api/domains", params={"cursor": first["next_cursor"]})).json()
    (last,) = rest["domains"]
    assert (last["shown_as"], rest["next_cursor"]) == ("пример.рф", None)
    made = (await owner.post("/api/addresses", json={"name": "Support+EU@example.com"})).json()
    assert (made["base"], made["level"]) == (
        "support@example.com",
        "address:support+eu@example.com",
    )
    found = (await owner.get("/api/addresses", params={"domain": "example.com"})).json()
    assert found["addresses"] == [made]
    for path, name in (("addresses", "address"), ("domains", "domain")):
        listed = (await owner.get(f"/api/{path}")).json()[path][0]
        there = f"/api/{path}/{listed[f'{name}_id']}"
        assert (await owner.get(there)).json() == listed
        assert (await owner.delete(there)).status_code == 204
        assert (await owner.delete(there)).status_code == 404


@pytest.mark.spec("K1")
@pytest.mark.parametrize(
    ("lang", "taken", "outside"),
    [
        ("en", "registered on this server", "not registered"),
        ("ru", "сервере", "не зарегистрирован"),
    ],
)
async def test_a_domain_that_is_held_elsewhere_is_refused_without_saying_where(
    owner: httpx2.AsyncClient, lang: str, taken: str, outside: str
) -> None:
    headers = {"Accept-Language": lang}
    refused = await owner.post("/api/domains", json={"name": "held.example"}, headers=headers)
    assert refused.status_code == 409
    assert taken in refused.json()["detail"]
    address = {"name": "support@held.example"}
    refused = await owner.post("/api/addresses", json=address, headers=headers)
    assert refused.status_code == 422
    assert outside in refused.json()["detail"]


@pytest.mark.spec("K1", "X8")
@pytest.mark.parametrize(
    "name", ["", "nodots", "a b.example", "x" * 299, "\u0000.example", "1.2.3"]
)
async def test_what_is_no_domain_is_refused(owner: httpx2.AsyncClient, name: str) -> None:
    assert (await owner.post("/api/domains", json={"name": name})).status_code in {400, 422}


@pytest.mark.spec("X1", "X2", "I1")
async def test_a_member_is_made_changed_and_removed(owner: httpx2.AsyncClient) -> None:
    body = {"email": "anna@example.com", "name": "Анна", "role": "member", "limits": [LIMIT]}
    made = await owner.post("/api/members", json=body)
    assert (made.status_code, made.headers["etag"]) == (201, '"1"')
    there = made.headers["location"]
    assert made.json()["limits"] == [LIMIT]
    assert (await owner.post("/api/members", json=body)).status_code == 409
    kept = await owner.patch(there, json={"name": "Анна Л."}, headers={"If-Match": '"1"'})
    assert (kept.json()["name"], kept.json()["limits"]) == ("Анна Л.", [LIMIT])
    stale = await owner.patch(there, json={"role": "viewer"}, headers={"If-Match": '"1"'})
    assert stale.status_code == 412
    lifted = (await owner.patch(there, json={"limits": None, "disabled": True})).json()
    assert (lifted["limits"], lifted["disabled_at"] is None) == (None, False)
    nothing = (await owner.patch(there, json={"limits": []})).json()
    assert nothing["limits"] == []
    assert (await owner.patch(there, json={})).status_code == 422
    assert len((await owner.get("/api/members")).json()["members"]) == 2
    assert (await owner.delete(there)).status_code == 204
    assert (await owner.get(there)).status_code == 404


@pytest.mark.spec("X1")
@pytest.mark.parametrize(("lang", "word"), [("en", "last owner"), ("ru", "последний владелец")])
async def test_the_last_owner_stays(owner: httpx2.AsyncClient, lang: str, word: str) -> None:
    (last,) = (await owner.get("/api/members")).json()["members"]
    there = f"/api/members/{last['member_id']}"
    headers = {"Accept-Language": lang}
    for refused in (
        await owner.delete(there, headers=headers),
        await owner.patch(there, json={"role": "viewer"}, headers=headers),
    ):
        assert refused.status_code == 409
        assert word in refused.json()["detail"]


@pytest.mark.spec("X2", "X4")
async def test_a_key_is_made_with_limits_and_shows_them(owner: httpx2.AsyncClient) -> None:
    body = {"name": "bot", "permissions": ["knowledge:write"], "limits": [LIMIT]}
    made = await owner.post("/api/keys", json=body)
    assert made.json()["key"]["limits"] == [LIMIT]
    assert made.json()["key"]["member_id"] == made.json()["key"]["made_by"] == "0000000000001"
    (listed,) = (await owner.get("/api/keys")).json()["keys"]
    assert listed["limits"] == [LIMIT]
    wrong = {**body, "limits": [{"level": "domain:example.com", "grant": "own"}]}
    assert (await owner.post("/api/keys", json=wrong)).status_code == 422


@pytest.mark.spec("K1")
async def test_the_operator_makes_and_deletes_workspaces_by_their_name(
    operator: httpx2.AsyncClient, owner: httpx2.AsyncClient
) -> None:
    body = {"name": "Лавка", "language": "ru"}
    refused = await owner.post("/api/workspaces", json=body)
    assert (refused.status_code, refused.json()["code"]) == (403, "workspaces.operator_needed")
    headers = {"Idempotency-Key": "one"}
    made = await operator.post("/api/workspaces", json=body, headers=headers)
    assert made.status_code == 201
    secret = made.json()["key"]["secret"]
    again = await operator.post("/api/workspaces", json=body, headers=headers)
    assert (again.status_code, again.json()["code"]) == (409, "api.secret_shown")
    listed = await operator.get("/api/workspaces")
    assert [one["name"] for one in listed.json()["workspaces"]] == ["Лесная полка", "Лавка"]
    assert secret not in listed.text
    there = f"/api/workspaces/{made.json()['workspace']['workspace_id']}"
    for body in ({"confirm": "лавка"}, {"confirm": ""}, {}, None):
        assert (await operator.request("DELETE", there, json=body)).status_code == 422
    deleted = await operator.request("DELETE", there, json={"confirm": "Лавка"})
    assert deleted.status_code == 204
    assert (await operator.get(there)).status_code == 404


@pytest.mark.spec("K1", "N-59", "X17")
async def test_a_foreign_workspace_answers_as_one_that_is_not_there(
    operator: httpx2.AsyncClient, owner: httpx2.AsyncClient
) -> None:
    made = await operator.post("/api/workspaces", json={"name": "Other"})
    foreign = made.json()["workspace"]["workspace_id"]
    headers = {"X-Request-Id": "x"}
    for missing in ("0000000000zzz", "zzzzzzzzzzzzz", "me"):
        for method, body in (("GET", None), ("PATCH", {"name": "Mine"})):
            one = await owner.request(
                method, f"/api/workspaces/{foreign}", json=body, headers=headers
            )
            other = await owner.request(
                method, f"/api/workspaces/{missing}", json=body, headers=headers
            )
            assert one.status_code == other.status_code == 404
            assert one.content == other.content
    own = await owner.patch("/api/workspaces/000000000002d", json={"name": "Полка"})
    assert own.json()["name"] == "Полка"


@pytest.mark.spec("X1", "X17")
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/domains"),
        ("GET", "/api/domains/0000000000001"),
        ("DELETE", "/api/domains/0000000000001"),
        ("GET", "/api/addresses"),
        ("DELETE", "/api/addresses/zzzzzzzzzzzzz"),
        ("GET", "/api/members"),
        ("GET", "/api/members/zzzzzzzzzzzzz"),
        ("DELETE", "/api/members/0000000000001"),
        ("GET", "/api/workspaces"),
    ],
)
async def test_who_is_no_admin_is_refused_whatever_he_names(
    reader: httpx2.AsyncClient, billing: httpx2.AsyncClient, method: str, path: str
) -> None:
    for client in (reader, billing):
        assert (await client.request(method, path)).status_code == 403
