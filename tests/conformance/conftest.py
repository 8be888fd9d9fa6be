"""What the conformance of formats needs: one parser process for all of them."""

from collections.abc import AsyncGenerator

import pytest_asyncio

from svod.knowledge.parsing import Parsers


@pytest_asyncio.fixture(scope="session")
async def parsers() -> AsyncGenerator[Parsers]:
    reading = Parsers(children=2, memory_mb=1500, timeout_s=60)
    yield reading
    await reading.close()
