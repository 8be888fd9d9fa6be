"""The port and the data folder are taken by one server at a time, and a taken one says by whom."""

import os
import socket
from pathlib import Path

import pytest

from svod.cli import run
from svod.cli.failing import Exit
from svod.foundation.errors import Language
from svod.serve.listening import PortTaken, take_port, url_of
from svod.serve.running import AlreadyRunning, DataFolder, DataFolderUnusable, find_running


@pytest.mark.spec("I4", "X15")
def test_a_taken_port_says_who_holds_it() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(PortTaken) as taken:
            take_port("127.0.0.1", port)
    assert f"pid {os.getpid()}" in taken.value.message()
    assert "занят" in taken.value.message(Language.RU)
    assert str(port + 1) in (taken.value.advice() or "")


def test_port_zero_takes_a_free_one() -> None:
    with take_port("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert port > 0
        assert url_of(taken) == f"http://127.0.0.1:{port}"


@pytest.mark.spec("X15")
def test_a_second_server_on_a_data_folder_is_told_where_the_first_is(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.announce("http://127.0.0.1:1")
    with pytest.raises(AlreadyRunning) as running:
        DataFolder(tmp_path)
    assert "http://127.0.0.1:1" in running.value.message()
    folder.release()
    assert find_running(tmp_path) is None
    DataFolder(tmp_path).release()


@pytest.mark.spec("I4", "X15")
@pytest.mark.parametrize("below", ["", "deeper"])
def test_a_data_folder_that_cannot_be_is_told_so(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataFolderUnusable) as unusable:
        DataFolder(tmp_path / "file" / below)
    assert str(tmp_path / "file") in unusable.value.message(Language.RU)


@pytest.mark.spec("I4", "X15")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SVOD_PORT", "secret"),
        ("SVOD_PORT", "70000"),
        ("SVOD_PARSER_CHILDREN", "-1"),
        ("SVOD_PARSER_TIMEOUT_S", "secret"),
        ("SVOD_LOG_LEVEL", "loud"),
        ("SVOD_LOG_FORMAT", "xml"),
    ],
)
def test_a_setting_that_does_not_fit_is_named_and_its_value_is_not(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    value: str,
) -> None:
    monkeypatch.setenv(name, value)
    assert run(["doctor"]) == Exit.WRONG_USE
    said = capsys.readouterr().err
    assert name in said
    assert value not in said
