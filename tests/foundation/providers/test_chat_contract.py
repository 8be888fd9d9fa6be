"""What every language model promises: the scripted one, and the real one over HTTP."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from fakes.chat import Fails, Says, Script, ScriptedLLM, Turn, model_server
from svod.foundation.errors import Unavailable
from svod.foundation.providers.chat import (
    ChatModel,
    ChatRequest,
    Finish,
    Message,
    Retries,
    Role,
    complete,
)
from svod.foundation.providers.chat.endpoint import Endpoint
from svod.foundation.providers.chat.errors import ModelBrokeOff, ModelRejected, ModelUnreachable
from svod.foundation.providers.chat.openai import OpenAIChat

REQUEST = ChatRequest(
    "Answer in Russian.",
    (
        Message(Role.USER, "Привет"),
        Message(Role.ASSISTANT, "Здравствуйте"),
        Message(Role.USER, "Где ключ?"),
    ),
    max_tokens=50,
)
TEXTS = {
    "ru": "Ключ висит у входа [1]. Ёлка — 5 °C.\n",
    "en": "The key hangs by the door [1]. “Really”, 5 °C.\n",
}


@dataclass
class Playing:
    """A model and the script it follows."""

    model: ChatModel
    script: Script


Play = Callable[..., Playing]


@pytest.fixture(params=["scripted", "endpoint"])
def play(request: pytest.FixtureRequest) -> Generator[Play]:
    with ExitStack() as stack:

        def make(*turns: Turn) -> Playing:
            if request.param == "scripted":
                model = ScriptedLLM(*turns)
                return Playing(model, model.script)
            server = stack.enter_context(model_server(*turns))
            endpoint = Endpoint(server.url, "scripted", timeout_s=20)
            return Playing(OpenAIChat(endpoint, retries=Retries(tries=1)), server.script)

        yield make


@pytest.mark.spec("A18")
@pytest.mark.parametrize("lang", ["ru", "en"])
async def test_the_pieces_of_a_reply_are_its_text(play: Play, lang: str) -> None:
    playing = play(TEXTS[lang])
    async with playing.model.stream(REQUEST) as reply:
        assert reply.finish is None
        pieces = [piece async for piece in reply]
        assert "".join(pieces) == TEXTS[lang]
        assert all(pieces)
        assert len(pieces) > 1
        assert (reply.finish, reply.model) == (Finish.STOPPED, "scripted")
        assert reply.used.prompt > 0
        assert reply.used.completion > 0
        assert reply.used.calls == 1
    assert not playing.script.left_early.is_set()


@pytest.mark.spec("A18")
async def test_a_request_arrives_as_it_was_made(play: Play) -> None:
    playing = play("ok")
    await complete(playing.model, REQUEST)
    assert playing.script.asked == [REQUEST]


@pytest.mark.spec("A18")
@pytest.mark.parametrize("finish", list(Finish))
async def test_a_reply_says_why_it_ended(play: Play, finish: Finish) -> None:
    said = await complete(play(Says("Ключ", finish=finish)).model, REQUEST)
    assert (said.text, said.finish) == ("Ключ", finish)


async def test_nothing_may_be_said(play: Play) -> None:
    said = await complete(play("").model, REQUEST)
    assert (said.text, said.finish) == ("", Finish.STOPPED)


@pytest.mark.spec("A19")
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, ModelRejected),
        (401, ModelRejected),
        (404, ModelRejected),
        (429, ModelUnreachable),
        (500, ModelUnreachable),
        (503, ModelUnreachable),
    ],
)
async def test_a_model_that_does_not_answer_is_unavailable(
    play: Play, status: int, kind: type[Unavailable]
) -> None:
    with pytest.raises(kind) as failed:
        await complete(play(Fails(status)).model, REQUEST)
    assert "secret" not in str(failed.value)
    assert str(status) in str(failed.value)


@pytest.mark.spec("A19")
async def test_a_reply_that_breaks_off_says_so_after_what_it_said(play: Play) -> None:
    playing = play(Says("Ключ висит", breaks=True))
    heard = ""
    with pytest.raises(ModelBrokeOff):  # noqa: PT012 - the point is what comes before it
        async with playing.model.stream(REQUEST) as reply:
            async for piece in reply:
                heard += piece
    assert heard == "Ключ висит"


@pytest.mark.spec("A19")
async def test_leaving_early_ends_the_call(play: Play) -> None:
    playing = play(Says("Ключ висит у входа", hangs=True))
    async with playing.model.stream(REQUEST) as reply:
        async for _ in reply:
            break
        assert reply.used.completion > 0
    assert await asyncio.to_thread(playing.script.left_early.wait, 20)
    await playing.model.close()
