"""A person backs his running server up, restores it elsewhere, and asks the same."""

import tarfile
from pathlib import Path

import pytest
from running import Machine

pytestmark = [pytest.mark.xdist_group("journeys"), pytest.mark.timeout(300)]

TEXTS = {
    "en": "A bicycle may be brought back within 21 days. The workshop opens at nine.",
    "ru": "Велосипед можно вернуть в течение 21 дня. Мастерская открывается в девять.",
}
QUESTIONS = (
    "Within how many days may a bicycle be brought back?",
    "За сколько дней можно вернуть велосипед?",
    "Когда открывается мастерская?",
    "What does the lighthouse keeper eat?",
)


def answers(machine: Machine) -> list[object]:
    told: list[object] = []
    with machine.client() as client:
        for question in QUESTIONS:
            answer = client.ask(question)
            hits = client.search(question, mode="words").hits
            told += [answer.answer, answer.citations, [(h.item_id, h.score, h.text) for h in hits]]
    return told


@pytest.fixture
def filled(machine: Machine, tmp_path: Path) -> Machine:
    """A running server that keeps a note and a file in each language."""
    machine.up()
    for language, text in TEXTS.items():
        file = tmp_path / f"{language}.txt"
        file.write_text(f"{text}\n" * 3, encoding="utf-8")
        assert machine("add", file, "--wait").code == 0
        assert machine("add", "--text", text, "--title", language, "--wait").code == 0
    return machine


@pytest.mark.spec("X10", "N-25", "I4")
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_restored_server_answers_as_the_one_that_was_backed_up(
    filled: Machine, tmp_path: Path, language: str
) -> None:
    before = answers(filled)
    backup = tmp_path / "svod.backup"
    filled.language = language
    made = filled("backup", backup)
    assert made.code == 0, made.err
    assert {"en": "MASTER KEY IS NOT IN IT", "ru": "ГЛАВНОГО КЛЮЧА В НЕЙ НЕТ"}[language] in made.out
    with tarfile.open(backup) as archive:
        assert "master.key" not in archive.getnames()
    other = Machine(filled.data.parent / "elsewhere", language=language)
    try:
        restored = other("restore", backup)
        assert restored.code == 0, restored.err
        assert "master.key" in restored.out
        keyless = other("up", "--port", "0")
        assert keyless.code == 1
        assert "master.key" in keyless.err
        (other.data / "master.key").write_bytes((filled.data / "master.key").read_bytes())
        (other.data / "master.key").chmod(0o600)
        other.up()
        assert answers(other) == before
    finally:
        other.close()


@pytest.mark.spec("X10", "I4")
def test_a_backup_with_the_key_is_whole_in_itself(filled: Machine, tmp_path: Path) -> None:
    backup = tmp_path / "svod.backup"
    before = answers(filled)
    made = filled("backup", backup, "--with-master-key")
    assert "THE MASTER KEY IS IN IT" in made.out
    again = filled("backup", backup)
    assert again.code == 1
    assert "there already" in again.err
    filled.stop()
    other = Machine(filled.data.parent / "elsewhere")
    try:
        assert other("restore", backup).code == 0
        other.up()
        assert answers(other) == before
        other.stop()
        # What holds something already is left as it is.
        refused = other("restore", backup)
        assert refused.code == 1
        assert "empty place" in refused.err
    finally:
        other.close()


@pytest.mark.spec("X10")
@pytest.mark.parametrize(("language", "word"), [("en", "whole backup"), ("ru", "не целая копия")])
def test_a_damaged_backup_touches_nothing(
    machine: Machine, tmp_path: Path, language: str, word: str
) -> None:
    backup = tmp_path / "svod.backup"
    backup.write_bytes(b"no archive" * 1000)
    machine.language = language
    refused = machine("restore", backup)
    assert refused.code == 2
    assert word in refused.err
    assert not machine.data.exists()


@pytest.mark.spec("X15", "X10")
def test_a_restore_that_was_broken_off_is_said_and_begun_again(
    filled: Machine, tmp_path: Path
) -> None:
    backup = tmp_path / "svod.backup"
    assert filled("backup", backup, "--with-master-key").code == 0
    other = Machine(filled.data.parent / "elsewhere")
    (other.data / "blobs" / "half").mkdir(parents=True)
    other.data.chmod(0o711)
    (other.data / "restore.unfinished").touch()
    for command in (("up", "--port", "0"), ("worker",)):
        refused = other(*command)
        assert refused.code == 1
        assert "broken off" in refused.err
    assert other("restore", backup).code == 0
    other.up()
    other.close()
    assert not (other.data / "blobs" / "half").exists()
