"""Judged questions through REST."""

import httpx2
import pytest

from fakes.rooms import Scripted
from svod.foundation.ids import ItemId, write_id

QUESTIONS = {
    "ru": "За сколько дней можно вернуть товар?",
    "en": "Within how many days can goods be returned?",
}


@pytest.mark.spec("R4", "R16")
@pytest.mark.parametrize("lang", ["ru", "en"])
async def test_questions_are_judged_in_a_batch_and_listed_newest_first(
    owner: httpx2.AsyncClient, lang: str
) -> None:
    question = QUESTIONS[lang]
    body = {
        "judgements": [
            {"question": question, "item_id": write_id(1)},
            {"question": f"{question}?", "item_id": None},
        ],
        "namespace": "shop",
    }
    kept = await owner.post("/api/knowledge/judgements", json=body)
    assert kept.status_code == 200
    assert [one["question"] for one in kept.json()["judgements"]] == [question, f"{question}?"]
    listed = (await owner.get("/api/knowledge/judgements", params={"limit": 1})).json()
    assert [one["item_id"] for one in listed["judgements"]] == [None]
    rest = {"limit": 1, "cursor": listed["next_cursor"]}
    listed = (await owner.get("/api/knowledge/judgements", params=rest)).json()
    assert [one["item_id"] for one in listed["judgements"]] == [write_id(1)]
    assert listed["next_cursor"] is None


@pytest.mark.spec("R16")
async def test_judgements_of_one_item_can_be_listed(
    owner: httpx2.AsyncClient, scripted: Scripted
) -> None:
    body = {"judgements": [{"question": f"q{n}", "item_id": write_id(ItemId(n))} for n in (1, 2)]}
    await owner.post("/api/knowledge/judgements", json=body)
    found = await owner.get("/api/knowledge/judgements", params={"item_id": write_id(2)})
    assert [one["question"] for one in found.json()["judgements"]] == ["q2"]
    assert len(scripted.judging.kept) == 2


@pytest.mark.spec("R16", "X3")
async def test_an_item_that_nobody_knows_refuses_the_batch(owner: httpx2.AsyncClient) -> None:
    body = {"judgements": [{"question": "q", "item_id": "no id at all"}]}
    refused = await owner.post("/api/knowledge/judgements", json=body)
    assert (refused.status_code, refused.json()["code"]) == (404, "items.not_found")


@pytest.mark.spec("R16")
@pytest.mark.parametrize("count", [0, 1001])
async def test_a_batch_holds_one_to_a_thousand_questions(
    owner: httpx2.AsyncClient, count: int
) -> None:
    body = {"judgements": [{"question": "q", "item_id": None}] * count}
    assert (await owner.post("/api/knowledge/judgements", json=body)).status_code == 422


@pytest.mark.spec("R16")
async def test_a_judgement_can_be_taken_back_once(owner: httpx2.AsyncClient) -> None:
    body = {"judgements": [{"question": "q", "item_id": None}]}
    kept = (await owner.post("/api/knowledge/judgements", json=body)).json()["judgements"][0]
    path = f"/api/knowledge/judgements/{kept['judgement_id']}"
    assert (await owner.delete(path)).status_code == 204
    gone = await owner.delete(path)
    assert (gone.status_code, gone.json()["code"]) == (404, "judging.not_found")
    unread = await owner.delete("/api/knowledge/judgements/nonsense")
    assert gone.json() | {"request_id": ""} == unread.json() | {"request_id": ""}


@pytest.mark.spec("R4", "R16")
async def test_what_was_fitted_is_told_by_collection_and_languages(
    owner: httpx2.AsyncClient, reader: httpx2.AsyncClient
) -> None:
    fits = (await owner.get("/api/knowledge/judgements/fits")).json()["fits"]
    assert (fits[0]["languages"], fits[0]["answerable"], fits[0]["threshold"]) == (
        "ru-ru",
        50,
        0.41,
    )
    assert (await reader.get("/api/knowledge/judgements/fits")).status_code == 403
