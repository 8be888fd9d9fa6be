"""Search and ask draw on the same retriever with the same rights."""

import pytest

from fakes.shelf import Shelf
from svod.conversation.answering import Answering, Question
from svod.foundation.clock import SystemClock
from svod.foundation.storage import Database
from svod.knowledge.retrieval import Retrieval, RetrievalPlan

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
