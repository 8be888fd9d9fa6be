"""More specific levels come before broader ones on their path, and only there."""

import itertools

import pytest

from fakes.hits import hit_of
from svod.knowledge.retrieval.plan import Overridden
from svod.knowledge.retrieval.precedence import arranged, is_above, share_a_path, specificity

PATH = (
    "address:support+eu@example.com",
    "address:support@example.com",
    "domain:example.com",
    "workspace",
    "global",
)
SAME = {
    "ru": ("Вернуть товар можно в течение 14 дней.", "Вернуть товар можно в течение 21 дня."),
    "en": ("Goods can be returned within 14 days.", "Goods can be returned within 21 days."),
}
OTHER = {
    "ru": "Вернуть велосипед можно только в мастерской в Казани.",
    "en": "Bicycles can be returned at the workshop in Kazan only.",
}
BOTH = ("ru", "en")


@pytest.mark.spec("K3", "K4")
def test_every_level_of_a_path_stands_above_those_before_it() -> None:
    for (i, one), (j, other) in itertools.product(enumerate(PATH), repeat=2):
        assert is_above(one, other) == (i > j), (one, other)
    assert [specificity(level) for level in PATH] == [0, 1, 2, 3, 4]


@pytest.mark.spec("K3")
def test_a_channel_of_a_platform_stands_above_its_accounts() -> None:
    assert is_above("domain:telegram:shop_bot", "address:account@telegram:shop_bot")
    assert not is_above("domain:telegram:shop_bot", "address:account@telegram:other_bot")


@pytest.mark.spec("R9")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("domain:a.com", "domain:b.com"),
        ("domain:a.com", "address:x@b.com"),
        ("domain:example.com", "address:x@sub.example.com"),
        ("address:x@a.com", "address:y@a.com"),
        ("address:x+one@a.com", "address:x+two@a.com"),
        ("workspace", "workspace"),
        ("address:a@telegram:shop_bot", "address:a+b@telegram:shop_bot"),
    ],
)
def test_siblings_lie_on_no_common_path(one: str, other: str) -> None:
    assert not share_a_path([one, other])


@pytest.mark.spec("R9")
@pytest.mark.parametrize("lang", BOTH)
@pytest.mark.parametrize("first", [0, 1])
def test_of_two_that_say_nearly_the_same_the_broader_is_left_out_and_named(
    lang: str, first: int
) -> None:
    broad, narrow = SAME[lang]
    hits = [
        hit_of(broad, item=1, level="workspace", score=0.9 - first / 2),
        hit_of(OTHER[lang], item=3, level="workspace", score=0.7),
        hit_of(narrow, item=2, level="domain:a.com", score=0.4 + first / 2),
    ]
    hits.sort(key=lambda hit: -hit.score)
    shown = arranged(hits)
    assert [hit.text for hit in shown] == [narrow, OTHER[lang]]
    assert shown[0].overrides == (Overridden(hits[2 * first].item_id, "Item 1", "workspace"),)
    assert shown[1].overrides == ()


@pytest.mark.spec("R9")
@pytest.mark.parametrize("lang", BOTH)
def test_what_two_domains_say_is_kept_of_both(lang: str) -> None:
    one, other = SAME[lang]
    hits = [hit_of(one, item=1, level="domain:a.com"), hit_of(other, item=2, level="domain:b.com")]
    assert arranged(hits) == hits


@pytest.mark.spec("R9")
@pytest.mark.parametrize("lang", BOTH)
def test_what_only_resembles_is_kept(lang: str) -> None:
    one, _ = SAME[lang]
    hits = [
        hit_of(one, item=1, level="workspace", score=0.9),
        hit_of(OTHER[lang], item=2, level="domain:a.com", score=0.5),
    ]
    assert arranged(hits) == hits


@pytest.mark.spec("R9")
def test_the_same_words_under_other_headings_are_another_question() -> None:
    text = "Доставка занимает три рабочих дня."
    hits = [
        hit_of(text, item=1, level="workspace", heading_path=("Доставка в Казань",)),
        hit_of(text, item=2, level="domain:a.com", heading_path=("Самовывоз из Москвы",)),
    ]
    assert {hit.item_id for hit in arranged(hits)} == {1, 2}
    short = [hit_of("| 1 | 2 |", level="workspace"), hit_of("| 1 | 3 |", level="domain:a.com")]
    assert len(arranged(short)) == 2


@pytest.mark.spec("R9")
@pytest.mark.parametrize(
    ("scores", "wanted"),
    [
        ((0.80, 0.76), ["domain:a.com", "workspace"]),
        ((0.80, 0.74), ["workspace", "domain:a.com"]),
    ],
)
def test_a_near_tie_goes_to_the_more_specific_level(
    scores: tuple[float, float], wanted: list[str]
) -> None:
    hits = [
        hit_of("Свет горит.", item=1, level="workspace", score=scores[0]),
        hit_of("Вода течёт.", item=2, level="domain:a.com", score=scores[1]),
    ]
    assert [hit.level for hit in arranged(hits)] == wanted


@pytest.mark.spec("R9")
def test_a_near_tie_is_settled_past_a_sibling_that_stands_between() -> None:
    levels = ("workspace", "domain:b.com", "domain:a.com")
    hits = [
        hit_of(text, item=at, level=level, score=0.80 - at / 100)
        for at, (text, level) in enumerate(
            zip(("Свет горит.", "Вода течёт.", "Газ идёт."), levels, strict=True)
        )
    ]
    assert [hit.level for hit in arranged(hits)] == ["domain:b.com", "domain:a.com", "workspace"]


@pytest.mark.spec("R9")
def test_a_whole_path_says_one_thing_once() -> None:
    hits = [
        hit_of(f"Вернуть товар можно за {days} дней.", item=days, level=level, score=0.9)
        for days, level in zip((30, 21, 14, 7), PATH[1:], strict=True)
    ]
    (hit,) = arranged(list(reversed(hits)))
    assert hit.level == "address:support@example.com"
    assert [one.level for one in hit.overrides] == ["global", "workspace", "domain:example.com"]


@pytest.mark.spec("R9")
@pytest.mark.parametrize(
    ("broad", "narrow", "stands"),
    [
        (
            "Refunds are issued within 14 days of purchase.",
            "Refunds are issued within 30 days of purchase at this shop.",
            True,
        ),
        ("Доставка по городу Казань стоит 300.", "Доставка по городу Москва стоит 400.", False),
        (
            "Refunds are issued within 14 days of purchase.",
            "Refunds are issued within 14 days of purchase. " + "Open on every working day. " * 5,
            False,
        ),
    ],
)
def test_a_text_stands_for_another_whose_words_it_has(
    broad: str, narrow: str, *, stands: bool
) -> None:
    hits = [hit_of(broad, item=1, score=0.9), hit_of(narrow, item=2, level="domain:a.com")]
    assert (len(arranged(hits)) == 1) is stands
