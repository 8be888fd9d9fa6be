"""The port to language models: messages go in, text comes out piece by piece."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Role(StrEnum):
    """Who speaks; what the system says is not a message but `ChatRequest.system`."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What a model is asked.

    `messages` end with one of the user. `max_tokens` is the most that it may write, within what the
    settings allow; None takes those.
    """

    system: str
    messages: tuple[Message, ...]
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class TokensUsed:
    """What calls cost: tokens read and written, and how many calls that were.

    Where the endpoint did not tell, as when a reply was cut short, they are estimated from above.
    """

    prompt: int = 0
    completion: int = 0
    calls: int = 0

    def __add__(self, other: "TokensUsed") -> "TokensUsed":
        return TokensUsed(
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.calls + other.calls,
        )


class Finish(StrEnum):
    """Why a reply ended: the model was done, it reached its limit, or the vendor withheld it."""

    STOPPED = "stopped"
    LENGTH = "length"
    WITHHELD = "withheld"


class ChatReply(Protocol):
    """A reply as it comes in; read it once, to its end or as far as it is wanted."""

    def __aiter__(self) -> AsyncIterator[str]:
        """The pieces of the text, none empty.

        Raises:
            Unavailable: it broke off.
        """
        ...

    @property
    def model(self) -> str:
        """The name of the model that writes it."""
        ...

    @property
    def used(self) -> TokensUsed:
        """What it cost so far."""
        ...

    @property
    def finish(self) -> Finish | None:
        """Why it ended; None until it was read to its end."""
        ...


class ChatModel(Protocol):
    """A language model behind some endpoint."""

    @property
    def name(self) -> str:
        """Its name, as the endpoint knows it."""
        ...

    @property
    def context_tokens(self) -> int:
        """How many tokens prompt and reply may have together."""
        ...

    @property
    def max_tokens(self) -> int:
        """How many tokens a reply may have."""
        ...

    def stream(self, request: ChatRequest) -> AbstractAsyncContextManager[ChatReply]:
        """The reply to a request, from when its first piece has come.

        Leaving the context early ends the call at the endpoint too.

        Raises:
            Unavailable: no reply began, after the tries of the policy; never anything else.
        """
        ...

    async def warm(self) -> None:
        """Load what the first call would wait for; the model itself is asked nothing."""
        ...

    async def close(self) -> None:
        """Let the connections go."""
        ...


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole reply."""

    text: str
    finish: Finish | None
    model: str
    used: TokensUsed


async def complete(model: ChatModel, request: ChatRequest) -> Completion:
    """The whole reply of a model.

    Raises:
        Unavailable: there was none, or it broke off.
    """
    async with model.stream(request) as reply:
        text = "".join([piece async for piece in reply])
        return Completion(text, reply.finish, reply.model, reply.used)
