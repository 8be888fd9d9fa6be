"""Walk at random through a workspace as people with narrow rights; nothing hidden may show.

    ./svod dev bench walk [--steps 2000] [--walks 3] [--seed 0] [--url URL --key KEY] [--json]

Each level of a fresh workspace has words of its own, its canaries: in titles, texts, file names,
external ids and tags. Keys limited at random to some levels search, ask, list, read, add, change and
delete, and beside them the owner changes items. After each step of theirs the whole response is
looked through for canaries of levels that they may not see, and a step that names something hidden
is repeated with a name that nobody has: both must be answered alike. What they may see is worked out
here from the specification (K3, K4, X2, X3), not asked of the server.
"""

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import httpx2

from server import server

DOMAINS = ("walk-north.example", "walk-south.example", "telegram:walk_shop")
BASES = ("help@walk-north.example", "sales@walk-north.example", "help@walk-south.example")
PLUS = ("help+eu@walk-north.example",)
WHOLE = ("workspace",)
_LETTERS = "бвгджзклмнпрстф", "аеиоу"
_PASSING = re.compile(
    r'"request_id":\s*"[^"]*"|"timings_ms":\s*(\{[^}]*\}|null)|"[a-z_]*_ms":\s*[\d.]+'
)
"""What differs between two requests anyway."""
_WAIT_S = 0.02


def level_of(name: str) -> str:
    """The level of a domain or address."""
    return f"address:{name}" if "@" in name else f"domain:{name}"


LEVELS = (*WHOLE, *(level_of(name) for name in (*DOMAINS, *BASES, *PLUS)))


def covered(level: str) -> set[str]:
    """What a grant of a level reaches down to: a domain its addresses, an address itself."""
    if level.startswith("domain:"):
        domain = level.removeprefix("domain:")
        return {level} | {each for each in LEVELS if each.endswith(f"@{domain}")}
    return {level}


def above(level: str) -> set[str]:
    """What one reads along with a level: its base address, its domain, the workspace."""
    found = set(WHOLE)
    if level.startswith("address:"):
        name, _, domain = level.removeprefix("address:").partition("@")
        found.add(f"domain:{domain}")
        found.add(f"address:{name.partition('+')[0]}@{domain}")
    return found


@dataclass
class Person:
    """A key, what it may see and change, and what it may do at all."""

    name: str
    secret: str
    writes: bool
    sees: frozenset[str]
    changes: frozenset[str]


@dataclass
class Kept:
    """An item as the owner knows it."""

    item_id: str
    level: str
    external_id: str
    file_name: str | None
    content: bytes


@dataclass
class Leak:
    """Something that was shown to who may not see it."""

    step: int
    person: str
    did: str
    what: str


