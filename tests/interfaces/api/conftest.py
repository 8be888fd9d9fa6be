# ruff: noqa: ARG001 - fixtures that must only have run
"""The application over scripted rooms, called in the process."""

from collections.abc import AsyncGenerator

import httpx2
import pytest
import pytest_asyncio
from fastapi import FastAPI

from fakes.rooms import BILLING_KEY, OPERATOR_KEY, OWNER_KEY, READER_KEY, Scripted
from svod.interfaces.api import make_app


@pytest.fixture(scope="session")
def app() -> FastAPI:
    return make_app(Scripted().rooms)


@pytest.fixture
def scripted(app: FastAPI) -> Scripted:
    scripted = Scripted()
    app.state.rooms = scripted.rooms
    return scripted


def _client(app: FastAPI, key: str | None) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app),
        base_url="http://127.0.0.1:8765",
        headers={"Authorization": f"Bearer {key}"} if key else {},
    )


# Each client asks for `scripted`, so that the rooms are this test's before it calls.
@pytest_asyncio.fixture
async def owner(app: FastAPI, scripted: Scripted) -> AsyncGenerator[httpx2.AsyncClient]:
    async with _client(app, OWNER_KEY) as client:
        yield client


@pytest_asyncio.fixture
async def operator(app: FastAPI, scripted: Scripted) -> AsyncGenerator[httpx2.AsyncClient]:
    async with _client(app, OPERATOR_KEY) as client:
        yield client


@pytest_asyncio.fixture
async def reader(app: FastAPI, scripted: Scripted) -> AsyncGenerator[httpx2.AsyncClient]:
    async with _client(app, READER_KEY) as client:
        yield client


@pytest_asyncio.fixture
async def billing(app: FastAPI, scripted: Scripted) -> AsyncGenerator[httpx2.AsyncClient]:
    async with _client(app, BILLING_KEY) as client:
        yield client


@pytest_asyncio.fixture
async def nobody(app: FastAPI, scripted: Scripted) -> AsyncGenerator[httpx2.AsyncClient]:
    async with _client(app, None) as client:
        yield client
