"""The command line against the scripted application on a real loopback port."""

import json
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from fakes.rooms import OWNER_KEY, Scripted
from fakes.serving import serving
from svod.cli import run
from svod.interfaces.api import make_app


@pytest.fixture(scope="session")
def app() -> FastAPI:
    return make_app(Scripted().rooms)


@pytest.fixture(scope="session")
def url(app: FastAPI) -> Generator[str]:
    with serving(app) as address:
        yield address


@pytest.fixture
def scripted(app: FastAPI) -> Scripted:
    scripted = Scripted()
    app.state.rooms = scripted.rooms
    return scripted


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Shell:
    """Runs commands in this process, in a language, with a key."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._set = monkeypatch.setenv
        self._capsys = capsys

    def speak(self, language: str) -> None:
        self._set("SVOD_LANG", language)

    def use(self, **environment: str) -> None:
        for name, value in environment.items():
            self._set(name, value)

    def __call__(self, *arguments: str | Path) -> Ended:
        self._capsys.readouterr()
        code = run([str(one) for one in arguments])
        said = self._capsys.readouterr()
        out = "\n".join(line for line in said.out.splitlines() if "[info" not in line)
        return Ended(code, out, said.err)


@pytest.fixture
def svod(
    url: str,
    scripted: Scripted,  # noqa: ARG001 - it must have run
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Shell:
    shell = Shell(monkeypatch, capsys)
    shell.use(SVOD_URL=url, SVOD_API_KEY=OWNER_KEY, COLUMNS="100")
    shell.speak("en")
    return shell
