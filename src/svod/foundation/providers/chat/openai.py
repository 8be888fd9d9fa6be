"""A language model behind any OpenAI-compatible endpoint: vLLM, Ollama, LM Studio and the like.

The libraries that speak to it take a second to import, so that happens at the first call, in a
thread.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import structlog

from svod.foundation.providers.chat.endpoint import Endpoint
from svod.foundation.providers.chat.port import ChatReply, ChatRequest
from svod.foundation.providers.chat.retrying import Retries

if TYPE_CHECKING:
    from svod.foundation.providers.chat.speaking import Reply, Speaking

log = structlog.get_logger()


class OpenAIChat:
    """Keeps the promises of a `ChatModel`."""

    def __init__(self, endpoint: Endpoint, *, retries: Retries | None = None) -> None:
        self._endpoint = endpoint
        self._retries = retries or Retries()
        self._speaking: Speaking | None = None
        self._making = asyncio.Lock()

    @property
    def name(self) -> str:
        """The model's name at the endpoint."""
        return self._endpoint.model

    @property
    def context_tokens(self) -> int:
        """Of prompt and reply together."""
        return self._endpoint.context_tokens

    @property
    def max_tokens(self) -> int:
        """The most that a reply may have."""
        return self._endpoint.max_tokens

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatReply]:
        """The reply from its first piece on; see `ChatModel.stream`."""
        started = time.perf_counter()
        async with AsyncExitStack() as stack:
            reply = await self._retries.run(lambda: self._begin(request, stack))
            try:
                yield reply
            finally:
                used = reply.used
                log.info(
                    "model_called",
                    model=reply.model,
                    prompt=used.prompt,
                    completion=used.completion,
                    finish=reply.finish,
                    ms=round((time.perf_counter() - started) * 1000),
                )

    async def warm(self) -> None:
        """Import the libraries, in a thread."""
        await self._made()

    async def close(self) -> None:
        """Let the connections go."""
        if self._speaking is not None:
            await self._speaking.close()

    async def _begin(self, request: ChatRequest, stack: AsyncExitStack) -> "Reply":
        speaking = await self._made()
        async with AsyncExitStack() as trying:
            reply = await trying.enter_async_context(speaking.stream(request))
            # What was opened for a try that failed is closed here; the rest lives with the reply.
            stack.push_async_callback(trying.pop_all().aclose)
            return reply

    async def _made(self) -> "Speaking":
        async with self._making:
            if self._speaking is None:
                self._speaking = await asyncio.to_thread(_make, self._endpoint)
            return self._speaking


def _make(endpoint: Endpoint) -> "Speaking":
    from svod.foundation.providers.chat.speaking import Speaking  # noqa: PLC0415

    return Speaking(endpoint)
