"""How an endpoint that limits, refuses, lies or is gone is dealt with."""

import asyncio
import json
import math
from collections.abc import AsyncGenerator, Generator
from email.utils import format_datetime
from typing import Any

import numpy as np
import pytest
import pytest_asyncio

from fakes.endpoint import Endpoint, refused
from svod.foundation.clock import SystemClock
from svod.foundation.providers import Purpose, Source, UnknownEmbeddings, source_from
from svod.foundation.providers.endpoint.calling import _retry_after_s
from svod.foundation.providers.endpoint.embedder import EndpointEmbedder
from svod.foundation.providers.endpoint.turns import Turns
from svod.foundation.providers.errors import (
    EndpointBusy,
    EndpointIncomplete,
    EndpointKeyRefused,
    EndpointRefused,
    EndpointUnfit,
    EndpointUnreachable,
    ModelNotLearned,
)
from svod.foundation.providers.probes import PROBES
from svod.foundation.providers.sources import EndpointSource, read_source, write_source
from svod.foundation.settings import Settings

TEXTS = {
    "ru": [f"Пункт договора номер {number}" for number in range(30)],
    "en": [f"Clause {number} of the contract" for number in range(30)],
}
BOTH = ("ru", "en")


@pytest.fixture
def endpoint() -> Generator[Endpoint]:
    endpoint = Endpoint()
    yield endpoint
    endpoint.go()


@pytest_asyncio.fixture
async def embedder(endpoint: Endpoint) -> AsyncGenerator[EndpointEmbedder]:
    embedder = EndpointEmbedder(endpoint.source(), first_wait_s=0.001)
    yield embedder
    await embedder.aclose()


async def made(endpoint: Endpoint, **changes: Any) -> EndpointEmbedder:
    embedder = EndpointEmbedder(endpoint.source(**changes), first_wait_s=0.001)
    await embedder.warm()
    endpoint.asked.clear()
    endpoint.embedded.clear()
    return embedder


@pytest.mark.spec("A18")
async def test_what_the_model_is_shows_in_its_first_reply(
    endpoint: Endpoint, embedder: EndpointEmbedder
) -> None:
    with pytest.raises(ModelNotLearned):
        _ = embedder.card
    assert not embedder.ready
    assert embedder.max_tokens == 512
    await embedder.embed(["вопрос"], purpose=Purpose.ASK)
    assert embedder.card.dimensions == 64
    assert embedder.ready
    assert endpoint.embedded == [*PROBES, "вопрос"]
    await embedder.warm()
    assert len(endpoint.embedded) == len(PROBES) + 1


@pytest.mark.spec("R7")
async def test_the_name_of_the_card_changes_with_whatever_changes_the_vectors(
    endpoint: Endpoint,
) -> None:
    names = [
        (await made(endpoint, **changes)).card.name
        for changes in (
            {},
            {"model": "other"},
            {"query_prefix": "query: "},
            {"passage_prefix": "passage: "},
            {"max_tokens": 256},
        )
    ]
    endpoint.dimensions = 32
    names.append((await made(endpoint)).card.name)
    assert len(set(names)) == 6
    endpoint.dimensions = 64
    # Neither the host, nor the key, nor how texts are sent: the vectors stay the same.
    same = await made(endpoint, batch=3, url=endpoint.url.replace("127.0.0.1", "localhost"))
    assert same.card.name == names[0]


@pytest.mark.spec("A19")
async def test_prefixes_and_dimensions_are_sent(endpoint: Endpoint) -> None:
    embedder = await made(
        endpoint, query_prefix="query: ", passage_prefix="passage: ", dimensions=64
    )
    await embedder.embed(["да"], purpose=Purpose.ASK)
    for purpose in (Purpose.STORE, Purpose.RENEW, Purpose.COMPARE):
        await embedder.embed(["нет"], purpose=purpose)
    assert endpoint.embedded == ["query: да", *["passage: нет"] * 3]
    assert endpoint.asked[0] == {
        "model": "hash-model",
        "input": ["query: да"],
        "encoding_format": "float",
        "dimensions": 64,
    }


@pytest.mark.spec("N-10", "A19")
@pytest.mark.parametrize("lang", BOTH)
async def test_refused_every_third_call_each_text_is_embedded_exactly_once(
    endpoint: Endpoint, lang: str
) -> None:
    embedder = await made(endpoint, batch=4)
    endpoint.calls = 0
    endpoint.answer = lambda _: (
        refused(429, "rate_limit", Retry_After="0") if endpoint.calls % 3 == 0 else None
    )
    vectors = await embedder.embed(TEXTS[lang], purpose=Purpose.STORE)
    assert endpoint.embedded == TEXTS[lang]
    assert vectors.shape == (30, 64)
    assert embedder.trouble is None


@pytest.mark.spec("N-11")
@pytest.mark.parametrize("status", [400, 413, 422])
async def test_a_cap_on_the_batch_is_found_and_remembered(endpoint: Endpoint, status: int) -> None:
    embedder = await made(endpoint)
    endpoint.answer = lambda body: refused(status) if len(body["input"]) > 10 else None
    vectors = await embedder.embed(TEXTS["ru"], purpose=Purpose.STORE)
    assert endpoint.embedded == TEXTS["ru"]
    for text, vector in zip(TEXTS["ru"], vectors, strict=True):
        (alone,) = await embedder.embed([text], purpose=Purpose.STORE)
        np.testing.assert_allclose(vector, alone, atol=1e-6)
    endpoint.asked.clear()
    await embedder.embed(TEXTS["en"], purpose=Purpose.STORE)
    assert max(len(body["input"]) for body in endpoint.asked) <= 10


async def test_a_text_that_is_too_long_for_the_endpoint_is_cut_until_it_is_taken(
    endpoint: Endpoint,
) -> None:
    embedder = await made(endpoint)
    endpoint.answer = lambda body: (
        refused(400, "context_length_exceeded")
        if any(len(text) > 400 for text in body["input"])
        else None
    )
    long = "слово " * 200
    vectors = await embedder.embed(["короткий", long, "текст"], purpose=Purpose.STORE)
    assert vectors.shape == (3, 64)
    assert sorted(len(text) for text in endpoint.embedded)[:2] == [5, 8]
    assert max(len(text) for text in endpoint.embedded) <= 400


@pytest.mark.parametrize("text", ["слово " * 5000, "x" * 100_000, "漢" * 5000])
async def test_a_text_over_the_limit_is_cut_before_it_is_sent(
    endpoint: Endpoint, text: str
) -> None:
    embedder = await made(endpoint, max_tokens=100)
    await embedder.embed([text], purpose=Purpose.STORE)
    (sent,) = endpoint.embedded
    assert text.startswith(sent)
    assert embedder.count_tokens([sent])[0] <= 100


@pytest.mark.spec("A19", "X15")
async def test_a_wrong_model_is_told_after_a_few_calls(endpoint: Endpoint) -> None:
    embedder = await made(endpoint)
    endpoint.answer = lambda _: refused(404, "model_not_found")
    with pytest.raises(EndpointRefused, match="model_not_found"):
        await embedder.embed(TEXTS["ru"], purpose=Purpose.STORE)
    assert len(endpoint.asked) == 1


@pytest.mark.spec("X15")
async def test_a_refused_key_is_told_at_once_and_as_that(endpoint: Endpoint) -> None:
    embedder = EndpointEmbedder(endpoint.source(key="sk-wrong"), first_wait_s=0.001)
    with pytest.raises(EndpointKeyRefused):
        await embedder.warm()
    assert isinstance(embedder.trouble, EndpointKeyRefused)
    assert len(endpoint.asked) == 1


async def test_what_an_endpoint_says_never_reaches_a_message(endpoint: Endpoint) -> None:
    embedder = await made(endpoint)
    endpoint.answer = lambda _: refused(400, "secret words of a text")
    with pytest.raises(EndpointRefused) as raised:
        await embedder.embed(["текст"], purpose=Purpose.STORE)
    assert "secret" not in str(raised.value)


@pytest.mark.spec("A19")
@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
async def test_five_tries_are_made_and_no_more(endpoint: Endpoint, status: int) -> None:
    embedder = await made(endpoint)
    endpoint.answer = lambda _: refused(status)
    with pytest.raises(EndpointBusy):
        await embedder.embed(["текст"], purpose=Purpose.STORE)
    assert len(endpoint.asked) == 5


@pytest.mark.spec("R6", "X15")
async def test_after_a_failure_a_question_does_not_wait_for_another_one(
    endpoint: Endpoint,
) -> None:
    embedder = await made(endpoint)
    endpoint.answer = lambda _: refused(503)
    with pytest.raises(EndpointBusy):
        await embedder.embed(["текст"], purpose=Purpose.STORE)
    endpoint.asked.clear()
    with pytest.raises(EndpointBusy):
        await embedder.embed(["вопрос"], purpose=Purpose.ASK)
    assert endpoint.asked == []
    endpoint.answer = lambda _: None
    await embedder.embed(["текст"], purpose=Purpose.STORE)
    assert embedder.trouble is None
    await embedder.embed(["вопрос"], purpose=Purpose.ASK)
    assert endpoint.embedded == ["текст", "вопрос"]


@pytest.mark.spec("X15")
async def test_gone_and_back_needs_no_restart(endpoint: Endpoint) -> None:
    embedder = await made(endpoint)
    endpoint.go()
    with pytest.raises(EndpointUnreachable):
        await embedder.embed(["текст"], purpose=Purpose.STORE)
    assert not embedder.ready
    endpoint.come_back()
    assert (await embedder.embed(["текст"], purpose=Purpose.STORE)).shape == (1, 64)
    assert embedder.ready


async def test_a_redirect_is_not_followed(endpoint: Endpoint) -> None:
    embedder = await made(endpoint)
    endpoint.answer = lambda _: refused(307, Location="http://127.0.0.1:9/v1/embeddings")
    with pytest.raises(EndpointRefused):
        await embedder.embed(["текст"], purpose=Purpose.STORE)


def _reply(*rows: object, **fields: object) -> bytes:
    data = [{"index": at, "embedding": row, **fields} for at, row in enumerate(rows)]
    return json.dumps({"data": data}).encode()


ROW = [1.0] * 64


@pytest.mark.spec("N-29", "N-31")
@pytest.mark.parametrize(
    ("body", "why"),
    [
        (_reply([1.0] * 32), "32 dimensions in place of 64"),
        (_reply([math.nan] * 64), "not finite"),
        (_reply([math.inf] + [1.0] * 63), "not finite"),
        (_reply([0.0] * 64), "no length"),
        (_reply(), "0 vectors for 1"),
        (_reply(ROW, ROW), "2 vectors for 1"),
        (_reply([]), "0 dimensions"),
        (_reply(["a"] * 64), "no list of numbers"),
        (_reply([ROW]), "no list of numbers"),
        (_reply(None), "no list of numbers"),
        (_reply(ROW, index=7), "1 vectors for 1"),
        (b"{}", "no list of vectors"),
        (b"<html>", "no list of vectors"),
        (b"[]", "no list of vectors"),
    ],
)
async def test_a_reply_that_cannot_be_right_is_refused(
    endpoint: Endpoint, body: bytes, why: str
) -> None:
    embedder = await made(endpoint)
    endpoint.answer = lambda _: (200, {}, body)
    with pytest.raises(EndpointUnfit, match=why):
        await embedder.embed(["текст"], purpose=Purpose.STORE)
    assert len(endpoint.asked) == 1


async def test_vectors_of_two_sizes_are_refused(endpoint: Endpoint) -> None:
    embedder = await made(endpoint)
    endpoint.answer = lambda _: (200, {}, _reply(ROW, ROW[:32]))
    with pytest.raises(EndpointUnfit, match="different sizes"):
        await embedder.embed(["один", "два"], purpose=Purpose.STORE)


async def test_a_question_overtakes_passages_and_has_a_place_kept() -> None:
    turns = Turns(2)
    done: list[str] = []
    free, was_asked = asyncio.Event(), asyncio.Event()

    async def call(name: str, purpose: Purpose, *, held: bool = False) -> None:
        async with turns.turn(purpose):
            if held:
                await free.wait()
            done.append(name)
        if name == "asked":
            was_asked.set()

    async with asyncio.TaskGroup() as group:
        group.create_task(call("long", Purpose.STORE, held=True))
        await asyncio.sleep(0)
        left = group.create_task(call("left", Purpose.STORE))
        group.create_task(call("renewed", Purpose.RENEW))
        group.create_task(call("stored", Purpose.STORE))
        await asyncio.sleep(0)
        group.create_task(call("asked", Purpose.ASK))
        left.cancel()
        await was_asked.wait()
        assert done == ["asked"]
        free.set()
    assert done == ["asked", "long", "stored", "renewed"]


@pytest.mark.spec("A19")
def test_when_to_come_back_is_read_in_seconds_and_as_a_date() -> None:
    assert _retry_after_s(None) is None
    assert _retry_after_s("2") == 2.0
    assert _retry_after_s("0.5") == 0.5
    assert _retry_after_s("86400") == 60.0
    assert _retry_after_s("-1") == 0.0
    assert _retry_after_s("nan") == 0.0
    assert _retry_after_s("soon") is None
    assert _retry_after_s(format_datetime(SystemClock().now())) == 0.0


def test_the_settings_name_the_endpoint(tmp_path) -> None:
    settings = Settings(data=tmp_path, embeddings="openai", embeddings_url="http://h/v1",
                        embeddings_model="m", embeddings_key="k", embeddings_dimensions=256)  # fmt: skip
    source = source_from(settings)
    assert isinstance(source, EndpointSource)
    assert (source.url, source.model, source.key, source.dimensions) == (
        "http://h/v1",
        "m",
        "k",
        256,
    )
    kept: Source = read_source(write_source(source))
    assert kept == source
    with pytest.raises(EndpointIncomplete):
        source_from(Settings(data=tmp_path, embeddings="openai"))
    with pytest.raises(UnknownEmbeddings):
        source_from(Settings(data=tmp_path, embeddings="magic"))
