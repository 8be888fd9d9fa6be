"""Language models: a request in, text out piece by piece, and what it cost.

`chat_model_from` reads the settings: an OpenAI-compatible endpoint, another to fall back on, or
none at all. Whatever fails is `Unavailable`; nothing of a prompt or a reply is logged.
"""

from svod.foundation.providers.chat.chain import ChatChain
from svod.foundation.providers.chat.endpoint import Endpoint
from svod.foundation.providers.chat.errors import ModelSettingsUnfit
from svod.foundation.providers.chat.openai import OpenAIChat
from svod.foundation.providers.chat.port import (
    ChatModel,
    ChatReply,
    ChatRequest,
    Completion,
    Finish,
    Message,
    Role,
    TokensUsed,
    complete,
)
from svod.foundation.providers.chat.retrying import Retries
from svod.foundation.providers.chat.tokens import estimate_tokens
from svod.foundation.settings import Settings

__all__ = [
    "ChatModel",
    "ChatReply",
    "ChatRequest",
    "Completion",
    "Finish",
    "Message",
    "Role",
    "TokensUsed",
    "chat_model_from",
    "complete",
    "estimate_tokens",
]


def chat_model_from(settings: Settings) -> ChatModel | None:
    """The model that the settings name; None where they name none. Nothing is asked of it yet.

    Raises:
        ModelSettingsUnfit: what they say does not go together.
    """
    if not settings.model_url:
        if settings.model:
            raise ModelSettingsUnfit(why="SVOD_MODEL is set and SVOD_MODEL_URL is not")
        return None
    retries = Retries(tries=settings.model_tries)
    secret = settings.model_key.get_secret_value() if settings.model_key else None
    first = _endpoint(settings, settings.model_url, settings.model or "", secret)
    if not settings.model_fallback:
        return OpenAIChat(first, retries=retries)
    # The next one is at the same address unless another is given, and then with its own key.
    elsewhere = settings.model_fallback_url
    if settings.model_fallback_key:
        secret = settings.model_fallback_key.get_secret_value()
    elif elsewhere:
        secret = None
    second = _endpoint(settings, elsewhere or settings.model_url, settings.model_fallback, secret)
    return ChatChain([OpenAIChat(one, retries=retries) for one in (first, second)])


def _endpoint(settings: Settings, url: str, model: str, key: str | None) -> Endpoint:
    return Endpoint(
        url=url,
        model=model,
        key=key,
        timeout_s=settings.model_timeout_s,
        max_tokens=settings.model_max_tokens,
        context_tokens=settings.model_context_tokens,
        temperature=settings.model_temperature,
        seed=settings.model_seed,
    )
