"""Cut a request into bounded steps, so that another may overtake between two of them."""

from collections.abc import Iterator, Sequence

MOST_TOKENS = 1_000
"""Of one batch: 0.2 s of two cores, the longest that a question waits."""

MOST_CHARACTERS = 200_000
"""Tokenized in one step: some 50 ms."""


def by_characters(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Neighbouring texts, some 200,000 characters a group."""
    start = size = 0
    for place, text in enumerate(texts):
        if place > start and size + len(text) > MOST_CHARACTERS:
            yield texts[start:place]
            start, size = place, 0
        size += len(text)
    if texts:
        yield texts[start:]


def by_tokens(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of rows that run together: equally long, so that none is padded; each place once."""
    alike: dict[int, list[int]] = {}
    for place, length in enumerate(lengths):
        alike.setdefault(length, []).append(place)
    for length, places in sorted(alike.items()):
        most = max(1, MOST_TOKENS // length)
        for start in range(0, len(places), most):
            yield places[start : start + most]
