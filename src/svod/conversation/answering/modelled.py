"""An answer in a model's words: asked, heard sentence by sentence, checked, and told only then."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field

import structlog

from svod.conversation.answering.budget import Cut, PromptTooLong, Shown
from svod.conversation.answering.citing import Numbering
from svod.conversation.answering.comparing import Comparing
from svod.conversation.answering.evidence import Evidence
from svod.conversation.answering.grounds import Grounds
from svod.conversation.answering.hearing import Ending, Hearing
from svod.conversation.answering.prompt import Asking, build, once_more
from svod.conversation.answering.telling import Passed, Telling
from svod.foundation.providers.chat import ChatModel, TokensUsed
from svod.foundation.providers.prompts import Prompt

log = structlog.get_logger()

MOST_CALLS = 2
"""A second one only where the first reply begins in the wrong language."""
WRONG_LANGUAGE = "wrong_language"
UNSUPPORTED = "unsupported"
BROKE_OFF = "broke_off"


@dataclass(slots=True)
class Outcome:
    """How an answer of a model went and what it cost; whole once it was told to its end.

    `ending` is a stable word: `done`, or why there is no answer or not a whole one.
    """

    model: str
    numbering: Numbering = field(default_factory=Numbering)
    used: TokensUsed = field(default_factory=TokensUsed)
    cut: tuple[Cut, ...] = ()
    shown: tuple[Shown, ...] = ()
    removed: int = 0
    told: int = 0
    ending: str = Ending.DONE
    took_ms: int = 0

    @property
    def found_nothing(self) -> bool:
        """Whether the model read the evidence and says that it does not answer."""
        return self.ending == Ending.FOUND_NOTHING and not self.told

    @property
    def notes(self) -> list[str]:
        """What is worth knowing of the ending."""
        return [] if self.ending == Ending.DONE else [f"model_{self.ending}"]


class Modelled:
    """Asks one model, within one time limit for everything."""

    def __init__(self, model: ChatModel, prompt: Prompt, *, timeout_s: float) -> None:
        self._model = model
        self._prompt = prompt
        self._timeout_s = timeout_s

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def prompt(self) -> str:
        """The prompt's name and version."""
        return self._prompt.title

    async def tell(
        self, asking: Asking, evidence: Evidence, outcome: Outcome, comparing: Comparing
    ) -> AsyncGenerator[str]:
        """The checked parts of an answer as they come; none where the model gave none.

        It does not fail: how it went stands in the outcome, which is filled meanwhile. Whoever
        stops listening ends the call.
        """
        started = time.perf_counter()
        deadline = asyncio.get_running_loop().time() + self._timeout_s
        try:
            built = await asyncio.to_thread(build, self._prompt, asking, evidence, self._model)
        except PromptTooLong as failed:
            log.warning("model_prompt_too_long", **failed.facts)
            outcome.ending = Ending.UNAVAILABLE
            return
        outcome.cut, outcome.shown = built.cut, built.shown
        grounds = Grounds(built.shown, comparing)
        request = built.request
        for _ in range(MOST_CALLS):
            hearing = Hearing(self._model, request, deadline)
            telling = Telling(asking.language, grounds, outcome.numbering)
            async with aclosing(self._parts(hearing, telling, outcome)) as parts:
                async for part in parts:
                    outcome.told += 1
                    yield part
            outcome.took_ms = round((time.perf_counter() - started) * 1000)
            if outcome.ending != WRONG_LANGUAGE:
                return
            request = once_more(self._prompt, asking, built, hearing.heard)

    async def _parts(
        self, hearing: Hearing, telling: Telling, outcome: Outcome
    ) -> AsyncGenerator[str]:
        """What one call tells; it ends at once where it begins in the wrong language."""
        is_wrong_language = False
        try:
            async with aclosing(hearing.sentences()) as sentences:
                async for said in sentences:
                    part = await telling.part(said)
                    if not isinstance(part, Passed):
                        yield part
                    elif part is Passed.WRONG_LANGUAGE and not outcome.told:
                        is_wrong_language = True
                        break
            telling.end()
        finally:
            outcome.model = hearing.model
            outcome.used += hearing.used
            outcome.removed += 0 if is_wrong_language else telling.removed
        outcome.ending = WRONG_LANGUAGE if is_wrong_language else _ending(hearing, outcome)
        if hearing.failed:
            log.warning("model_failed", code=hearing.failed, told=outcome.told)


def _ending(hearing: Hearing, outcome: Outcome) -> str:
    if hearing.ending is Ending.UNAVAILABLE and outcome.told:
        return BROKE_OFF
    if hearing.ending is Ending.DONE and not outcome.told:
        return UNSUPPORTED
    return hearing.ending
