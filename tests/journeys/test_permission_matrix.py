"""Every route that takes an id, as those who may not see what it names (X17).

The routes come from the OpenAPI document, so that a new one is covered without anyone remembering.
Where it takes a kind of id that is new here, the test fails and says so: teach `Ground.plant` it.
"""

import secrets
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio
from doors import Door, doors, told

from svod.assembly import assembled
from svod.foundation.settings import Settings
from svod.interfaces.api import make_app
from svod.serve.process import rooms_of

KINDS = frozenset(
    {
        "item_id",
        "principal_id",
        "member_id",
        "domain_id",
        "address_id",
        "workspace_id",
        "judgement_id",
        "card_id",
    }
)
_NONE_OF_OURS = {"/api/session", "/api/session/password", "/api/setup", "/api/invitation"}
"""Doors for browsers: they take a cookie or a secret, no key and no id."""
_OK = 300


@dataclass
class Ground:
    """A workspace with something of every kind, and people who may not see it."""

    client: httpx2.AsyncClient
    operator: str
    owner: str = ""
    foreign: str = ""
    narrow: str = ""
    revoked: str = ""
    viewer: str = ""
    workspace: str = ""
    name: str = field(default_factory=lambda: f"w{secrets.token_hex(4)}.example")

    async def lay(self) -> None:
        """Make the workspaces, and a key of everyone."""
        self.workspace, self.owner = await self._tenant("Наша")
        _, self.foreign = await self._tenant("Чужая")
        # The document's examples speak of `domain:example.com`.
        for place in (self.name, f"other.{self.name}", "example.com"):
            await self.post(self.owner, "/api/domains", {"name": place})
        await self.post(self.owner, "/api/addresses", {"name": f"help@other.{self.name}"})
        limits = [{"level": f"address:help@other.{self.name}", "grant": "send"}]
        self.narrow = await self._key(["knowledge:write"], limits)
        self.viewer = await self._key(["knowledge:read"])
        self.revoked = await self._key(["admin"])
        listed = (await self.call(self.owner, "GET", "/api/keys")).json()["keys"]
        gone = next(key for key in listed if key["permissions"] == ["admin"] and key["name"] == "k")
        await self.call(self.owner, "DELETE", f"/api/keys/{gone['principal_id']}")

    async def plant(self, kind: str) -> str:
        """Something new of a kind, where only its workspace's owner sees it; its id."""
        word = secrets.token_hex(5)
        match kind:
            case "item_id":
                note = {"text": f"Скрытое слово {word}", "level": f"domain:{self.name}"}
                made = await self.post(self.owner, "/api/knowledge/notes", note)
                return made["item"]["item_id"]
            case "principal_id":
                key = {"name": word, "permissions": ["knowledge:read"]}
                return (await self.post(self.owner, "/api/keys", key))["key"]["principal_id"]
            case "member_id":
                member = {"email": f"{word}@example.com", "name": word, "role": "member"}
                return (await self.post(self.owner, "/api/members", member))["member_id"]
            case "domain_id":
                made = await self.post(self.owner, "/api/domains", {"name": f"{word}.{self.name}"})
                return made["domain_id"]
            case "address_id":
                name = f"{word}@{self.name}"
                return (await self.post(self.owner, "/api/addresses", {"name": name}))["address_id"]
            case "workspace_id":
                return self.workspace
            case "judgement_id":
                judged = {"question": word, "item_id": await self.plant("item_id")}
                made = await self.post(
                    self.owner, "/api/knowledge/judgements", {"judgements": [judged]}
                )
                return made["judgements"][0]["judgement_id"]
            case "card_id":
                return "0000000000001"
            case _:
                raise LookupError(f"teach the matrix where to get a {kind}")

    async def ids(self, door: Door) -> dict[str, str]:
        """Fresh things for each id that a door takes."""
        return {kind: await self.plant(kind) for kind in door.every_id}

    async def post(self, key: str, path: str, body: object) -> dict[str, object]:
        reply = await self.call(key, "POST", path, body)
        assert reply.status_code < _OK, f"{path}: {reply.text}"
        return reply.json()

    async def call(self, key: str, method: str, path: str, body: object = None) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {key}"}
        return await self.client.request(method, path, headers=headers, json=body)

    async def _tenant(self, name: str) -> tuple[str, str]:
        body = {"name": name, "language": "ru"}
        made = await self.post(self.operator, "/api/workspaces", body)
        return made["workspace"]["workspace_id"], made["key"]["secret"]

    async def _key(self, permissions: list[str], limits: object = None) -> str:
        body = {"name": "k", "permissions": permissions, "limits": limits}
        return (await self.post(self.owner, "/api/keys", body))["secret"]


