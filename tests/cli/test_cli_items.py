"""The commands about versions of items, and about many items at once."""

import json

import pytest

from fakes.rooms import Scripted, an_item
from svod.foundation.ids import ItemId, write_id
from svod.knowledge.items.item import Status

BOTH = ["en", "ru"]
GONE = write_id(99)


@pytest.fixture(autouse=True)
def kept(svod, scripted: Scripted) -> None:  # noqa: ARG001 - the rooms are this test's by then
    for number in (1, 2, 3):
        scripted.items.kept[ItemId(number)] = an_item(number, version=2, title=f"Возврат {number}")
        scripted.items.hashes[ItemId(number)] = b""


def _ids(*numbers: int) -> list[str]:
    return [write_id(number) for number in numbers]


@pytest.mark.spec("I4", "K18", "N-26")
@pytest.mark.parametrize("language", BOTH)
def test_the_history_says_who_made_each_version_and_when(svod, language: str) -> None:
    svod.speak(language)
    told = svod("items", "history", *_ids(1))
    assert "Анна" in told.out
    assert "2026-11-30" in told.out
    versions = svod("items", "history", *_ids(1), "--json").json["versions"]
    assert [one["version"] for one in versions] == [2, 1]


@pytest.mark.spec("I4", "K18")
@pytest.mark.parametrize("language", BOTH)
def test_a_comparison_marks_what_went_and_what_came(svod, language: str) -> None:
    svod.speak(language)
    told = svod("items", "compare", *_ids(1))
    assert ("removed" in told.out) == (language == "en")
    assert ("убрано" in told.out) == (language == "ru")
    assert told.out.splitlines()[-3:] == ["  один", "- два", "+ три"]
    comparison = svod("items", "compare", *_ids(1), "--from", "1", "--to", "2", "--json").json
    assert (comparison["from_version"], comparison["to_version"]) == (1, 2)
    assert svod("items", "compare", *_ids(1), "--to", "7").code == 3


@pytest.mark.spec("I4", "K18", "N-26")
@pytest.mark.parametrize("language", BOTH)
def test_a_version_is_brought_back(svod, scripted: Scripted, language: str) -> None:
    svod.speak(language)
    told = svod("items", "restore", *_ids(1), "1")
    assert told.code == 0
    assert "3" in told.out
    assert scripted.items.kept[ItemId(1)].version == 3
    assert svod("items", "restore", *_ids(1), "9", "--json").code == 3


@pytest.mark.spec("I4", "K19")
@pytest.mark.parametrize("language", BOTH)
def test_items_are_tagged_pinned_and_moved_together_and_found_by_it(
    svod, scripted: Scripted, language: str
) -> None:
    svod.speak(language)
    assert svod("items", "tag", *_ids(1, 2), "--tag", "договор", "--tag", "2026").code == 0
    assert svod("items", "untag", *_ids(2), "--tag", "договор").code == 0
    assert svod("items", "pin", *_ids(2, 3)).code == 0
    assert svod("items", "unpin", *_ids(3)).code == 0
    assert svod("items", "move", *_ids(1), "--namespace", "faq").code == 0
    one, two, three = (scripted.items.kept[ItemId(number)] for number in (1, 2, 3))
    assert (one.tags, one.namespace) == (("2026", "договор"), "faq")
    assert (two.tags, two.pinned, three.pinned) == (("2026",), True, False)
    listed = svod("items", "list", "--tag", "договор", "--json").json["items"]
    assert [item["item_id"] for item in listed] == _ids(1)
    listed = svod("items", "list", "--pinned", "--json").json["items"]
    assert [item["item_id"] for item in listed] == _ids(2)
    assert "2026" in svod("items", *_ids(2)).out
    assert svod("items", "move", *_ids(1), "--level", "domain:else.example").code == 3


@pytest.mark.spec("I4", "K19", "N-47")
@pytest.mark.parametrize("language", BOTH)
def test_what_could_not_be_done_to_some_is_said_for_each(
    svod, scripted: Scripted, language: str
) -> None:
    svod.speak(language)
    ended = svod("items", "delete", *_ids(1), GONE, *_ids(2), "--yes")
    assert ended.code == 1
    assert GONE in ended.err
    assert list(scripted.items.kept) == [3]
    ended = svod("items", "delete", *_ids(3), GONE, "--yes", "--json")
    lines = [json.loads(line) for line in ended.out.splitlines()]
    assert [(line["item_id"], line["became"]) for line in lines] == [
        (write_id(3), "done"),
        (GONE, "failed"),
    ]
    assert lines[1]["failure"]["code"] == "items.not_found"
    assert svod("items", "delete", GONE, "--yes").code == 3


@pytest.mark.spec("I4", "K15")
@pytest.mark.parametrize("language", BOTH)
def test_reading_is_stopped_and_begun_again(svod, scripted: Scripted, language: str) -> None:
    svod.speak(language)
    scripted.items.kept[ItemId(1)] = an_item(1, status=Status.PROCESSING)
    assert svod("items", "cancel", *_ids(1)).code == 0
    assert scripted.items.kept[ItemId(1)].status is Status.FAILED
    assert svod("items", "refresh", *_ids(1)).code == 0
    assert scripted.items.kept[ItemId(1)].status is Status.QUEUED


@pytest.mark.spec("I4")
def test_more_than_a_call_takes_goes_in_several(svod, scripted: Scripted) -> None:
    for number in range(4, 1104):
        scripted.items.kept[ItemId(number)] = an_item(number)
    assert svod("items", "pin", *_ids(*range(4, 1104))).code == 0
    assert sum(item.pinned for item in scripted.items.kept.values()) == 1100


@pytest.mark.spec("I4")
@pytest.mark.parametrize("language", BOTH)
def test_what_is_added_can_be_tagged(svod, scripted: Scripted, language: str) -> None:
    svod.speak(language)
    assert svod("add", "--text", "Новая заметка", "--tag", "черновик").code == 0
    assert scripted.items.kept[max(scripted.items.kept)].tags == ("черновик",)
