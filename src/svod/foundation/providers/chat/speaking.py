"""The library's side of a call: our requests to it, its events and failures to us.

Importing this module takes a second; only `openai.py` does, at the first call.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

from openai import AsyncOpenAI
from pydantic_ai.direct import model_request_stream
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelRequestTimeout,
    ModelTimeoutError,
)
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    UserPromptPart,
)
from pydantic_ai.models import StreamedResponse
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from svod.foundation.providers.chat.endpoint import Endpoint
from svod.foundation.providers.chat.errors import ModelBrokeOff
from svod.foundation.providers.chat.port import ChatRequest, Finish, Role, TokensUsed
from svod.foundation.providers.chat.retrying import TryFailed
from svod.foundation.providers.chat.thinking import without_thoughts
from svod.foundation.providers.chat.tokens import estimate_tokens

_NO_KEY = "none"
_NO_TAGS = ("\x00think", "\x00/think")
"""The library knows thoughts by pieces that are a tag and nothing else: where one is cut in two, it
takes the whole answer for a thought. `thinking.py` reads them instead."""
_PASSING = frozenset({408, 409, 425, 429})
_SERVER_FAILED = 500
_FINISHES = {
    "stop": Finish.STOPPED,
    "length": Finish.LENGTH,
    "content_filter": Finish.WITHHELD,
}


class Speaking:
    """One endpoint, spoken to through the library."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._client = AsyncOpenAI(
            base_url=endpoint.url,
            api_key=endpoint.key or _NO_KEY,
            http_client=endpoint.client(),
            # We try again ourselves, for every vendor alike.
            max_retries=0,
        )
        # The name of the limit that other servers know; only the inventor has renamed it.
        is_openai = endpoint.host.endswith("openai.com")
        provider = OpenAICompatibleProvider(
            "svod",
            openai_client=self._client,
            profile=OpenAIModelProfile(
                openai_chat_supports_max_completion_tokens=is_openai,
                thinking_tags=_NO_TAGS,
            ),
        )
        self._model = OpenAIChatModel(endpoint.model, provider=provider)

    async def close(self) -> None:
        """Let the connections go."""
        await self._client.close()

    @asynccontextmanager
    async def stream(self, request: ChatRequest) -> AsyncGenerator["Reply"]:
        """A reply whose first piece has come, or which is over.

        Raises:
            TryFailed: it did not begin.
        """
        settings = self._settings(request)
        begun = False
        try:
            async with model_request_stream(
                self._model, _messages(request), model_settings=settings
            ) as response:
                reply = Reply(self._endpoint.model, request, response)
                await reply.begin()
                begun = True
                yield reply
        except AgentRunError as error:
            if begun:
                raise ModelBrokeOff(reason=_reason(error)) from None
            raise _failed(error) from None

    def _settings(self, request: ChatRequest) -> OpenAIChatModelSettings:
        endpoint = self._endpoint
        settings = OpenAIChatModelSettings(
            max_tokens=min(request.max_tokens or endpoint.max_tokens, endpoint.max_tokens),
            # Of the whole reply: a stream that trickles for ever is none.
            request_timeout=endpoint.timeout_s,
        )
        if endpoint.temperature is not None:
            settings["temperature"] = endpoint.temperature
        if endpoint.seed is not None:
            settings["seed"] = endpoint.seed
        return settings


class Reply:
    """A `ChatReply` over the library's stream."""

    def __init__(self, model: str, request: ChatRequest, response: StreamedResponse) -> None:
        self._model = model
        self._request = request
        self._response = response
        self._pieces = without_thoughts(_pieces(response))
        self._first: str | None = None
        self._said = ""
        self._over = False

    async def begin(self) -> None:
        """Wait for the first piece."""
        self._first = await anext(self._pieces, None)
        self._over = self._first is None

    async def __aiter__(self) -> AsyncIterator[str]:
        """The pieces of the text."""
        if self._first is not None:
            self._said = self._first
            yield self._first
        try:
            async for piece in self._pieces:
                self._said += piece
                yield piece
        except AgentRunError as error:
            raise ModelBrokeOff(reason=_reason(error)) from None
        self._over = True

    @property
    def model(self) -> str:
        """The model as it was asked for."""
        return self._model

    @property
    def used(self) -> TokensUsed:
        """As the endpoint counts, else estimated."""
        told = self._response.usage
        asked = "\n".join((self._request.system, *(one.text for one in self._request.messages)))
        return TokensUsed(
            told.input_tokens or estimate_tokens(asked),
            told.output_tokens or estimate_tokens(self._said),
            calls=1,
        )

    @property
    def finish(self) -> Finish | None:
        """As the endpoint says; what it does not say is taken for done."""
        if not self._over:
            return None
        return _FINISHES.get(self._response.finish_reason or "stop", Finish.STOPPED)


async def _pieces(response: StreamedResponse) -> AsyncGenerator[str]:
    """The text of a stream; what the model thinks aloud is left out."""
    async for event in response:
        piece = ""
        if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
            piece = event.part.content
        elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
            piece = event.delta.content_delta
        if piece:
            yield piece


def _messages(request: ChatRequest) -> list[ModelMessage]:
    told: list[ModelMessage] = [ModelRequest([SystemPromptPart(request.system)])]
    for one in request.messages:
        if one.role is Role.USER:
            told.append(ModelRequest([UserPromptPart(one.text)]))
        else:
            told.append(ModelResponse([TextPart(one.text)]))
    return told


def _failed(error: AgentRunError) -> TryFailed:
    match error:
        case ModelQuotaExceededError():
            passing = False
        case ModelHTTPError():
            passing = error.status_code in _PASSING or error.status_code >= _SERVER_FAILED
        case ModelConnectionError() | ModelRequestTimeout():
            passing = True
        case _:
            passing = False
    retry_after_s = error.retry_after if isinstance(error, ModelAPIError) else None
    return TryFailed(_reason(error), passing=passing, retry_after_s=retry_after_s)


def _reason(error: AgentRunError) -> str:
    """A failure in a word or two of ours: the endpoint's words may quote the prompt."""
    match error:
        case ModelHTTPError():
            return f"HTTP {error.status_code}"
        case ModelTimeoutError() | ModelRequestTimeout():
            return "timeout"
        case ModelConnectionError():
            return "no connection"
        case _:
            return "unreadable reply"