@pytest_asyncio.fixture(scope="module")
async def ground(
    database_dsn: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Ground]:
    folder: Path = tmp_path_factory.mktemp("matrix")
    settings = Settings(data=folder, embeddings="none", requests_per_minute=0)
    async with assembled(settings, database_dsn) as svod:
        app = make_app(rooms_of(svod))
        operator = (await svod.workspaces.make_owner_key(name="operator")).secret
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(
            transport=transport, base_url="http://127.0.0.1", timeout=60
        ) as client:
            ground = Ground(client, operator)
            await ground.lay()
            yield ground


@pytest_asyncio.fixture(scope="module")
async def every_door(ground: Ground) -> list[Door]:
    document = (await ground.client.get("/api/openapi.json")).json()
    return [door for door in doors(document, KINDS) if door.path not in _NONE_OF_OURS]


def _unknown(ids: Mapping[str, str]) -> dict[str, str]:
    """Ids of the same form that nothing has."""
    return {kind: "3" + value[1:-1] + "7" for kind, value in ids.items()}


@pytest.mark.spec("X17", "X3", "K2")
@pytest.mark.parametrize("who", ["foreign", "narrow"])
async def test_what_may_not_be_seen_answers_like_what_does_not_exist(
    ground: Ground, every_door: list[Door], who: str
) -> None:
    key = getattr(ground, who)
    tried = 0
    for door in every_door:
        own = who == "narrow" and door.every_id == ("workspace_id",)
        if not door.every_id or own:
            continue  # his own workspace he may see
        ids = await ground.ids(door)
        there = await door.call(ground.client, key, ids)
        unknown = _unknown(ids)
        missing = await door.call(ground.client, key, unknown)
        assert told(there, ids) == told(missing, unknown), f"{door.name}: {there.text}"
        # It is still there, and whoever may does with it what he likes.
        done = await door.call(ground.client, ground.owner, ids)
        assert done.status_code != 404, f"{door.name}: gone after {who} tried"
        tried += 1
    assert tried >= 15


@pytest.mark.spec("X17", "X4")
async def test_a_revoked_key_opens_nothing(ground: Ground, every_door: list[Door]) -> None:
    for door in every_door:
        if door.permission != "none":
            ids = await ground.ids(door)
            reply = await door.call(ground.client, ground.revoked, ids)
            assert reply.status_code == 401, door.name


@pytest.mark.spec("X17", "X1")
async def test_a_viewer_reads_and_changes_nothing(ground: Ground, every_door: list[Door]) -> None:
    for door in every_door:
        ids = await ground.ids(door)
        reply = await door.call(ground.client, ground.viewer, ids)
        if door.permission in {"knowledge:write", "admin", "operator"}:
            assert reply.status_code == 403, f"{door.name}: {reply.status_code}"
        else:
            assert reply.status_code not in {401, 403}, f"{door.name}: {reply.text}"


@pytest.mark.spec("X17", "X1", "X4")
async def test_billing_opens_only_what_everyone_may(ground: Ground, every_door: list[Door]) -> None:
    """Billing has no permission, so no key: it comes as a browser."""
    email, password = f"{secrets.token_hex(4)}@example.com", "четыре слова подряд"
    member = {"email": email, "name": "Счета", "role": "billing"}
    made = await ground.post(ground.owner, "/api/members", member)
    path = f"/api/members/{made['member_id']}/invitation"
    invitation = await ground.post(ground.owner, path, None)
    accepted = {"token": invitation["token"], "password": password}
    session = (await ground.client.post("/api/invitation", json=accepted)).json()
    ground.client.headers["X-CSRF-Token"] = session["csrf_token"]
    try:
        for door in every_door:
            reply = await door.call(ground.client, None, await ground.ids(door))
            free = door.permission in {"any", "none"}
            assert (reply.status_code == 403) != free, f"{door.name}: {reply.status_code}"
    finally:
        ground.client.cookies.clear()
        with suppress(KeyError):
            del ground.client.headers["X-CSRF-Token"]
