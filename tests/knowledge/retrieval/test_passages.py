"""Chunks become passages: joined where they are neighbours, cut only between sentences."""

import pytest

from fakes.hits import hit_of
from svod.foundation.ids import ItemId
from svod.knowledge.retrieval.passages import fitting, joined, of_hit, to_read, whole_sentences

LONG = {
    "ru": "Вернуть товар можно за 21 день. Чек не нужен, т. е. хватит коробки. Срок не продлевается.",
    "en": "Goods can be returned in 21 days. No receipt, i.e. the box is enough. There is no delay.",
}
BOTH = ("ru", "en")


@pytest.mark.spec("R10")
@pytest.mark.parametrize("lang", BOTH)
def test_a_text_is_never_cut_inside_a_sentence(lang: str) -> None:
    text = LONG[lang]
    ends = {whole_sentences(text, most) for most in range(len(text) + 1)}
    shown = {text[:end] for end in ends}
    assert len(shown) == 4
    assert all(part == "" or part.endswith(".") for part in shown)
    assert not any(part.endswith(("т. е.", "i.e.")) for part in shown)


@pytest.mark.spec("R10")
@pytest.mark.parametrize("lang", BOTH)
def test_chunks_that_fit_go_in_by_rank_and_the_next_is_shortened(lang: str) -> None:
    text = LONG[lang] * 4
    hits = [hit_of(text.strip() + f" {number}.", item=number) for number in (1, 2, 3)]
    taken, cuts = fitting(hits, budget=len(hits[0].text) + 250, besides=())
    assert [piece.item_id for piece in taken] == [1, 2]
    assert 100 < len(taken[1].text) <= 250
    assert taken[1].text.endswith(".")
    assert taken[1].end - taken[1].start == len(taken[1].text)
    assert [(cut.item_id, cut.left_out) for cut in cuts] == [(2, False), (3, True)]


@pytest.mark.spec("R10")
def test_the_same_text_and_what_is_shown_already_come_once() -> None:
    pinned = of_hit(hit_of("Pinned and all of it. Every word.", item=5))
    hits = [
        hit_of("Every word.", item=5, start=22),
        hit_of("The same words.", item=1),
        hit_of("The  same\nwords.", item=2),
    ]
    taken, cuts = fitting(hits, budget=1000, besides=[pinned])
    assert ([piece.item_id for piece in taken], cuts) == ([1], [])


@pytest.mark.spec("R10")
def test_neighbours_of_one_text_are_joined_across_white_space_only() -> None:
    text = "First part.\n\nSecond part.\nbetween\nThird part."
    hits = [
        hit_of("Second part.", start=13, score=0.9),
        hit_of("Elsewhere.", item=2),
        hit_of("Third part.", start=34),
        hit_of("First part.", start=0, score=0.5),
    ]
    pieces = [of_hit(hit) for hit in hits]
    assert to_read(pieces) == {(ItemId(1), 1)}
    whole = joined(pieces, {(ItemId(1), 1): text})
    assert [piece.text for piece in whole] == [
        "First part.\n\nSecond part.",
        "Elsewhere.",
        "Third part.",
    ]
    first = whole[0]
    assert (first.text, first.score) == (text[first.start : first.end], 0.9)
    assert [hit.text for hit in first.hits] == ["Second part.", "First part."]
    # Without the text nothing is known of what stands between.
    assert len(joined(pieces, {})) == 4


@pytest.mark.spec("R10")
def test_overlapping_neighbours_say_what_they_share_once() -> None:
    hits = [hit_of("one two three", start=0), hit_of("three four", start=8)]
    (whole,) = joined([of_hit(hit) for hit in hits], {})
    assert (whole.text, whole.start, whole.end) == ("one two three four", 0, 18)


@pytest.mark.spec("R10")
def test_a_table_keeps_its_header_and_counts_it() -> None:
    rows = "| a | 1 |\n| b | 2 |"
    header = "| Name | Price |\n| --- | --- |"
    taken, _ = fitting([hit_of(rows, header=header)], budget=len(rows) + len(header), besides=())
    assert (taken[0].header, taken[0].text) == (header, rows)
    assert fitting([hit_of(rows, header=header)], budget=len(rows), besides=())[0] == []
