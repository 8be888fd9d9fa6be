"""Search and ask through REST: the shapes that scripts rely on."""

import httpx2
import pytest

from fakes.rooms import Scripted
from svod.foundation.errors import Language
from svod.foundation.ids import write_id
from svod.knowledge.retrieval import Layer, Mode


@pytest.mark.spec("I4", "R3")
async def test_a_hit_says_where_it_stands_what_matched_and_how_well(
    reader: httpx2.AsyncClient,
) -> None:
    found = (await reader.post("/api/knowledge/search", json={"query": "срок"})).json()
    hit = found["hits"][0]
    assert {"item_id", "external_id", "title", "path", "layer", "score", "text", "matched"} <= set(
        hit
    )
    assert {
        "heading_path",
        "page",
        "sheet",
        "level",
        "namespace",
        "start",
        "end",
        "version",
    } <= set(hit)
    assert (hit["item_id"], hit["layer"]) == (write_id(1), "K_DOCUMENT")
    start, end = hit["matched"]["spans"][0]
    assert hit["text"][start:end].lower() == hit["matched"]["words"][0]
    assert found["meta"]["calibration"] == "default"


@pytest.mark.spec("R1")
async def test_a_search_reaches_the_retriever_as_the_plan_that_was_asked(
    reader: httpx2.AsyncClient, scripted: Scripted
) -> None:
    await reader.post(
        "/api/knowledge/search",
        json={
            "query": "срок",
            "limit": 3,
            "mode": "words",
            "layers": ["K_WEB"],
            "levels": ["workspace"],
            "namespaces": [""],
            "kinds": [],
            "min_score": 0.5,
        },
    )
    plan = scripted.retrieval.plans[0]
    assert (plan.query, plan.limit, plan.mode) == ("срок", 3, Mode.WORDS)
    assert plan.layers == (Layer.K_WEB,)
    assert (plan.levels, plan.namespaces, plan.kinds) == (("workspace",), ("",), ())
    assert plan.min_score == 0.5


@pytest.mark.spec("I4", "R14")
async def test_an_answer_names_the_place_it_rests_on(reader: httpx2.AsyncClient) -> None:
    answer = (await reader.post("/api/knowledge/ask", json={"question": "Срок?"})).json()
    assert answer["answered"] is True
    assert "[1]" in answer["answer"]
    citation = answer["citations"][0]
    assert {"n", "item_id", "external_id", "title", "version", "start", "end", "text"} <= set(
        citation
    )
    assert citation["end"] - citation["start"] == len(citation["text"])
    assert answer["meta"]["model"] is None


@pytest.mark.spec("R14")
async def test_what_nothing_answers_says_so_with_the_nearest_thing(
    reader: httpx2.AsyncClient,
) -> None:
    answer = (await reader.post("/api/knowledge/ask", json={"question": "nothing"})).json()
    assert answer["answered"] is False
    assert answer["citations"] == []
    assert answer["nearest"]["title"] == "Возврат и обмен"


@pytest.mark.spec("R18")
@pytest.mark.parametrize(
    ("given", "asked"), [(None, None), ("en", Language.EN), ("ru", Language.RU)]
)
async def test_the_language_of_an_answer_can_be_asked_for(
    reader: httpx2.AsyncClient, scripted: Scripted, given: str | None, asked: Language | None
) -> None:
    body = {"question": "Срок?"} | ({"language": given} if given else {})
    await reader.post("/api/knowledge/ask", json=body)
    assert scripted.answering.questions[0].language is asked
