"""Domains, members and workspaces through the client."""

import pytest

from fakes.rooms import OPERATOR_KEY, Scripted
from svod.client import Client, Conflict, Invalid, NotAllowed, NotFound
from svod.client.people import Limit


@pytest.mark.spec("I5", "K1", "K4")
def test_domains_and_addresses_are_added_listed_and_deleted(client: Client) -> None:
    names = [f"d{number}.example" for number in range(250)]
    for name in names:
        client.add_domain(name)
    assert [one.name for one in client.domains()] == names
    with pytest.raises(Conflict) as taken:
        client.add_domain("D1.example")
    assert taken.value.code == "workspaces.domain_taken"
    plus = client.add_address("support+eu@d1.example")
    assert plus.base == "support@d1.example"
    with pytest.raises(Invalid):
        client.add_address("support@elsewhere.example")
    assert list(client.addresses("d1.example")) == [plus]
    assert list(client.addresses("d2.example")) == []
    client.delete_address(plus.address_id)
    first = next(client.domains())
    client.delete_domain(first.domain_id)
    with pytest.raises(NotFound):
        client.delete_domain(first.domain_id)


@pytest.mark.spec("I5", "X1", "X2")
def test_members_are_made_limited_changed_and_removed(client: Client) -> None:
    limits = [Limit("domain:example.com", "send")]
    anna = client.add_member("a@example.com", "Анна", "member", limits=limits)
    assert anna.limits == tuple(limits)
    renamed = client.change_member(anna.member_id, name="Анна Л.", expected_revision=1)
    assert (renamed.name, renamed.limits) == ("Анна Л.", tuple(limits))
    with pytest.raises(Conflict):
        client.change_member(anna.member_id, role="viewer", expected_revision=1)
    assert client.change_member(anna.member_id, limits=None).limits is None
    assert client.change_member(anna.member_id, limits=[]).limits == ()
    assert client.change_member(anna.member_id, disabled=True).disabled_at is not None
    assert [one.member_id for one in client.members()][1:] == [anna.member_id]
    client.remove_member(anna.member_id)
    with pytest.raises(NotFound):
        client.member(anna.member_id)


@pytest.mark.spec("I5", "X2", "X4")
def test_a_key_is_made_with_limits(client: Client) -> None:
    limits = [Limit("address:support@example.com", "read")]
    made = client.make_key("bot", ["knowledge:read"], limits=limits)
    assert made.key.limits == tuple(limits)
    assert client.make_key("free", ["knowledge:read"]).key.limits is None
    listed = client.keys()
    assert [key.limits for key in listed] == [tuple(limits), None]


@pytest.mark.spec("I5", "K1")
def test_workspaces_are_made_renamed_and_deleted_by_the_operator(
    client: Client, url: str, scripted: Scripted
) -> None:
    with pytest.raises(NotAllowed):
        client.make_workspace("Mine")
    with Client(url, OPERATOR_KEY) as operator:
        made = operator.make_workspace("Лавка", language="ru")
        assert made.key.secret
        number = made.workspace.workspace_id
        changed = operator.change_workspace(number, name="Полка", expected_revision=1)
        assert operator.workspace(number) == changed
        assert [one.name for one in operator.workspaces()] == ["Лесная полка", "Полка"]
        with pytest.raises(Invalid):
            operator.delete_workspace(number, confirm="Лавка")
        operator.delete_workspace(number, confirm="Полка")
    assert len(scripted.tenants.kept) == 1
