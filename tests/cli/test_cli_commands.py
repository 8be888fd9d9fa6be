"""What commands print and how they end, in both languages, for people and for programs."""

import json
import re
import subprocess
import sys
from string import Formatter

import pytest

from fakes.rooms import READER_KEY, Scripted, an_item
from svod.cli.catalogue import CATALOGUE
from svod.cli.commands.finding import _one_line
from svod.cli.language import spoken
from svod.cli.parsing_words import error_in
from svod.foundation.errors import Conflict, Language, Unavailable
from svod.foundation.ids import ItemId, write_id
from svod.knowledge.items.item import Remark, Status

BOTH = ("en", "ru")


@pytest.mark.spec("I4")
def test_search_prints_the_json_that_scripts_rely_on(svod) -> None:
    found = svod("search", "срок", "--json").json
    assert set(found) == {"hits", "meta"}
    keys = {"item_id", "external_id", "title", "path", "layer", "score", "text", "matched"}
    assert keys <= set(found["hits"][0])


@pytest.mark.spec("I4", "R14")
def test_ask_prints_the_json_that_scripts_rely_on(svod) -> None:
    answer = svod("ask", "Срок?", "--json").json
    assert {"answer", "answered", "citations", "meta"} <= set(answer)
    keys = {"n", "item_id", "external_id", "title", "version", "start", "end", "text"}
    assert keys <= set(answer["citations"][0])


@pytest.mark.spec("I4", "R14")
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["Sources", "[1] Возврат и обмен › Сроки, p. 3 (shop/returns.md)", "“Вернуть"]),
        ("ru", ["Источники", "[1] Возврат и обмен › Сроки, с. 3 (shop/returns.md)", "«Вернуть"]),
    ],
)
def test_an_answer_names_each_source_with_heading_page_and_quote(
    svod, language: str, said: list[str]
) -> None:
    svod.speak(language)
    ended = svod("ask", "Срок?")
    assert ended.code == 0
    assert ended.out.startswith("Вернуть товар можно в течение 21 дня. [1]")
    assert all(one in ended.out for one in said)


@pytest.mark.spec("R14", "I4")
@pytest.mark.parametrize(("language", "said"), [("en", "nearest"), ("ru", "Ближайшее")])
def test_what_is_not_answered_shows_the_nearest_thing(svod, language: str, said: str) -> None:
    svod.speak(language)
    ended = svod("ask", "nothing")
    assert ended.code == 0
    assert said in ended.out
    assert "shop/returns.md" in ended.out


@pytest.mark.spec("I4")
@pytest.mark.parametrize("language", BOTH)
def test_filters_of_a_search_reach_the_server(svod, scripted: Scripted, language: str) -> None:
    svod.speak(language)
    svod("search", "x", "-n", "3", "--mode", "words", "--level", "workspace", "--kind", "note")
    plan = scripted.retrieval.plans[0]
    assert (plan.limit, plan.mode.value, plan.levels, plan.kinds) == (
        3,
        "words",
        ("workspace",),
        ("note",),
    )


@pytest.mark.spec("I4")
@pytest.mark.parametrize(
    ("arguments", "code", "name"),
    [
        (("items", "show", "0000000000zzz"), 3, "items.not_found"),
        (("items", "0000000000000"), 3, "items.not_found"),
        (("keys", "revoke", "0000000000zzz"), 3, "workspaces.key_not_found"),
        (("search", " " * 4001), 2, "api.fields_invalid"),
        (("ask", "unavailable"), 5, "svod.unavailable"),
        (("keys", "make", "k", "-p", "root"), 2, "api.fields_invalid"),
        (("search",), 2, "cli.wrong_use"),
        (("search", "x", "--limit", "0"), 2, "cli.wrong_use"),
        (("frobnicate",), 2, "cli.wrong_use"),
        (("items", "delete", "0000000000001"), 2, "cli.wrong_use"),
    ],
)
@pytest.mark.parametrize("language", BOTH)
def test_exit_codes_can_be_trusted_and_errors_are_json_where_asked(
    svod,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
    name: str,
    language: str,
) -> None:
    monkeypatch.setattr("svod.client.transport._FIRST_DELAY_S", 0.001)
    monkeypatch.setattr("svod.interfaces.api.problems.RETRY_AFTER_S", 0)
    svod.speak(language)
    ended = svod(*arguments, "--json")
    error = json.loads(ended.err)["error"]
    assert (ended.code, error["code"]) == (code, name)
    assert error["message"]
    assert not ended.out
    for_people = svod(*arguments)
    assert for_people.code == code
    assert for_people.err.startswith("svod: ")
    assert "Traceback" not in for_people.err


