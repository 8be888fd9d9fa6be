"""Cut a request into bounded steps, so that another may overtake between two of them."""

from collections.abc import Iterator, Sequence

MOST_TOKENS = 1_000
"""Of one batch, padding counted: 0.2 s of two cores, the longest that a question waits."""

MOST_CHARACTERS = 200_000
"""Tokenized in one step: some 50 ms."""


def by_characters(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Neighbouring texts, some 200,000 characters a group."""
    start = size = 0
    for place, text in enumerate(texts):
        if size and size + len(text) > MOST_CHARACTERS:
            yield texts[start:place]
            start, size = place, 0
        size += len(text)
    if texts:
        yield texts[start:]


def by_tokens(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places of rows that run together, alike in length; each place once."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batch: list[int] = []
    for place in order:
        # Sorted upwards, so this row is the longest and all are padded to it.
        if batch and (len(batch) + 1) * lengths[place] > MOST_TOKENS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch
