"""What every embedder promises, kept by the real model and by the fake that stands for it."""

import asyncio
from collections.abc import AsyncGenerator

import numpy as np
import pytest
import pytest_asyncio

from fakes.embedder import HashEmbedder
from fakes.endpoint import Endpoint
from fakes.model_folder import a_model_folder
from svod.foundation.providers import BuiltinEmbedder, Embedder, Purpose, embedder_from
from svod.foundation.providers.endpoint.embedder import EndpointEmbedder
from svod.foundation.settings import Settings

TEXTS = {
    "ru": ["Договор продлевается на год.", "Чайник стоит на кухне.", "Сервер перезапущен ночью."],
    "en": ["The contract is extended for a year.", "The kettle is in the kitchen.", "Rebooted."],
}
BOTH = ("ru", "en")
CLOSE = 1e-4
"""Rounding may differ with the shape of a batch."""


@pytest_asyncio.fixture(params=["builtin", "hash", "endpoint", "folder"])
async def embedder(request: pytest.FixtureRequest) -> AsyncGenerator[Embedder]:
    if request.param == "hash":
        yield HashEmbedder()
    elif request.param == "endpoint":
        endpoint = Endpoint()
        asking = EndpointEmbedder(endpoint.source(query_prefix="question: "), first_wait_s=0.001)
        await asking.warm()
        yield asking
        await asking.aclose()
        endpoint.go()
    elif request.param == "folder":
        path = a_model_folder(
            request.getfixturevalue("tmp_path") / "m", query_prefix="что: ", max_tokens=512
        )
        local = embedder_from(Settings(embeddings=str(path)))
        assert local is not None
        await local.warm()
        yield local
        await local.aclose()
    else:
        builtin: BuiltinEmbedder = request.getfixturevalue("builtin")
        yield builtin


@pytest.mark.spec("R7")
@pytest.mark.parametrize("lang", BOTH)
@pytest.mark.parametrize("purpose", Purpose)
async def test_vectors_have_unit_length_and_the_shape_of_the_card(
    embedder: Embedder, lang: str, purpose: Purpose
) -> None:
    vectors = await embedder.embed(TEXTS[lang], purpose=purpose)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS[lang]), embedder.card.dimensions)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=CLOSE)


async def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    vectors = await embedder.embed([], purpose=Purpose.STORE)
    assert vectors.shape == (0, embedder.card.dimensions)


@pytest.mark.parametrize("lang", BOTH)
async def test_vectors_come_in_the_order_of_the_texts_whatever_their_lengths(
    embedder: Embedder, lang: str
) -> None:
    texts = [TEXTS[lang][0] * 9, TEXTS[lang][1], TEXTS[lang][2] * 40, TEXTS[lang][1] * 3, "—"]
    together = await embedder.embed(texts, purpose=Purpose.STORE)
    for text, vector in zip(texts, together, strict=True):
        (alone,) = await embedder.embed([text], purpose=Purpose.STORE)
        np.testing.assert_allclose(vector, alone, atol=CLOSE)


async def test_one_text_gives_one_vector_the_same_each_time(embedder: Embedder) -> None:
    first = await embedder.embed(["Порог — 100 тысяч."], purpose=Purpose.STORE)
    again = await embedder.embed(["Порог — 100 тысяч."], purpose=Purpose.STORE)
    assert first.shape == (1, embedder.card.dimensions)
    np.testing.assert_allclose(first, again, atol=CLOSE)


@pytest.mark.parametrize("text", ["слово ", "word "])
async def test_a_text_over_the_limit_is_cut_at_its_end(embedder: Embedder, text: str) -> None:
    long = text * 2 * embedder.card.max_tokens
    one, other = await embedder.embed(
        [long + "Париж", long + "Sahara and snow"], purpose=Purpose.STORE
    )
    np.testing.assert_allclose(one, other, atol=CLOSE)


@pytest.mark.parametrize("limit", [5, 50])
async def test_a_text_within_the_limit_is_read_to_its_end(embedder: Embedder, limit: int) -> None:
    one, other = await embedder.embed(
        ["слово " * limit + "Париж", "слово " * limit + "бухгалтерия"], purpose=Purpose.STORE
    )
    assert not np.allclose(one, other, atol=CLOSE)


@pytest.mark.parametrize(
    "text",
    ["", " ", "\0", "a\0b", "\ud800", "text \udfff text", "\ufdfa" * 3000, "e" + "\u0301" * 5000,
     "\u200b\ufeff", "👩‍👩‍👧 🇷🇺", "</s><s><pad>", "\u2581"],
)  # fmt: skip
async def test_any_string_is_taken(embedder: Embedder, text: str) -> None:
    (vector,) = await embedder.embed([text], purpose=Purpose.STORE)
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1, abs=CLOSE)
    assert embedder.count_tokens([text])[0] >= 0


async def test_asking_and_storing_may_differ_but_stay_close(embedder: Embedder) -> None:
    (asked,) = await embedder.embed(["Порядок закупок"], purpose=Purpose.ASK)
    (stored,) = await embedder.embed(["Порядок закупок"], purpose=Purpose.STORE)
    (other,) = await embedder.embed(["Rain in Spain"], purpose=Purpose.STORE)
    assert not np.allclose(asked, stored, atol=CLOSE)
    assert asked @ stored > asked @ other


@pytest.mark.parametrize("lang", BOTH)
def test_tokens_are_counted_text_by_text(embedder: Embedder, lang: str) -> None:
    counts = embedder.count_tokens([*TEXTS[lang], "", " ".join(TEXTS[lang])])
    assert len(counts) == len(TEXTS[lang]) + 2
    assert counts[3] == 0
    assert counts[4] == sum(counts[:3])
    assert embedder.count_tokens([]) == []


async def test_calls_at_once_each_get_their_own(embedder: Embedder) -> None:
    texts = [f"{text} {number}" for number in range(5) for lang in BOTH for text in TEXTS[lang]]
    expected = await embedder.embed(texts, purpose=Purpose.STORE)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(embedder.embed([t], purpose=Purpose.STORE)) for t in texts]
    for vector, task in zip(expected, tasks, strict=True):
        np.testing.assert_allclose(task.result()[0], vector, atol=CLOSE)


async def test_a_cancelled_call_harms_nobody(embedder: Embedder) -> None:
    loop = asyncio.get_running_loop()
    left = loop.create_task(embedder.embed(["долго " * 500] * 20, purpose=Purpose.STORE))
    stays = loop.create_task(embedder.embed(TEXTS["ru"], purpose=Purpose.STORE))
    await asyncio.sleep(0)
    left.cancel()
    vectors = await stays
    alone = await embedder.embed(TEXTS["ru"], purpose=Purpose.STORE)
    np.testing.assert_allclose(vectors, alone, atol=CLOSE)
    with pytest.raises(asyncio.CancelledError):
        await left


def test_the_card_holds_moments_that_standardise(embedder: Embedder) -> None:
    card = embedder.card
    assert card.prior_mean.shape == (card.dimensions,)
    assert card.prior_covariance.shape == (card.dimensions, card.dimensions)
    np.testing.assert_array_equal(card.prior_covariance, card.prior_covariance.T)
    # A spread is never negative, or the root of a query's would not exist.
    assert np.linalg.eigvalsh(card.prior_covariance.astype(np.float64)).min() > -1e-6
    assert np.trace(card.prior_covariance) > 0.05
    assert len(card.sha256) == 64
    assert ":" in card.name