@pytest.mark.spec("I4", "X1")
def test_what_the_key_may_not_do_ends_with_4(svod) -> None:
    svod.use(SVOD_API_KEY=READER_KEY)
    assert svod("add", "--text", "x").code == 4
    assert svod("keys").code == 4
    svod.use(SVOD_API_KEY="svod_wrong")
    assert svod("whoami").code == 4


@pytest.mark.spec("I4")
@pytest.mark.parametrize("language", BOTH)
def test_a_server_that_is_down_ends_with_5_and_says_how_to_start_it(
    svod, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr("svod.client.transport._FIRST_DELAY_S", 0.001)
    svod.speak(language)
    svod.use(SVOD_URL="http://127.0.0.1:1")
    for arguments in (("whoami",), ("ask", "x"), ("add", "--text", "x"), ("items",)):
        ended = svod(*arguments)
        assert ended.code == 5
        assert "./svod up" in ended.err


@pytest.mark.spec("I4")
@pytest.mark.parametrize("language", BOTH)
def test_items_are_listed_shown_and_deleted(svod, scripted: Scripted, language: str) -> None:
    svod.speak(language)
    scripted.items.kept[ItemId(1)] = an_item(
        1, title="[red]Возврат[/red] :smile:", status=Status.FAILED, failure=Remark("encrypted")
    )
    scripted.items.kept[ItemId(2)] = an_item(2)
    scripted.items.hashes |= {ItemId(1): b"", ItemId(2): b""}
    listed = svod("items")
    assert write_id(1) in listed.out
    assert "[red]Возврат[/red] :smile:" in listed.out
    assert len(svod("items", "list", "--status", "failed", "--json").json["items"]) == 1
    shown = svod("items", write_id(1))
    assert ("password" in shown.out) == (language == "en")
    assert ("парол" in shown.out) == (language == "ru")
    assert svod("items", "delete", write_id(1), "--yes").code == 0
    assert list(scripted.items.kept) == [2]
    assert svod("items", "refresh", write_id(2), "--json").json["became"] == "done"
    assert scripted.items.kept[ItemId(2)].status is Status.QUEUED


@pytest.mark.spec("I4")
def test_a_list_that_goes_on_says_so(svod, scripted: Scripted) -> None:
    for number in range(1, 5):
        scripted.items.kept[ItemId(number)] = an_item(number)
    assert "--limit" in svod("items", "list", "-n", "3").out
    assert svod("items", "list", "-n", "3", "--json").json["more"] is True
    assert svod("items", "list", "-n", "4", "--json").json["more"] is False


@pytest.mark.spec("I4", "X4")
def test_a_key_is_printed_once_alone_on_its_line(svod, scripted: Scripted) -> None:
    made = svod("keys", "make", "ночной", "-p", "knowledge:read", "--days", "3")
    assert made.out.splitlines()[0] == scripted.workspaces.made[0].secret
    listed = svod("keys")
    assert "ночной" in listed.out
    assert scripted.workspaces.made[0].secret not in listed.out
    assert svod("keys", "--json").json["keys"][0]["permissions"] == ["knowledge:read"]


@pytest.mark.spec("I7a", "I4")
@pytest.mark.parametrize(
    ("language", "said"), [("en", "read and change"), ("ru", "читать и менять")]
)
def test_whoami_says_who_and_what_where(svod, language: str, said: str) -> None:
    svod.speak(language)
    assert said in svod("whoami").out
    assert svod("whoami", "--json").json["levels"][0]["name"] == "workspace"


@pytest.mark.spec("I4")
@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, Language.EN),
        ({"LANG": "ru_RU.UTF-8"}, Language.RU),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "C"}, Language.EN),
        ({"LANG": "C", "LC_MESSAGES": "ru_RU.UTF-8"}, Language.RU),
        ({"LC_ALL": "en_GB.UTF-8", "SVOD_LANG": "ru"}, Language.RU),
        ({"LC_ALL": "ru_RU", "SVOD_LANG": "en"}, Language.EN),
    ],
)
def test_the_locale_chooses_the_language(environment: dict[str, str], language: Language) -> None:
    assert spoken(environment) is language


