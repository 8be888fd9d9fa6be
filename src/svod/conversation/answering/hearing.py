"""Hearing a model out: sentence by sentence, in the time there is, as long as it makes sense."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from enum import StrEnum

from svod.conversation.answering.prompt import NO_ANSWER
from svod.conversation.answering.reply import ReplyReader, Said
from svod.foundation.errors import Unavailable
from svod.foundation.providers.chat import ChatModel, ChatReply, ChatRequest, TokensUsed

MOST_SENTENCES = 40
LONGEST_SENTENCE = 3_000
"""Characters without the end of a sentence after which a reply is none."""
MOST_REPEATS = 2
"""How often a sentence may come again before the model counts as caught in a loop."""
_AROUND = " .`*\"'«»[]"


class Ending(StrEnum):
    """Why a reply was heard no further."""

    DONE = "done"
    FOUND_NOTHING = "found_nothing"
    LOOPED = "looped"
    TOO_LONG = "too_long"
    TIMED_OUT = "timed_out"
    UNAVAILABLE = "unavailable"


class Hearing:
    """One call of a model; heard once."""

    def __init__(self, model: ChatModel, request: ChatRequest, deadline: float) -> None:
        """Get ready.

        Args:
            model: whom to ask.
            request: what.
            deadline: until when, by the clock of the loop.
        """
        self._model = model
        self._request = request
        self._deadline = deadline
        self._times: Counter[str] = Counter()
        self.ending = Ending.DONE
        self.used = TokensUsed()
        self.model = model.name
        self.heard = ""
        self.failed: str | None = None

    async def sentences(self) -> AsyncGenerator[Said]:
        """The sentences of the reply; whoever stops listening ends the call.

        It never fails: `ending` says how it went, `failed` the code of a failure.
        """
        opened = self._model.stream(self._request)
        reply: ChatReply | None = None
        try:
            async with asyncio.timeout_at(self._deadline):
                reply = await opened.__aenter__()
            self.model = reply.model
            async for said in self._heard(reply):
                yield said
        except TimeoutError:
            self.ending = Ending.TIMED_OUT
        except Unavailable as failed:
            self.ending, self.failed = Ending.UNAVAILABLE, failed.code
        finally:
            if reply is not None:
                self.used = reply.used
                await opened.__aexit__(None, None, None)

    async def _heard(self, reply: ChatReply) -> AsyncGenerator[Said]:
        reader = ReplyReader()
        pieces = aiter(reply)
        count = 0
        is_over = False
        while not is_over:
            # The limit holds while we wait for the model, not while somebody reads what it said.
            async with asyncio.timeout_at(self._deadline):
                piece = await anext(pieces, None)
            is_over = piece is None
            self.heard += piece or ""
            for said in reader.end() if piece is None else reader.feed(piece):
                count += 1
                if ending := self._ends(said, count):
                    self.ending = ending
                    return
                yield said
            if reader.waiting > LONGEST_SENTENCE:
                self.ending = Ending.TOO_LONG
                return

    def _ends(self, said: Said, count: int) -> Ending | None:
        text = said.text.strip(_AROUND).casefold()
        if text.replace(" ", "_") == NO_ANSWER.casefold():
            return Ending.FOUND_NOTHING
        self._times[text] += 1
        if self._times[text] > MOST_REPEATS:
            return Ending.LOOPED
        return Ending.TOO_LONG if count > MOST_SENTENCES else None
