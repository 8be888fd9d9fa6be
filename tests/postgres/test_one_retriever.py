"""Search and ask draw on the same retriever with the same rights."""

import pytest

from fakes.chat import ScriptedLLM
from fakes.shelf import Shelf
from svod.conversation.answering import (
    Answer,
    Answering,
    EvidenceFound,
    Modelled,
    Question,
    load_answer_prompt,
)
from svod.foundation.clock import SystemClock
from svod.foundation.storage import Database
from svod.knowledge.retrieval import Contexts, Retrieval, RetrievalPlan
from svod.knowledge.retrieval.stored_texts import StoredTexts

TEXTS = {
    "ru": ("Залог за самокат составляет 700 рублей.", "Какой залог за самокат?"),
    "en": ("The deposit for a scooter is 700 roubles.", "What is the deposit for a scooter?"),
}


@pytest.mark.spec("R18a")
@pytest.mark.parametrize("lang", ["ru", "en"])
async def test_what_ask_cites_search_finds(database: Database, lang: str) -> None:
    text, question = TEXTS[lang]
    shelf = Shelf(database)
    await shelf.add(text)
    retrieval = Retrieval(database, None, SystemClock())
    plan = RetrievalPlan(question)
    found = await retrieval.search(shelf.caller(), plan)
    answer = await Answering(retrieval, None, meaning_within_ms=400).ask(
        shelf.caller(), Question(plan)
    )
    assert answer.citations
    places = {(hit.item_id, hit.version): hit for hit in found.hits}
    for cited in answer.citations:
        hit = places[cited.item_id, cited.version]
        assert hit.start <= cited.start < cited.end <= hit.end


@pytest.mark.spec("R18a", "R10")
@pytest.mark.parametrize("lang", ["ru", "en"])
async def test_a_model_is_shown_what_search_finds_and_nothing_else(
    database: Database, lang: str
) -> None:
    text, question = TEXTS[lang]
    shelf = Shelf(database)
    await shelf.add(text)
    await shelf.add("Совсем о другом: погода.", "Another matter: the weather.")
    hidden = Shelf(database)
    await hidden.add(text)
    await shelf.add(f"{text} Тайно.", level="domain:secret.example")
    await shelf.grant("domain:secret.example", may_read=False)
    retrieval = Retrieval(database, None, SystemClock())
    plan = RetrievalPlan(question)
    found = await retrieval.search(shelf.caller(), plan)
    model = ScriptedLLM(f"{text[:-1]} [1].")
    answering = Answering(
        retrieval,
        None,
        meaning_within_ms=400,
        contexts=Contexts(retrieval, StoredTexts(database, SystemClock())),
        modelled=Modelled(model, load_answer_prompt(), timeout_s=20),
    )
    events = [event async for event in answering.stream(shelf.caller(), Question(plan))]
    evidence, answer = events[0], events[-1]
    assert isinstance(evidence, EvidenceFound)
    assert isinstance(answer, Answer)
    assert answer.text == f"{text} [1]"
    chunks = [(hit.item_id, hit.version, hit.start, hit.end) for hit in found.hits]
    shown = [(one.item_id, one.version, one.start, one.end) for one in evidence.pieces]
    assert shown == chunks
    assert "Тайно" not in model.asked[0].messages[0].text
