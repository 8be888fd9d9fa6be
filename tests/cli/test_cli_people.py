"""Domains, addresses, members, limited keys and workspaces on the command line."""

from typing import Any

import pytest

from fakes.rooms import OPERATOR_KEY, Scripted

LIMITS = [
    {"level": "domain:example.com", "grant": "send"},
    {"level": "address:support@example.com", "grant": "read"},
]
LEVELS = ("--level", "domain:example.com=send", "--level", "address:support@example.com")


@pytest.mark.spec("I4", "K1")
@pytest.mark.parametrize(("lang", "gone"), [("en", "was deleted"), ("ru", "Удалено")])
def test_domains_and_addresses_are_added_listed_and_deleted(
    svod: Any, lang: str, gone: str
) -> None:
    svod.speak(lang)
    assert svod("domains", "add", "Пример.рф").code == 0
    assert "пример.рф" in svod("domains").out
    made = svod("addresses", "add", "a+b@пример.рф", "--json").json
    assert made["base"].startswith("a@xn--")
    assert made["name"] in svod("addresses", "--json").out
    assert svod("addresses", "delete", made["name"]).code == 2
    ended = svod("addresses", "delete", made["name"], "--yes")
    assert (ended.code, gone in ended.out) == (0, True)
    assert svod("domains", "delete", "ПРИМЕР.рф", "-y", "--json").json["deleted"] is True
    missing = svod("domains", "delete", "пример.рф", "-y")
    assert (missing.code, "пример.рф" in missing.err) == (3, True)


@pytest.mark.spec("I4", "X1", "X2")
@pytest.mark.parametrize(("lang", "role"), [("en", "viewer"), ("ru", "читатель")])
def test_members_are_added_limited_changed_and_removed(svod: Any, lang: str, role: str) -> None:
    svod.speak(lang)
    made = svod("members", "add", "a@example.com", "Анна", *LEVELS, "--json").json
    assert (made["role"], made["limits"]) == ("member", LIMITS)
    assert svod("members", "change", "A@example.com", "--role", "viewer").code == 0
    listed = svod("members").out
    assert role in listed
    kept = svod("members", "--json").json["members"][1]
    assert (kept["role"], kept["limits"]) == ("viewer", LIMITS)
    free = svod("members", "change", kept["member_id"], "--unlimited", "--disable", "--json").json
    assert (free["limits"], free["disabled_at"] is None) == (None, False)
    assert svod("members", "change", "a@example.com", "--unlimited", *LEVELS).code == 2
    assert svod("members", "change", "b@example.com", "--enable").code == 3
    assert svod("members", "remove", "a@example.com", "--yes").code == 0
    assert len(svod("members", "--json").json["members"]) == 1


@pytest.mark.spec("I4", "X2", "X4")
def test_a_key_is_made_with_limits_and_an_end_and_shows_both(svod: Any) -> None:
    make = ("keys", "make", "bot", "-p", "knowledge:write")
    made = svod(*make, *LEVELS, "--expires", "2027-01-31T18:00+03:00", "--json").json
    assert made["key"]["limits"] == LIMITS
    assert made["key"]["expires_at"] == "2027-01-31T15:00:00Z"
    svod.use(COLUMNS="200")
    assert "domain:example.com (send)" in svod("keys").out
    for wrong in (
        ("--level", "workspace"),
        ("--level", "domain:example.com=own"),
        ("--expires", "tomorrow"),
        ("--expires", "2027-01-31", "--days", "3"),
    ):
        assert svod(*make, *wrong).code == 2
    assert len(svod("keys", "--json").json["keys"]) == 1


@pytest.mark.spec("I4", "K1")
def test_workspaces_are_the_operators_and_deleted_by_name(svod: Any, scripted: Scripted) -> None:
    assert svod("workspaces").code == 4
    svod.use(SVOD_API_KEY=OPERATOR_KEY)
    made = svod("workspaces", "make", "Лавка", "--language", "ru", "--json").json
    number = made["workspace"]["workspace_id"]
    assert made["key"]["secret"].startswith("svod_")
    assert svod("workspaces", "rename", number, "Полка").code == 0
    assert "Полка" in svod("workspaces").out
    assert svod("workspaces", "delete", number).code == 2
    assert svod("workspaces", "delete", number, "--confirm", "Лавка").code == 2
    assert len(scripted.tenants.kept) == 2
    assert svod("workspaces", "delete", number, "--confirm", "Полка").code == 0
    assert len(scripted.tenants.kept) == 1