@dataclass
class Walk:
    """One random walk through one workspace."""

    url: str
    operator: str
    seed: int
    chance: random.Random = field(init=False)
    leaks: list[Leak] = field(default_factory=list)
    did: Counter[str] = field(default_factory=Counter)
    items: list[Kept] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)
    words: dict[str, list[str]] = field(default_factory=dict)
    owner: str = ""
    workspace: str = ""
    step: int = 0

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)  # noqa: S311 - a walk, not a secret
        self._http = httpx2.Client(base_url=self.url, timeout=60)

    def run(self, steps: int) -> None:
        """Lay the ground and take the steps; `leaks` holds what went wrong."""
        self._lay()
        for self.step in range(steps):
            if self.chance.random() < 0.25:
                self._owner_acts()
            else:
                self._person_acts(self.chance.choice(self.people))
        self._call(self.operator, "DELETE", f"/api/workspaces/{self.workspace}", self._named())
        self._http.close()

    # The ground -------------------------------------------------------------------------------

    def _lay(self) -> None:
        made = self._call(
            self.operator,
            "POST",
            "/api/workspaces",
            {"name": f"walk {self.seed}", "language": "ru"},
        ).json()
        self.workspace = made["workspace"]["workspace_id"]
        self.owner = made["key"]["secret"]
        for name in DOMAINS:
            self._call(self.owner, "POST", "/api/domains", {"name": self._own(name)})
        for name in (*BASES, *PLUS):
            self._call(self.owner, "POST", "/api/addresses", {"name": self._own(name)})
        self.words = {level: [self._word() for _ in range(3)] for level in LEVELS}
        for level in LEVELS:
            for _ in range(2):
                self._owner_adds(level)
        self.people = [self._person(number) for number in range(6)]

    def _person(self, number: int) -> Person:
        writes = self.chance.random() < 0.6
        limits = {
            level: self.chance.choice(("read", "send"))
            for level in self.chance.sample(LEVELS[1:], self.chance.randint(1, 3))
        }
        reached = set[str]().union(*(covered(level) for level in limits))
        sees = reached.union(*(above(level) for level in reached))
        changes = set[str]()
        for level, grant in limits.items():
            changes |= covered(level) if grant == "send" and writes else set()
        body = {
            "name": f"person {number}",
            "permissions": ["knowledge:write" if writes else "knowledge:read"],
            "limits": [{"level": self._outside(k), "grant": v} for k, v in limits.items()],
        }
        secret = self._call(self.owner, "POST", "/api/keys", body).json()["secret"]
        return Person(f"{number}", secret, writes, frozenset(sees), frozenset(changes))

    def _own(self, name: str) -> str:
        # A domain belongs to one workspace on a server, so each walk has domains of its own.
        mark = f"w{self.seed}x{self.workspace[:6]}"
        if "@" in name:
            box, _, domain = name.partition("@")
            return f"{box}@{self._own(domain)}"
        return f"{name}_{mark}" if name.startswith("telegram:") else f"{mark}.{name}"

    def _outside(self, level: str) -> str:
        kind, _, name = level.partition(":")
        return level if level in WHOLE else f"{kind}:{self._own(name)}"

    def _word(self) -> str:
        hard, soft = _LETTERS
        return "".join(self.chance.choice(hard) + self.chance.choice(soft) for _ in range(5))

    def _named(self) -> dict[str, str]:
        return {"confirm": f"walk {self.seed}"}

    # The owner --------------------------------------------------------------------------------

    def _owner_acts(self) -> None:
        act = self.chance.choice((self._owner_adds, self._owner_changes, self._owner_deletes))
        act(self.chance.choice(LEVELS))

    def _owner_adds(self, level: str) -> None:
        text, title = self._text(level), self._phrase(level)
        external_id = f"{self.chance.choice(self.words[level])}-{self.chance.randint(0, 9)}"
        if self.chance.random() < 0.4:
            external_id += "-file"
            name = f"{self.chance.choice(self.words[level])}.{self.chance.choice(('md', 'pdf'))}"
            # A text that calls itself a PDF fails, and its failure text must not show either.
            reply = self._upload(self.owner, name, text.encode(), level, external_id)
            kept = Kept(reply.json()["item"]["item_id"], level, external_id, name, text.encode())
        else:
            body = {"text": text, "title": title, "level": self._outside(level)}
            body |= {"external_id": external_id, "pinned": self.chance.random() < 0.3}
            reply = self._call(self.owner, "POST", "/api/knowledge/notes", body)
            kept = Kept(reply.json()["item"]["item_id"], level, external_id, None, text.encode())
        self.items = [one for one in self.items if one.item_id != kept.item_id] + [kept]
        if self.chance.random() < 0.3:
            change = {"tags": [self.chance.choice(self.words[level])]}
            self._call(self.owner, "PATCH", f"/api/knowledge/items/{kept.item_id}", change)

    def _owner_changes(self, level: str) -> None:
        mine = [one for one in self.items if one.level == level and one.file_name is None]
        if mine:
            one = self.chance.choice(mine)
            change = {"text": self._text(level)}
            self._call(self.owner, "PATCH", f"/api/knowledge/items/{one.item_id}", change)

    def _owner_deletes(self, level: str) -> None:
        mine = [one for one in self.items if one.level == level]
        if len(mine) > 1:
            one = self.chance.choice(mine)
            self._call(self.owner, "DELETE", f"/api/knowledge/items/{one.item_id}")
            self.items.remove(one)

    def _text(self, level: str) -> str:
        number = self.chance.randint(2, 90)
        return f"{self._phrase(level)}: возврат за {number} дней. Refund within {number} days."

    def _phrase(self, level: str) -> str:
        return " ".join(self.chance.sample(self.words[level], 2)).capitalize()

    # The others -------------------------------------------------------------------------------

    def _person_acts(self, person: Person) -> None:
        acts: Sequence[Callable[[Person], None]] = (
            self._searches,
            self._asks,
            self._reads_context,
            self._lists,
            self._reads,
            self._counts,
            self._adds_the_same,
            self._uploads_the_same,
            self._changes,
            self._acts_on_many,
        )
        self.chance.choice(acts)(person)

    def _searches(self, person: Person) -> None:
        level = self.chance.choice(LEVELS)
        word = self.chance.choice(self.words[level])
        query = self.chance.choice(
            (word, f'"{word}"', _typo(word, self.chance), _other_layout(word), "возврат refund")
        )
        body: dict[str, object] = {"query": query, "limit": 30}
        if self.chance.random() < 0.3:
            body["levels"] = [self._outside(self.chance.choice(LEVELS))]
        if self.chance.random() < 0.2:
            body["read_for"] = self._outside(self.chance.choice(LEVELS[1:]))
        self._compare(person, "POST", "/api/knowledge/search", body, level, word)

    def _asks(self, person: Person) -> None:
        level = self.chance.choice(LEVELS)
        word = self.chance.choice(self.words[level])
        body = {"question": f"За сколько дней возврат по {word}?"}
        self._compare(person, "POST", "/api/knowledge/ask", body, level, word)

    def _reads_context(self, person: Person) -> None:
        level = self.chance.choice(LEVELS)
        word = self.chance.choice(self.words[level])
        body = {"query": f"возврат {word}"}
        self._compare(person, "POST", "/api/knowledge/context", body, level, word)

    def _lists(self, person: Person) -> None:
        level = self.chance.choice(LEVELS)
        query = {"limit": "200", "level": self._outside(level)}
        if self.chance.random() < 0.5:
            query = {"limit": "200"}
        reply = self._see(person, "GET", "/api/knowledge/items", query=query)
        if reply.status_code == 200 and "level" not in query:
            shown = {item["item_id"] for item in reply.json()["items"]}
            hidden = {one.item_id for one in self.items if one.level not in person.sees}
            self._note(person, "list", bool(shown & hidden), "a hidden item is listed")

    def _reads(self, person: Person) -> None:
        one = self.chance.choice(self.items)
        part = self.chance.choice(("", "/text", "/versions", "/source"))
        path = f"/api/knowledge/items/{one.item_id}{part}"
        reply = self._see(person, "GET", path)
        if one.level not in person.sees:
            twin = self._see(person, "GET", path.replace(one.item_id, _nobody(one.item_id)))
            self._alike(person, f"read {part}", reply, twin, one.item_id)

    def _counts(self, person: Person) -> None:
        reply = self._see(person, "GET", "/api/knowledge/levels")
        told = {level["name"]: level["items"] for level in reply.json()["levels"]}
        told.pop("global", None)
        due = {self._outside(level): 0 for level in person.sees}
        for one in self.items:
            if one.level in person.sees:
                due[self._outside(one.level)] += 1
        self._note(person, "levels", told != due, f"levels {told} instead of {due}")
        self._see(person, "GET", "/api/whoami")

    def _adds_the_same(self, person: Person) -> None:
        """The external id and text of something hidden, where he may write."""
        one = self.chance.choice(self.items)
        if one.level in person.sees:
            return
        target = self.chance.choice([*sorted(person.changes), one.level])
        body = {"text": "Проба записи", "external_id": one.external_id}
        body["level"] = self._outside(target)
        self._tried(person, body, one.external_id)

    def _tried(self, person: Person, body: Mapping[str, str], external_id: str) -> None:
        path = "/api/knowledge/notes"
        reply = self._see(person, "POST", path, body, sent=external_id)
        fresh = {**body, "external_id": f"{self._word()}-0"}
        twin = self._see(person, "POST", path, fresh)
        self._alike(person, "add the same", reply, twin, external_id, just_status=True)
        for each in (reply, twin):
            if each.status_code < 300:
                item_id = each.json()["item"]["item_id"]
                self._call(self.owner, "DELETE", f"/api/knowledge/items/{item_id}")
                self.items = [one for one in self.items if one.item_id != item_id]

    def _uploads_the_same(self, person: Person) -> None:
        """Whether the server has some bytes is told only of what he can read."""
        import hashlib  # noqa: PLC0415 - only here

        hidden = [one for one in self.items if one.level not in person.sees and one.file_name]
        if not hidden or not person.changes:
            return
        one = self.chance.choice(hidden)
        target = self._outside(self.chance.choice(sorted(person.changes)))
        path = "/api/knowledge/files/missing"
        asked = {"sha256": hashlib.sha256(one.content).hexdigest(), "external_id": one.external_id}
        nobodys = {"sha256": hashlib.sha256(self._word().encode()).hexdigest()}
        nobodys["external_id"] = self._word()
        reply = self._see(person, "POST", path, {"level": target, "files": [asked]})
        twin = self._see(person, "POST", path, {"level": target, "files": [nobodys]})
        self._alike(person, "missing", reply, twin, asked["sha256"], twins=nobodys["sha256"])

    def _changes(self, person: Person) -> None:
        one = self.chance.choice(self.items)
        if one.level in person.changes:
            return
        path = f"/api/knowledge/items/{one.item_id}"
        method, body = self.chance.choice(
            (("PATCH", {"pinned": True}), ("PATCH", {"title": "Чужое"}), ("DELETE", None))
        )
        reply = self._see(person, method, path, body)
        self._note(person, method, reply.status_code < 300, "changed what he may not change")
        if one.level not in person.sees:
            twin = self._see(person, method, path.replace(one.item_id, _nobody(one.item_id)), body)
            self._alike(person, method, reply, twin, one.item_id)

    def _acts_on_many(self, person: Person) -> None:
        hidden = [one.item_id for one in self.items if one.level not in person.sees]
        if not hidden:
            return
        one = self.chance.choice(hidden)
        action = self.chance.choice(("pin", "delete", "refresh"))
        path = "/api/knowledge/items/bulk"
        reply = self._see(person, "POST", path, {"action": action, "item_ids": [one]})
        twin = self._see(person, "POST", path, {"action": action, "item_ids": [_nobody(one)]})
        self._alike(person, f"bulk {action}", reply, twin, one)

    # Looking ----------------------------------------------------------------------------------

    def _compare(
        self,
        person: Person,
        method: str,
        path: str,
        body: dict[str, object],
        level: str,
        word: str,
    ) -> None:
        """Send it; where it names a hidden word, send it again with a word that nobody has."""
        reply = self._see(person, method, path, body, sent=json.dumps(body, ensure_ascii=False))
        if level in person.sees:
            return
        other = self._word()
        text = json.dumps(body, ensure_ascii=False)
        if word not in text:  # a typo or another layout of it: nothing to put in its place
            return
        twin = self._see(person, method, path, json.loads(text.replace(word, other)))
        self._alike(person, path, reply, twin, word, twins=other)

    def _alike(
        self,
        person: Person,
        did: str,
        reply: httpx2.Response,
        twin: httpx2.Response,
        name: str,
        *,
        twins: str | None = None,
        just_status: bool = False,
    ) -> None:
        same = reply.status_code == twin.status_code
        if same and not just_status:
            mine, its = _plain(reply.text, name), _plain(twin.text, twins or _nobody(name))
            same = mine == its
        what = f"{reply.status_code} {reply.text[:300]} / {twin.status_code} {twin.text[:300]}"
        self._note(person, did, not same, f"hidden and missing differ: {what}")

    def _see(
        self,
        person: Person,
        method: str,
        path: str,
        body: object = None,
        *,
        query: Mapping[str, str] | None = None,
        sent: str = "",
    ) -> httpx2.Response:
        """His request; no word of a level that he may not see stands in the response."""
        reply = self._call(person.secret, method, path, body, query=query, fails=True)
        whole = (reply.text + json.dumps(dict(reply.headers))).casefold()
        self._note(person, path, reply.status_code >= 500, f"failed: {reply.text[:300]}")
        for level in LEVELS:
            if level not in person.sees:
                for word in self.words[level]:
                    shown = word in whole and word not in sent.casefold()
                    self._note(person, path, shown, f"a word of {level} is shown: {word}")
                named = f'"{self._outside(level)}"'
                asked = named in json.dumps(body or {}) or self._outside(level) in str(query)
                shown = named in whole and not asked
                self._note(person, path, shown, f"the level {level} is named")
        self.did[f"{method} {re.sub('/[0-9a-z]{13}', '/{id}', path)}"] += 1
        return reply

    def _note(self, person: Person, did: str, wrong: bool, what: str) -> None:
        if wrong:
            self.leaks.append(Leak(self.step, person.name, did, what))

    def _upload(
        self, key: str, name: str, content: bytes, level: str, external_id: str
    ) -> httpx2.Response:
        form = {"level": self._outside(level), "external_id": external_id}
        return self._http.post(
            "/api/knowledge/files",
            headers={"Authorization": f"Bearer {key}"},
            data=form,
            files={"file": (name, content)},
        ).raise_for_status()

    def _call(
        self,
        key: str,
        method: str,
        path: str,
        body: object = None,
        *,
        query: Mapping[str, str] | None = None,
        fails: bool = False,
    ) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {key}"}
        while True:
            reply = self._http.request(method, path, headers=headers, json=body, params=query)
            if reply.status_code != 429:
                break
            time.sleep(_WAIT_S)
        if not fails and reply.is_error:
            raise RuntimeError(f"{method} {path}: {reply.status_code} {reply.text}")
        return reply


