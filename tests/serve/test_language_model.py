"""The doctor's look at the language model."""

import pytest

from fakes.chat import model_server
from svod.foundation.settings import Settings
from svod.serve.language_model import language_model


@pytest.mark.spec("X13")
def test_without_one_all_is_well() -> None:
    assert language_model(Settings()).well


@pytest.mark.spec("X13")
@pytest.mark.parametrize(("model", "well"), [("scripted", True), ("another", False)])
def test_an_endpoint_is_asked_for_the_model_and_nothing_else(model: str, well: bool) -> None:
    with model_server("said") as server:
        check = language_model(Settings(model_url=server.url, model=model, model_key="k-1"))
        assert server.bodies == []
    assert check.well is well
    assert model in check.seen.en
    assert "k-1" not in f"{check.seen} {check.advice}"


@pytest.mark.spec("X13")
@pytest.mark.parametrize(
    ("url", "said"),
    [("http://127.0.0.1:9/v1", "does not answer"), ("ftp://127.0.0.1", "must begin with http")],
)
def test_what_is_wrong_is_told_with_what_to_do(url: str, said: str) -> None:
    check = language_model(Settings(model_url=url, model="m"))
    assert not check.well
    assert said in check.seen.en
    assert check.advice
