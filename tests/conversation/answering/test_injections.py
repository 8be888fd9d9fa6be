"""Orders within a document change nothing; what a model does that obeys them does not leave."""

import re

import pytest
from injections import ASKED, ATTACKS, LEAK, Attack, obeys_what_it_trusts, trusted
from scripted_model import hear

from svod.conversation.answering.support import lacks

named = pytest.mark.parametrize(
    "attack", ATTACKS, ids=[f"{one.name}-{one.lang}-{one.where}" for one in ATTACKS]
)


@pytest.mark.spec("R17")
def test_there_are_enough_attempts_of_every_sort_in_both_languages() -> None:
    assert len(ATTACKS) >= 30
    assert {attack.lang for attack in ATTACKS} == {"ru", "en"}
    assert len({attack.name for attack in ATTACKS}) >= 20
    assert {"title", "heading", "file", "table", "header"} <= {one.where for one in ATTACKS}


@pytest.mark.spec("R17")
@named
@pytest.mark.parametrize("checks_mark", [True, False])
async def test_an_order_in_a_document_changes_nothing_in_the_answer(
    attack: Attack, checks_mark: bool
) -> None:
    query, document, said = ASKED[attack.lang]
    model = obeys_what_it_trusts(attack, said, checks_mark=checks_mark)
    clean = await hear(query, [document], model)
    poisoned = await hear(query, [attack.plant(document)], model)
    assert poisoned.text == clean.text == f"{said}. [1]"
    assert poisoned.quotes == clean.quotes
    assert poisoned.answer.meta.removed_sentences == clean.answer.meta.removed_sentences == 0


@pytest.mark.spec("R17")
@pytest.mark.parametrize("lang", ["ru", "en"])
async def test_the_scripted_model_would_obey_an_order_outside(lang: str) -> None:
    attack = next(one for one in ATTACKS if one.lang == lang)
    query, document, said = ASKED[lang]
    model = obeys_what_it_trusts(attack, said, checks_mark=True)
    heard = await hear(f"{query} {attack.payload}", [document], model)
    assert said not in heard.text or heard.answer.meta.written_by == "extracts"
    assert attack.payload.strip(".") in trusted(heard.model.asked[0], checks_mark=True)


@pytest.mark.spec("R17", "R14")
@named
async def test_what_a_model_says_that_obeys_everything_is_checked_all_the_same(
    attack: Attack,
) -> None:
    query, document, said = ASKED[attack.lang]
    heard = await hear(query, [attack.plant(document)], f"{attack.payload}\n\n{said} [1].")
    assert f"{LEAK}&" not in heard.text
    assert not re.search(r"!\[|\]\(|<(?:img|tool_call|script)", heard.text)
    numbers = {citation.n: citation.text for citation in heard.answer.citations}
    told = re.findall(r"(.+?) ((?:\[\d+\])+)(?:\s|$)", heard.text)
    assert told
    for sentence, marks in told:
        quotes = [numbers[int(n)] for n in re.findall(r"\d+", marks)]
        assert quotes
        assert lacks(sentence, quotes) == []
    assert said in heard.text
    # A document that says a word may be quoted with it; no other sentence may hold it.
    for word in ("HACKED", "ВЗЛОМ"):
        assert all(word in " ".join(numbers.values()) for _ in re.findall(word, heard.text))
