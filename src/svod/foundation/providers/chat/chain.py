"""A chain of models: the next one is asked where those before it do not begin to answer."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import structlog

from svod.foundation.errors import Unavailable
from svod.foundation.providers.chat.port import ChatModel, ChatReply, ChatRequest

log = structlog.get_logger()


class ChatChain:
    """Keeps the promises of a `ChatModel` as long as one of its models does."""

    def __init__(self, models: Sequence[ChatModel]) -> None:
        """Wire the chain; there is at least one model."""
        self._models = tuple(models)

    @property
    def name(self) -> str:
        """The name of the first; a reply says who wrote it."""
        return self._models[0].name

    @property
    def context_tokens(self) -> int:
        """What fits into each of them."""
        return min(model.context_tokens for model in self._models)

    @property
    def max_tokens(self) -> int:
        """What each of them may write."""
        return min(model.max_tokens for model in self._models)

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatReply]:
        """The reply of the first model that begins one; the last failure where none does."""
        async with AsyncExitStack() as stack:
            yield await self._first(request, stack)

    async def warm(self) -> None:
        """Load what the first call of any would wait for."""
        for model in self._models:
            await model.warm()

    async def close(self) -> None:
        """Let the connections of all go."""
        for model in self._models:
            await model.close()

    async def _first(self, request: ChatRequest, stack: AsyncExitStack) -> ChatReply:
        for model in self._models[:-1]:
            try:
                return await stack.enter_async_context(model.stream(request))
            except Unavailable as failed:
                log.warning("model_passed_over", model=model.name, code=failed.code)
        return await stack.enter_async_context(self._models[-1].stream(request))
