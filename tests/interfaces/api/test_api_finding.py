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


@pytest.mark.spec("R9", "R19c")
async def test_a_hit_and_a_citation_tell_their_age_and_what_they_stand_for(
    reader: httpx2.AsyncClient,
) -> None:
    found = (await reader.post("/api/knowledge/search", json={"query": "срок"})).json()
    hit = found["hits"][0]
    assert (hit["age_days"], hit["stale"], hit["stale_reason"]) == (
        40,
        True,
        "newer_version_failed",
    )
    assert hit["overrides"] == [
        {"item_id": write_id(9), "title": "Возврат для всех", "level": "global"}
    ]
    answer = (await reader.post("/api/knowledge/ask", json={"question": "Срок?"})).json()
    assert {"age_days", "stale", "stale_reason"} <= set(answer["citations"][0])


@pytest.mark.spec("R2")
async def test_a_search_tells_how_the_query_was_understood(reader: httpx2.AsyncClient) -> None:
    found = (await reader.post("/api/knowledge/search", json={"query": "возвртат"})).json()
    assert found["meta"]["corrected"] == [{"typed": "возвртат", "used": "возврат"}]
    assert found["meta"]["query"] == "возврат"


@pytest.mark.spec("K3")
@pytest.mark.parametrize(
    ("path", "field"), [("search", "query"), ("ask", "question"), ("context", "query")]
)
async def test_what_is_read_for_a_level_can_be_asked_for(
    reader: httpx2.AsyncClient, scripted: Scripted, path: str, field: str
) -> None:
    body = {field: "срок", "read_for": "domain:example.com"}
    assert (await reader.post(f"/api/knowledge/{path}", json=body)).status_code == 200
    plans = [*scripted.retrieval.plans, *(asked.plan for asked in scripted.answering.questions)]
    assert [plan.read_for for plan in plans] == ["domain:example.com"]


@pytest.mark.spec("R1")
@pytest.mark.parametrize("path", ["search", "ask", "context"])
@pytest.mark.parametrize(
    "where", [{"kinds": ["cat"]}, {"layers": ["K_CAT"]}, {"min_score": 1.1}, {"read_for": ""}]
)
async def test_a_filter_that_does_not_exist_is_refused(
    reader: httpx2.AsyncClient, path: str, where: dict[str, object]
) -> None:
    body = {"question" if path == "ask" else "query": "срок"} | where
    refused = await reader.post(f"/api/knowledge/{path}", json=body)
    assert refused.status_code == 422
    assert next(iter(where)) in refused.text


@pytest.mark.spec("R10", "I4")
async def test_a_context_has_pinned_notes_and_passages_by_number(
    reader: httpx2.AsyncClient,
) -> None:
    body = {"query": "срок", "budget_characters": 1000}
    told = (await reader.post("/api/knowledge/context", json=body)).json()
    assert set(told) == {"context", "pinned", "sources", "cut"}
    assert [(one["n"], one["title"]) for one in (*told["pinned"], *told["sources"])] == [
        (1, "Тон"),
        (2, "Возврат и обмен"),
    ]
    for source in (*told["pinned"], *told["sources"]):
        assert f"[{source['n']}] {source['title']}" in told["context"]
        assert source["text"] in told["context"]
    nobody = {"query": "срок", "read_for": "domain:nobody.com"}
    refused = await reader.post("/api/knowledge/context", json=nobody)
    assert (refused.status_code, refused.json()["code"]) == (404, "workspaces.level_not_found")
