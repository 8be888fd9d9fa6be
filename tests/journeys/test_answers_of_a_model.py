"""A server with a language model: streamed answers, and none the worse when the model is gone."""

import json
import re
from collections.abc import Generator
from pathlib import Path

import pytest
from running import Machine

from fakes.chat import ModelServer, model_server
from svod.client.results import Answer, AnswerDelta, Evidence
from svod.foundation.providers.chat import ChatRequest

pytestmark = [pytest.mark.xdist_group("journeys"), pytest.mark.timeout(300)]

NOTE = "Вернуть самокат можно в течение 14 дней. Нужен чек."
QUESTION = "За сколько дней можно вернуть самокат?"


def reads(request: ChatRequest) -> str:
    """A model that answers from the excerpt that has the fact, and adds what none has."""
    block = re.search(r"<<<excerpt \S+ (\d+)>>>\n[^<]*14 дней", request.messages[-1].text)
    assert block
    return f"Самокат можно вернуть в течение 14 дней [{block[1]}]. Курьер приедет бесплатно."


@pytest.fixture
def endpoint() -> Generator[ModelServer]:
    with model_server(reads) as server:
        yield server


@pytest.fixture
def machine(data_folder: Path, endpoint: ModelServer) -> Generator[Machine]:
    extra = {
        "SVOD_MODEL_URL": endpoint.url,
        "SVOD_MODEL": "scripted",
        "SVOD_MODEL_KEY": "k-secret",
        "SVOD_MODEL_TRIES": "1",
    }
    machine = Machine(data_folder, extra=extra)
    machine.up()
    yield machine
    machine.close()


@pytest.mark.spec("R14", "R18", "A18", "X15")
def test_a_model_answers_from_evidence_and_the_evidence_alone_without_it(
    machine: Machine, endpoint: ModelServer
) -> None:
    machine.lines("add", "--text", NOTE, "--wait")
    told = json.loads(machine("ask", QUESTION, "--json").out)
    assert told["answer"] == "Самокат можно вернуть в течение 14 дней. [1]"
    assert told["citations"][0]["text"] == "Вернуть самокат можно в течение 14 дней."
    meta = told["meta"]
    assert (meta["model"], meta["written_by"], meta["removed_sentences"]) == (
        "scripted",
        "model",
        1,
    )
    assert meta["tokens"] == {"prompt": 100, "completion": 7, "calls": 1}
    assert endpoint.headers[0]["authorization"] == "Bearer k-secret"

    with machine.client() as client:
        first, *parts, last = list(client.ask_stream(QUESTION))
    assert isinstance(first, Evidence)
    assert isinstance(last, Answer)
    assert [part.text for part in parts if isinstance(part, AnswerDelta)] == [last.answer]
    assert last.answer == told["answer"]

    asked = len(endpoint.bodies)
    refused = json.loads(machine("ask", "Кто выиграл турнир по шахматам?", "--json").out)
    assert refused["answered"] is False
    assert refused["meta"]["tokens"]["calls"] == 0
    assert len(endpoint.bodies) == asked

    machine.extra["SVOD_MODEL_URL"] = "http://127.0.0.1:9/v1"
    machine.close()
    machine.up()
    alone = json.loads(machine("ask", QUESTION, "--json").out)
    assert alone["answered"] is True
    assert "14 дней" in alone["answer"]
    assert alone["meta"]["written_by"] == "extracts"
    assert "model_unavailable" in alone["meta"]["notes"]
    log = "\n".join(machine.said)
    assert "самокат" not in log.casefold()
    assert "k-secret" not in log


def test_a_model_without_an_address_is_told_at_the_start(data_folder: Path) -> None:
    ended = Machine(data_folder, extra={"SVOD_MODEL": "scripted"})("up")
    assert ended.code == 2
    assert "SVOD_MODEL_URL" in ended.err
