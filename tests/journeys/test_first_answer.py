"""From a folder of files to a cited answer, through the command line."""

import json
import re
from pathlib import Path

import pytest
from running import ROOT, Machine

SAMPLE = ROOT / "examples" / "spitsa"
pytestmark = [pytest.mark.xdist_group("journeys"), pytest.mark.timeout(300)]


@pytest.fixture(scope="session")
def filled(server: Machine) -> Machine:
    """The server, holding the sample."""
    added = server.lines("add", SAMPLE, "--wait")
    assert {line["status"] for line in added} == {"ready"}, added
    return server


@pytest.mark.spec("I4", "K12", "K18")
def test_the_sample_is_added_once_and_known_the_second_time(filled: Machine) -> None:
    files = sorted(
        path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*") if path.is_file()
    )
    again = filled.lines("add", SAMPLE)
    assert [line["external_id"] for line in again] == files
    assert {line["outcome"] for line in again} == {"unchanged"}


@pytest.mark.spec("I4", "R14", "R15")
@pytest.mark.parametrize(
    ("question", "answer", "stands_in"),
    [
        ("How much is the deposit for a city bicycle?", "5,000", "en/returns-and-refunds.md"),
        ("How much is the deposit for an electric bicycle?", "15,000", "en/returns-and-refunds.md"),
        ("Сколько стоит доставка двух велосипедов?", "350", "ru/доставка.md"),
        ("Сколько клиент платит за потерянный шлем?", "1 800", "ru/договор-проката.docx"),
    ],
)
def test_a_question_is_answered_and_its_citation_is_the_text_itself(
    filled: Machine, question: str, answer: str, stands_in: str
) -> None:
    ended = filled("ask", question, "--json")
    found = json.loads(ended.out)
    assert ended.code == 0
    assert found["answered"] is True
    assert answer in re.sub(r"[\u00a0\u202f]", " ", found["answer"])
    assert stands_in in {citation["external_id"] for citation in found["citations"]}
    for citation in found["citations"]:
        shown = filled(
            "items",
            "show",
            citation["item_id"],
            "--text",
            "--version",
            str(citation["version"]),
            "--json",
        )
        text = json.loads(shown.out)["text"]
        assert text[citation["start"] : citation["end"]] == citation["text"]


@pytest.mark.spec("I4", "R14")
@pytest.mark.parametrize(
    "question", ["Who won the chess tournament?", "Кто выиграл турнир по шахматам?"]
)
def test_what_nothing_answers_is_said_honestly(filled: Machine, question: str) -> None:
    ended = filled("ask", question, "--json")
    found = json.loads(ended.out)
    assert ended.code == 0
    assert found["answered"] is False
    assert found["citations"] == []
    cyrillic = bool(re.search("[а-я]", question))
    assert bool(re.search("[а-я]", found["answer"])) == cyrillic


@pytest.mark.spec("I4")
def test_exit_codes_are_those_that_scripts_trust(filled: Machine, tmp_path: Path) -> None:
    assert filled("search", "helmet").code == 0
    assert filled("items", "show", "0000000000zzz").code == 3
    assert filled("search").code == 2
    assert filled("add", tmp_path / "nowhere").code == 2
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    failed = filled("add", tmp_path / "broken.pdf", "--wait")
    assert failed.code == 1
    assert "broken.pdf" in failed.err
    made = json.loads(filled("keys", "make", "reader", "-p", "knowledge:read", "--json").out)
    with_key = Machine(filled.data, language="ru", extra={"SVOD_API_KEY": made["secret"]})
    assert with_key("search", "шлем").code == 0
    assert with_key("add", "--text", "x").code == 4
    filled("keys", "revoke", made["key"]["principal_id"])
    assert with_key("whoami").code == 4


@pytest.mark.spec("I4", "K19")
def test_a_deleted_note_is_found_no_more(filled: Machine) -> None:
    note = filled.lines("add", "--text", "Пароль от сейфа: кракозябра.", "--wait")[0]
    hits = json.loads(filled("search", "кракозябра", "--json").out)["hits"]
    assert [hit["item_id"] for hit in hits] == [note["item_id"]]
    assert filled("items", "delete", str(note["item_id"]), "--yes").code == 0
    assert json.loads(filled("search", "кракозябра", "--json").out)["hits"] == []