def _plain(text: str, name: str) -> str:
    text = re.sub(re.escape(name), "<name>", text, flags=re.IGNORECASE)
    return _PASSING.sub("", text)


def _nobody(item_id: str) -> str:
    """An id of the same form that no item has."""
    return item_id[:-1] + ("2" if item_id[-1] != "2" else "3")


def _typo(word: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(word) - 1)
    return word[:at] + word[at + 1 :]


def _other_layout(word: str) -> str:
    keys = dict(
        zip("йцукенгшщзхъфывапролджэячсмитьбю", "qwertyuiop[]asdfghjkl;'zxcvbnm,.", strict=True)
    )
    return "".join(keys.get(letter, letter) for letter in word)


def main(argv: list[str] | None = None) -> int:
    """Take the walks; 0 when nothing showed."""
    parser = argparse.ArgumentParser(prog="bench walk", description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--walks", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--url", help="a running server; by default one is started")
    parser.add_argument("--key", help="its operator's key")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    leaks: list[Leak] = []
    did: Counter[str] = Counter()
    with nullcontext() if options.url else server(SVOD_EMBEDDINGS="none") as running:
        url = options.url or running.url
        key = options.key or (running.data / "cli.key").read_text().strip()
        for seed in range(options.seed, options.seed + options.walks):
            walk = Walk(url, key, seed)
            walk.run(options.steps)
            leaks += walk.leaks
            did += walk.did
    report: dict[str, Any] = {"walks": options.walks, "steps": options.steps, "leaks": len(leaks)}
    if options.json:
        print(json.dumps(report | {"requests": dict(did), "found": [vars(x) for x in leaks[:20]]}))
    else:
        for name, count in sorted(did.items()):
            print(f"{name:44} {count}")
        for leak in leaks[:20]:
            print(f"step {leak.step}, person {leak.person}, {leak.did}: {leak.what}")
        print(" ".join(f"{name} {value}" for name, value in report.items()))
    return int(bool(leaks))


if __name__ == "__main__":
    sys.exit(main())
