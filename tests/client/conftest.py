"""The client against the scripted application on a real loopback port."""

from collections.abc import Generator

import pytest
from fastapi import FastAPI

from fakes.rooms import OWNER_KEY, Scripted
from fakes.serving import serving
from svod.client import Client
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


@pytest.fixture
def client(url: str, scripted: Scripted) -> Generator[Client]:  # noqa: ARG001 - it must have run
    with Client(url, OWNER_KEY) as client:
        yield client
