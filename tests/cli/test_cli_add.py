"""`svod add`: which files, under which ids, what is sent, what is said."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.rooms import Scripted
from svod.cli import uploading
from svod.cli.failing import WrongUse
from svod.cli.walking import walk
from svod.foundation.ids import write_id

BOTH = ("en", "ru")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "знания"
    (root / "sub").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("hidden")
    (root / ".env").write_text("hidden")
    (root / "b.txt").write_text("Возврат за 21 день.")
    (root / "sub" / "a.md").write_text("# Сроки")
    (root / "sub" / "ё.txt").write_text("x")
    (tmp_path / "outside.txt").write_text("outside")
    (root / "escape.txt").symlink_to(tmp_path / "outside.txt")
    (root / "inside.txt").symlink_to(root / "b.txt")
    (root / "circle").symlink_to(root)
    (root / "gone.txt").symlink_to(root / "never")
    return root


@pytest.mark.spec("I4", "K18")
def test_a_folder_is_walked_in_order_without_what_is_hidden_or_leads_out(folder: Path) -> None:
    walked = walk([folder])
    assert [one.external_id for one in walked.files] == [
        "b.txt",
        "inside.txt",
        "sub/a.md",
        "sub/ё.txt",
    ]
    assert (walked.hidden, walked.links, walked.special) == (2, 2, 1)


@pytest.mark.spec("K18")
def test_a_file_that_is_named_itself_goes_by_its_name(folder: Path) -> None:
    assert [one.external_id for one in walk([folder / "sub" / "a.md"]).files] == ["a.md"]


@pytest.mark.spec("K18", "I4")
def test_two_files_with_one_id_are_refused_before_one_overwrites_the_other(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "readme.md").write_text(name)
    with pytest.raises(WrongUse):
        walk([tmp_path / "one", tmp_path / "two"])
    assert len(walk([tmp_path]).files) == 2
    assert len(walk([tmp_path / "one", tmp_path / "one"]).files) == 2


@pytest.mark.spec("I4", "K19")
@pytest.mark.parametrize("language", BOTH)
def test_only_what_the_server_lacks_is_sent(
    svod, scripted: Scripted, folder: Path, language: str
) -> None:
    svod.speak(language)
    first = svod("add", folder, "--wait")
    assert first.code == 0
    assert "4" in first.out
    assert scripted.items.uploads == 4
    again = svod("add", folder)
    assert again.code == 0
    assert scripted.items.uploads == 4
    (folder / "sub" / "a.md").write_text("# Другие сроки")
    changed = svod("add", folder, "--json")
    outcomes = [json.loads(line)["outcome"] for line in changed.out.splitlines()]
    assert sorted(outcomes) == ["unchanged", "unchanged", "unchanged", "updated"]
    assert scripted.items.uploads == 5


@pytest.mark.spec("I4")
def test_json_is_one_line_an_item_with_id_title_status_and_failure(svod, folder: Path) -> None:
    (folder / "broken.pdf").write_text("%PDF")
    ended = svod("add", folder, "--wait", "--json")
    lines = [json.loads(line) for line in ended.out.splitlines()]
    assert ended.code == 1
    assert all({"item_id", "title", "status", "failure"} <= set(line) for line in lines)
    assert [line["external_id"] for line in lines] == sorted(line["external_id"] for line in lines)
    failed = next(line for line in lines if line["external_id"] == "broken.pdf")
    assert (failed["status"], failed["failure"]["code"]) == ("failed", "encrypted")
    assert all(line["failure"] is None for line in lines if line is not failed)


@pytest.mark.spec("I4", "X8")
@pytest.mark.parametrize(("language", "word"), [("en", "password"), ("ru", "парол")])
def test_what_could_not_be_read_is_named_with_what_to_do_and_the_rest_goes_on(
    svod, scripted: Scripted, folder: Path, language: str, word: str
) -> None:
    svod.speak(language)
    (folder / "broken.pdf").write_text("%PDF")
    ended = svod("add", folder, "--wait")
    assert ended.code == 1
    assert "broken.pdf" in ended.err
    assert word in ended.err
    assert len(scripted.items.kept) == 5


@pytest.mark.spec("I4", "X8")
@pytest.mark.skipif(os.geteuid() == 0, reason="root opens everything")
def test_a_file_that_cannot_be_opened_is_reported_and_the_rest_goes_on(
    svod, scripted: Scripted, folder: Path
) -> None:
    (folder / "b.txt").chmod(0)
    ended = svod("add", folder, "--json")
    failures = {
        line["external_id"]: line["failure"] for line in map(json.loads, ended.out.splitlines())
    }
    assert ended.code == 1
    assert failures["b.txt"]["code"] == "cli.unreadable"
    assert len(scripted.items.kept) == 2


@pytest.mark.spec("I4", "X8")
def test_a_file_that_vanishes_meanwhile_is_reported_and_the_rest_goes_on(
    svod, scripted: Scripted, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true_hash = uploading._hash

    def vanish(file):
        found = true_hash(file)
        if file.external_id == "sub/a.md":
            file.path.unlink()
        return found

    monkeypatch.setattr(uploading, "_hash", vanish)
    ended = svod("add", folder, "--json")
    failures = {
        line["external_id"]: line["failure"] for line in map(json.loads, ended.out.splitlines())
    }
    assert ended.code == 1
    assert failures["sub/a.md"]["code"] == "cli.unreadable"
    assert failures["b.txt"] is None
    assert "sub/a.md" not in {item.external_id for item in scripted.items.kept.values()}


@pytest.mark.spec("I4", "X8")
def test_a_name_that_is_no_utf_8_is_reported(svod, folder: Path) -> None:
    Path(folder, os.fsdecode(b"\xff.txt")).write_bytes(b"x")
    ended = svod("add", folder, "--json")
    codes = {(json.loads(line)["failure"] or {}).get("code") for line in ended.out.splitlines()}
    assert (ended.code, codes) == (1, {None, "cli.bad_name"})


@pytest.mark.spec("X8")
@pytest.mark.parametrize(("language", "word"), [("en", "larger"), ("ru", "больше")])
def test_a_file_over_the_limit_fails_alone(
    svod, scripted: Scripted, folder: Path, language: str, word: str
) -> None:
    svod.speak(language)
    with (folder / "video.bin").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    ended = svod("add", folder)
    assert ended.code == 1
    assert word in ended.err
    assert len(scripted.items.kept) == 4


@pytest.mark.spec("I4", "K11")
@pytest.mark.parametrize("language", BOTH)
def test_a_note_is_added_from_the_command_line(svod, scripted: Scripted, language: str) -> None:
    svod.speak(language)
    ended = svod("add", "--text", "Возврат за 21 день.", "--title", "Возврат", "--external-id", "n")
    item = next(iter(scripted.items.kept.values()))
    assert ended.code == 0
    assert "Возврат" in ended.out
    assert (item.title, item.external_id, item.kind) == ("Возврат", "n", "note")
    line = svod("add", "--text", "Возврат за 21 день.", "--external-id", "n", "--json").json
    assert (line["outcome"], line["status"]) == ("unchanged", "ready")


@pytest.mark.spec("I4")
@pytest.mark.parametrize("language", BOTH)
@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--text", "x", "path"],
        ["/nowhere/at/all"],
        ["--wait"],
        ["--text", "x", "--until", "later"],
        ["--colour", "red"],
    ],
)
def test_wrong_use_ends_with_2_and_sends_nothing(
    svod, scripted: Scripted, arguments: list[str], language: str
) -> None:
    svod.speak(language)
    ended = svod("add", *arguments)
    assert ended.code == 2
    assert ended.err.startswith("svod: ")
    assert not ended.out
    assert not scripted.items.kept


@pytest.mark.spec("I4")
def test_one_title_for_many_files_is_wrong_use(svod, scripted: Scripted, folder: Path) -> None:
    assert svod("add", folder, "--title", "Одно").code == 2
    assert not scripted.items.kept
    assert svod("add", folder / "b.txt", "--title", "Одно", "--external-id", "mine").code == 0
    item = next(iter(scripted.items.kept.values()))
    assert (item.title, item.external_id) == ("Одно", "mine")


@pytest.mark.spec("I4")
def test_a_level_that_is_not_there_ends_with_3(svod, folder: Path) -> None:
    ended = svod("add", folder, "--level", "domain:nowhere.example", "--json")
    assert ended.code == 3
    assert json.loads(ended.err)["error"]["code"] == "workspaces.level_not_found"


@pytest.mark.spec("I4")
@pytest.mark.parametrize("language", BOTH)
def test_the_bar_and_the_talk_do_not_mix_with_what_a_program_reads(
    url: str, scripted: Scripted, folder: Path, language: str
) -> None:
    environment = {
        "SVOD_URL": url,
        "SVOD_API_KEY": "svod_owner",
        "SVOD_LANG": language,
    }
    ended = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "svod", "add", str(folder), "--json"],
        capture_output=True,
        env=environment,
        check=False,
    )
    assert ended.returncode == 0
    assert [json.loads(line)["status"] for line in ended.stdout.splitlines()] == ["ready"] * 4
    assert ended.stderr == b""
    assert scripted.items.uploads == 4


@pytest.mark.spec("I4", "K13")
@pytest.mark.parametrize("language", BOTH)
def test_addresses_are_added_beside_files(
    svod, scripted: Scripted, folder: Path, language: str
) -> None:
    svod.speak(language)
    done = svod(
        "add", "https://example.com/docs", folder / "b.txt", "--refresh-days", "7", "--json"
    )
    assert done.code == 0, done.err
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert [line["outcome"] for line in lines] == ["created", "created"]
    page = next(item for item in scripted.items.kept.values() if item.link)
    assert page.link is not None
    assert (page.link.url, page.link.refresh_days) == ("https://example.com/docs", 7)
    again = svod("add", "HTTPS://example.com/docs#top", "--title", "Docs")
    assert (again.code, len(scripted.items.kept)) == (0, 2)
    assert any(one in again.out for one in ("unchanged 1", "без изменений: 1"))


@pytest.mark.spec("I4", "X11")
@pytest.mark.parametrize("language", BOTH)
def test_an_address_that_is_refused_is_named_and_the_others_go_on(
    svod, scripted: Scripted, language: str
) -> None:
    svod.speak(language)
    done = svod("add", "http://127.0.0.1/", "https://example.com/docs")
    assert done.code == 1
    assert "http://127.0.0.1/" in done.err
    said = {"en": "There is no public site", "ru": "нет общедоступного сайта"}[language]
    assert said in done.err
    assert [item.kind for item in scripted.items.kept.values()] == ["link"]


@pytest.mark.spec("I4", "K35")
def test_a_page_is_shown_with_its_address(svod, scripted: Scripted) -> None:
    svod("add", "https://example.com/docs")
    (item,) = scripted.items.kept.values()
    shown = svod("items", "show", write_id(item.item_id))
    assert "https://example.com/docs" in shown.out
