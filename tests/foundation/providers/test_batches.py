"""Work is cut so that nobody waits long."""

from hypothesis import given
from hypothesis import strategies as st

from svod.foundation.providers.batches import (
    MOST_CHARACTERS,
    MOST_TOKENS,
    by_characters,
    by_tokens,
)


@given(st.lists(st.integers(min_value=2, max_value=512), max_size=80))
def test_every_row_runs_once_with_its_equals_within_the_limit(lengths: list[int]) -> None:
    batches = list(by_tokens(lengths))
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len({lengths[place] for place in batch}) == 1
        assert sum(lengths[place] for place in batch) <= MOST_TOKENS


@given(st.lists(st.integers(min_value=0, max_value=MOST_CHARACTERS * 2), max_size=20))
def test_texts_keep_their_order_and_a_group_its_bound(sizes: list[int]) -> None:
    texts = ["x" * size for size in sizes]
    groups = list(by_characters(texts))
    assert [text for group in groups for text in group] == texts
    assert all(len(group) == 1 or sum(map(len, group)) <= MOST_CHARACTERS for group in groups)
