"""With the built-in model, a question in one language is answered from a file in the other."""

import json

import pytest
from running import ROOT, Machine

SAMPLE = ROOT / "examples" / "spitsa"
pytestmark = [pytest.mark.xdist_group("journeys"), pytest.mark.timeout(300)]


@pytest.mark.spec("R1", "R7a", "R18")
def test_a_question_in_one_language_finds_what_stands_in_the_other(machine: Machine) -> None:
    machine.embeddings = "builtin"
    machine.up()
    for language in ("ru", "en"):
        ended = machine(
            "add", SAMPLE / language, "--namespace", language, "--wait", "--until", "meaning"
        )
        assert ended.code == 0, ended.err
    for question, language, stands_in in (
        ("How much does it cost to deliver two bicycles?", "ru", "доставка.md"),
        ("How much is winter storage of an electric bicycle?", "ru", "зимнее-хранение.md"),
        ("Что делать со вздувшимся аккумулятором?", "en", "battery-rules.html"),
    ):
        # Within the other language no word of the question helps: meaning alone finds.
        found = json.loads(
            machine("search", question, "--namespace", language, "-n", "3", "--json").out
        )
        assert found["meta"]["used_meaning"] is True
        assert found["meta"]["meaning_ready"] == 1
        assert stands_in in [hit["external_id"] for hit in found["hits"]], found["hits"]
    assert machine.stop() == 0