@pytest.mark.spec("I4")
@pytest.mark.parametrize("command", [(), ("add",), ("items",), ("keys", "make"), ("dev",), ("up",)])
def test_help_is_all_russian_where_the_locale_is(command: tuple[str, ...]) -> None:
    ended = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "svod", *command, "--help"],
        capture_output=True,
        text=True,
        env={"SVOD_LANG": "ru", "COLUMNS": "80"},
        check=True,
    )
    usage, _, told = ended.stdout.partition("\n")
    assert usage.startswith("Вызов: svod")
    left = re.findall(r"[A-Za-z]{3,}(?: [a-z]+){2,}", told)
    assert not left
    assert "<" not in told.replace("<words|meaning>", "")


@pytest.mark.spec("I4")
def test_wrong_use_is_told_in_russian_too() -> None:
    for english in (
        "No such option: --x",
        "No such command 'x'.",
        "Missing argument 'QUERY'.",
        "Invalid value for '--limit': Input should be less than or equal to 50",
        "Invalid value for '--mode': Value error, 'x' is not one of 'a', 'b'.",
        "Got unexpected extra argument(s) (x)",
        "Option '--limit' requires an argument.",
    ):
        russian = error_in(Language.RU, english)
        assert not re.search(r"[A-Za-z]{4,} [a-z]{2,}", russian), russian


@pytest.mark.spec("I4")
def test_every_saying_is_there_in_both_languages_with_the_same_facts() -> None:
    def facts(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    for name, says in CATALOGUE.items():
        assert says.en, name
        assert says.ru, name
        assert facts(says.en) == facts(says.ru), name


@pytest.mark.spec("I4")
@pytest.mark.parametrize("arguments", [["--help"], ["whoami", "--help"], ["items", "--help"]])
def test_the_command_line_starts_without_what_it_does_not_need(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom svod.cli import run\n"
        f"run({arguments!r})\n"
        "heavy = {'httpx2', 'rich', 'fastapi', 'numpy', 'onnxruntime', 'psycopg'}\n"
        "sys.stderr.write(' '.join(sorted(heavy & set(sys.modules))))"
    )
    ended = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert ended.stderr == ""


@pytest.mark.spec("I4")
@pytest.mark.parametrize(("error", "code"), [(Unavailable(), 5), (Conflict(), 1)])
def test_a_failure_of_a_local_command_is_told_like_any_other(
    svod, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int
) -> None:
    def fail(**_: object) -> int:
        raise error

    monkeypatch.setattr("svod.serve.up", fail)
    ended = svod("up")
    assert ended.code == code
    assert ended.err.startswith("svod: ")


@pytest.mark.spec("R15", "I4")
@pytest.mark.parametrize(
    ("quoted", "shown"),
    [
        ("# Цены\n\n| A | B |\n| --- | --- |\n| 1 | 2 |", "Цены A; B 1; 2"),
        ("- **Важно**: [правила](./a.md#x)\n- дальше", "Важно: правила дальше"),
        ("Run:\n\n```shell\n$ make\n```", "Run: $ make"),
        ("2 - 1 = 1", "2 - 1 = 1"),
    ],
)
def test_a_quote_is_shown_without_marks(quoted: str, shown: str) -> None:
    assert _one_line(quoted) == shown


@pytest.mark.spec("R15", "I4")
def test_a_long_quote_is_cut_between_words() -> None:
    shown = _one_line("слово " * 500)
    assert len(shown) <= 401
    assert shown.endswith("слово…")


@pytest.mark.spec("I4", "R2", "R9", "R19c")
@pytest.mark.parametrize("language", BOTH)
def test_a_search_tells_a_person_what_was_corrected_replaced_and_is_old(
    svod, language: str
) -> None:
    svod.speak(language)
    shown = svod("search", "возвртат").out
    assert ("was read as" in shown) == (language == "en")
    assert ("прочитано как" in shown) == (language == "ru")
    assert "Возврат для всех (global)" in shown
    assert ("could not be read" in shown) == (language == "en")


@pytest.mark.spec("I4", "K3")
def test_what_is_read_for_a_level_can_be_searched_and_asked(svod, scripted: Scripted) -> None:
    svod("search", "x", "--for", "domain:example.com")
    svod("ask", "x", "--for", "domain:example.com")
    asked = [scripted.retrieval.plans[0], scripted.answering.questions[0].plan]
    assert [plan.read_for for plan in asked] == ["domain:example.com"] * 2
