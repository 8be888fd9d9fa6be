"""The OpenAI-compatible endpoint: tries, waits, limits, and that nothing leaves for elsewhere."""

import subprocess
import sys
from typing import Any

import httpx2
import pytest

from fakes.chat import Fails, Says, ScriptedLLM, model_server
from svod.foundation.providers.chat import (
    ChatRequest,
    Finish,
    Message,
    Retries,
    Role,
    TokensUsed,
    chat_model_from,
    complete,
    estimate_tokens,
)
from svod.foundation.providers.chat.chain import ChatChain
from svod.foundation.providers.chat.endpoint import Endpoint
from svod.foundation.providers.chat.errors import (
    ModelBrokeOff,
    ModelRejected,
    ModelSettingsUnfit,
    ModelUnreachable,
)
from svod.foundation.providers.chat.openai import OpenAIChat
from svod.foundation.settings import Settings

REQUEST = ChatRequest("Answer.", (Message(Role.USER, "Где ключ?"),))


class Waits:
    """Remembers how long was waited, and waits no moment of it."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def patient(waits: Waits, tries: int = 5) -> Retries:
    return Retries(tries=tries, spread=lambda: 1.0, sleep=waits)


@pytest.mark.spec("A19")
@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
async def test_what_fails_in_passing_is_tried_again_with_growing_waits(status: int) -> None:
    waits = Waits()
    with model_server(Fails(status), Fails(status), "Ключ") as server:
        model = OpenAIChat(Endpoint(server.url, "m"), retries=patient(waits))
        said = await complete(model, REQUEST)
        assert (said.text, said.finish) == ("Ключ", Finish.STOPPED)
        assert said.used == TokensUsed(100, 7, 1)
        assert len(server.bodies) == 3
    assert waits.seconds == [0.5, 1.0]


@pytest.mark.spec("A19")
async def test_five_tries_are_the_most() -> None:
    waits = Waits()
    with model_server(Fails(503)) as server:
        model = OpenAIChat(Endpoint(server.url, "m"), retries=patient(waits))
        with pytest.raises(ModelUnreachable) as failed:
            await complete(model, REQUEST)
        assert len(server.bodies) == 5
    assert failed.value.facts == {"reason": "HTTP 503", "tries": 5}


@pytest.mark.spec("A19")
@pytest.mark.parametrize("status", [302, 400, 401, 403, 404, 422])
async def test_what_would_fail_again_is_not_tried_again(status: int) -> None:
    waits = Waits()
    with model_server(Fails(status)) as server:
        model = OpenAIChat(Endpoint(server.url, "m"), retries=patient(waits))
        with pytest.raises(ModelRejected):
            await complete(model, REQUEST)
        assert len(server.bodies) == 1
    assert waits.seconds == []


@pytest.mark.spec("A19")
async def test_the_wait_that_the_endpoint_asks_for_is_kept() -> None:
    waits = Waits()
    with model_server(Fails(429, "7"), "Ключ") as server:
        model = OpenAIChat(Endpoint(server.url, "m"), retries=patient(waits))
        assert (await complete(model, REQUEST)).text == "Ключ"
    assert waits.seconds == [7.0]


@pytest.mark.spec("A19")
async def test_a_wait_longer_than_anyone_stays_is_not_begun() -> None:
    waits = Waits()
    with model_server(Fails(429, "3600")) as server:
        model = OpenAIChat(Endpoint(server.url, "m"), retries=patient(waits))
        with pytest.raises(ModelUnreachable):
            await complete(model, REQUEST)
    assert waits.seconds == []


@pytest.mark.spec("A19")
async def test_nobody_listening_is_unavailable_after_the_tries() -> None:
    waits = Waits()
    model = OpenAIChat(Endpoint("http://127.0.0.1:9/v1", "m"), retries=patient(waits, tries=2))
    with pytest.raises(ModelUnreachable) as failed:
        await complete(model, REQUEST)
    assert failed.value.facts == {"reason": "no connection", "tries": 2}


@pytest.mark.spec("A19")
async def test_a_reply_has_its_time_limit() -> None:
    with model_server(Says("Ключ висит", hangs=True)) as server:
        model = OpenAIChat(Endpoint(server.url, "m", timeout_s=0.3), retries=Retries(tries=1))
        with pytest.raises(ModelBrokeOff) as failed:
            await complete(model, REQUEST)
    assert failed.value.facts == {"reason": "timeout"}


@pytest.mark.spec("A19")
async def test_limits_temperature_seed_and_key_are_sent() -> None:
    with model_server("ok") as server:
        endpoint = Endpoint(server.url, "m", key="k-1", max_tokens=64, temperature=0.0, seed=7)
        await complete(OpenAIChat(endpoint), REQUEST)
        await complete(OpenAIChat(Endpoint(server.url, "m", temperature=None)), REQUEST)
        sent, plain = server.bodies
        assert server.headers[0]["authorization"] == "Bearer k-1"
    assert (sent["model"], sent["max_tokens"], sent["temperature"], sent["seed"]) == (
        "m",
        64,
        0.0,
        7,
    )
    assert sent["stream_options"] == {"include_usage": True}
    assert not {"temperature", "seed", "tools"} & set(plain)


@pytest.mark.spec("X11")
async def test_no_request_leaves_for_another_host_and_no_redirect_is_followed() -> None:
    client = Endpoint("http://127.0.0.1:9/v1", "m").client()
    assert client.follow_redirects is False
    for elsewhere in ("http://127.0.0.1:10/v1", "https://127.0.0.1:9/v1", "http://localhost:9/"):
        with pytest.raises(httpx2.UnsupportedProtocol):
            await client.get(elsewhere)


@pytest.mark.spec("A18")
async def test_the_next_model_of_a_chain_answers_where_the_first_does_not() -> None:
    first, second = ScriptedLLM(Fails(503), name="a"), ScriptedLLM("Ключ", name="b", max_tokens=64)
    chain = ChatChain([first, second])
    said = await complete(chain, REQUEST)
    assert (said.text, said.model) == ("Ключ", "b")
    assert (chain.name, chain.max_tokens) == ("a", 64)
    with pytest.raises(ModelUnreachable):
        await complete(ChatChain([first, ScriptedLLM(Fails(500))]), REQUEST)
    await chain.close()
    assert (first.closed, second.closed) == (True, True)


@pytest.mark.parametrize(
    "given",
    [
        {"model": "m"},
        {"model_url": "http://127.0.0.1/v1"},
        {"model_url": "ftp://127.0.0.1/v1", "model": "m"},
        {"model_url": "127.0.0.1:11434/v1", "model": "m"},
        {"model_url": "http://", "model": "m"},
        {"model_url": "http://me:secret@127.0.0.1/v1", "model": "m"},
        {"model_url": "http://127.0.0.1/v1", "model": "m", "model_max_tokens": 9000},
    ],
)
def test_settings_that_could_never_work_are_refused_at_the_start(given: dict[str, Any]) -> None:
    with pytest.raises(ModelSettingsUnfit) as refused:
        chat_model_from(Settings(**given))
    assert "secret" not in str(refused.value)


def test_settings_name_the_model_and_the_one_behind_it() -> None:
    assert chat_model_from(Settings()) is None
    assert chat_model_from(Settings(model_url="", model="")) is None
    one = {"model_url": "http://127.0.0.1:1/v1", "model": "big", "model_key": "k"}
    assert isinstance(chat_model_from(Settings(**one)), OpenAIChat)
    chain = chat_model_from(Settings(**one, model_fallback="small"))
    assert isinstance(chain, ChatChain)
    assert chain.name == "big"
    assert "'k'" not in repr(Endpoint("http://127.0.0.1:1/v1", "m", key="k"))


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        ("The deposit for a scooter is 700 roubles.", 10, 25),
        ("Залог за самокат составляет 700 рублей.", 12, 30),
        ("2026-11-30", 8, 12),
        ("🛴🛴", 4, 4),
        ("a" * 700, 200, 200),
    ],
)
def test_tokens_are_estimated_from_above_and_not_wildly(text: str, least: int, most: int) -> None:
    assert least <= estimate_tokens(text) <= most


def test_the_libraries_of_models_are_not_imported_before_a_model_is_asked() -> None:
    code = (
        "import sys, svod, svod.cli.app, svod.assembly, svod.serve;"
        "svod.cli.app.make_cli();"
        "from svod.foundation.providers.chat import chat_model_from;"
        "from svod.foundation.settings import Settings;"
        "chat_model_from(Settings(model_url='http://127.0.0.1:1/v1', model='m'));"
        "print(sorted({'openai', 'pydantic_ai'} & set(sys.modules)))"
    )
    said = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "[]"
