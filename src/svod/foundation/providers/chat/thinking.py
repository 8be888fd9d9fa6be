"""A reply without what the model thought aloud before it, for endpoints that leave that in it."""

from collections.abc import AsyncGenerator, AsyncIterator

_OPEN = "<think>"
_CLOSE = "</think>"


async def without_thoughts(pieces: AsyncIterator[str]) -> AsyncGenerator[str]:
    """The pieces after a `<think>…</think>` that a reply begins with, however it is cut."""
    begun = ""
    is_thinking = False
    async for piece in pieces:
        begun += piece
        start = begun.lstrip()
        if not is_thinking and _OPEN.startswith(start[: len(_OPEN)]):
            is_thinking = start.startswith(_OPEN)
            if not is_thinking:
                continue
        if is_thinking:
            _, is_over, rest = begun.partition(_CLOSE)
            if not is_over:
                # What was thought is not kept; the sign that ends it may come in two.
                begun = _OPEN + begun[-len(_CLOSE) :]
                continue
            begun = rest
        if begun:
            yield begun
        async for further in pieces:
            yield further
        return
    if begun and not is_thinking:
        yield begun
