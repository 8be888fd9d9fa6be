"""A reading child can hurt nobody: limits, deaths, cancellation, and what it cannot reach."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from fakes.files import a_markdown, a_slow_pdf
from svod.foundation.errors import Language
from svod.knowledge.parsing import Parsers, ReadingFailed, reading_failure
from svod.knowledge.parsing.document import Block, BlockKind, ParsedDocument, Warned
from svod.knowledge.parsing.errors import (
    FAILURES,
    ReaderDied,
    ReadingOutOfMemory,
    ReadingTimedOut,
    TooDeep,
)
from svod.knowledge.parsing.packing import packed
from svod.knowledge.parsing.wire import (
    UnreadableAnswer,
    packed_document,
    packed_failure,
    read_answer,
)

SLOW = a_slow_pdf()


def children_of(pid: int) -> set[int]:
    with contextlib.suppress(OSError):
        told = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii")
        return set(map(int, told.split()))
    return set()


def is_alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()[0] != "Z"
    return False


def descriptors_of(pid: int) -> set[str]:
    return {str(path.readlink()) for path in Path(f"/proc/{pid}/fd").iterdir()}


def told_of(pid: int, name: str) -> bytes:
    return Path(f"/proc/{pid}/{name}").read_bytes()


async def until(true: object, *, tries: int = 600) -> None:
    assert callable(true)
    for _ in range(tries):
        if true():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it did not come to be")


@pytest_asyncio.fixture
async def own() -> AsyncGenerator[Parsers]:
    parsers = Parsers(children=2, memory_mb=1500, timeout_s=60)
    yield parsers
    await parsers.close()


async def pid_of(parsers: Parsers) -> int:
    await parsers.read(b"a word", name="a.txt")
    assert parsers._running
    return parsers._running.process.pid


@pytest.mark.spec("X7")
async def test_a_file_that_takes_too_long_fails_and_others_are_read_meanwhile() -> None:
    parsers = Parsers(children=2, memory_mb=3000, timeout_s=2)
    try:
        slow = asyncio.ensure_future(parsers.read(SLOW, name="a.pdf"))
        assert (await parsers.read(a_markdown("ru"), name="a.md")).title == "Порядок закупок"
        with pytest.raises(ReadingTimedOut):
            await slow
        assert (await parsers.read(a_markdown("en"), name="a.md")).title == "Buying rules"
    finally:
        await parsers.close()


@pytest.mark.spec("X7")
async def test_a_file_that_needs_too_much_memory_fails_by_itself() -> None:
    parsers = Parsers(children=1, memory_mb=300, timeout_s=60)
    huge = b"[" + b",".join([b"[[],[]]"] * 1_500_000) + b"]"
    try:
        with pytest.raises(ReadingOutOfMemory):
            await parsers.read(huge, name="a.json")
        assert (await parsers.read(a_markdown("en"), name="a.md")).title == "Buying rules"
    finally:
        await parsers.close()


@pytest.mark.spec("X7")
async def test_killing_the_parser_process_loses_no_document(own: Parsers) -> None:
    process = await pid_of(own)
    reading = asyncio.ensure_future(own.read(SLOW, name="a.pdf"))
    await until(lambda: children_of(process))
    (child,) = children_of(process)

    os.kill(process, signal.SIGKILL)

    # The document is tried once more, in a child of a new process; the old child is gone.
    await until(
        lambda: (
            own._running
            and own._running.process.pid != process
            and children_of(own._running.process.pid)
        )
    )
    await until(lambda: not is_alive(child))
    assert (await own.read(a_markdown("ru"), name="a.md")).title == "Порядок закупок"
    assert own._running
    os.kill(own._running.process.pid, signal.SIGKILL)
    with pytest.raises(ReaderDied):
        await reading


@pytest.mark.spec("X7")
async def test_cancelling_ends_the_child_and_frees_its_place(own: Parsers) -> None:
    process = await pid_of(own)
    readings = [asyncio.ensure_future(own.read(SLOW, name="a.pdf")) for _ in range(2)]
    await until(lambda: len(children_of(process)) == 2)

    for reading in readings:
        reading.cancel()
    await asyncio.wait(readings)

    await until(lambda: not children_of(process))
    assert (await own.read(a_markdown("ru"), name="a.md")).title == "Порядок закупок"
    assert await pid_of(own) == process


@pytest.mark.spec("X7")
async def test_the_process_has_neither_the_servers_sockets_nor_its_environment(
    own: Parsers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SVOD_MASTER_KEY", "canary")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        os.set_inheritable(listening.fileno(), True)
        process = await pid_of(own)
        held = descriptors_of(process)
        mine = f"socket:[{os.fstat(listening.fileno()).st_ino}]"

    assert mine not in held
    assert b"canary" not in told_of(process, "environ")
    reading = asyncio.ensure_future(own.read(SLOW, name="a.pdf"))
    await until(lambda: children_of(process))
    (child,) = children_of(process)
    await until(lambda: len(descriptors_of(child)) <= 5)
    limits = told_of(child, "limits").decode()
    assert {
        line.split()[-3]
        for line in limits.splitlines()
        if line.startswith(("Max file size", "Max core file size"))
    } == {"0"}
    reading.cancel()
    await asyncio.wait([reading])


@pytest.mark.spec("X7")
async def test_the_process_stops_when_it_is_idle_and_starts_again(
    own: Parsers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svod.knowledge.parsing.parsers.IDLE_S", 0.01)
    process = await pid_of(own)

    await until(lambda: not is_alive(process))

    assert (await own.read(a_markdown("ru"), name="a.md")).title == "Порядок закупок"


SERVER = """
import asyncio, sys
from svod.knowledge.parsing import Parsers
async def main():
    parsers = Parsers(children=1, memory_mb=1500, timeout_s=60)
    await parsers.read(b"a word", name="a.txt")
    print(parsers._running.process.pid, flush=True)
    await parsers.read(open(sys.argv[1], "rb").read(), name="a.pdf")
asyncio.run(main())
"""


@pytest.mark.spec("X7")
async def test_nothing_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    slow = tmp_path / "slow.pdf"
    slow.write_bytes(SLOW)
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SERVER, str(slow)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert server.stdout
    process = 0
    while line := await server.stdout.readline():
        if line.strip().isdigit():
            process = int(line)
            break
    await until(lambda: children_of(process))
    (child,) = children_of(process)

    server.kill()
    await server.wait()

    await until(lambda: not is_alive(process) and not is_alive(child))


@pytest.mark.parametrize("code", FAILURES)
@pytest.mark.parametrize("language", list(Language))
def test_a_failure_is_made_again_from_its_code_and_facts(code: str, language: Language) -> None:
    stored = json.loads(json.dumps({"code": code, "facts": FAILURES[code]().facts}))
    again = reading_failure(stored["code"], stored["facts"])

    assert type(again) is FAILURES[code]
    assert again.message(language) == FAILURES[code]().message(language)
    assert again.advice(language)
    assert isinstance(read_answer(packed_failure(again))[0], FAILURES[code])


def test_an_unknown_code_is_a_dead_reader() -> None:
    assert isinstance(reading_failure("no such code", {}), ReaderDied)
    assert reading_failure("too_deep", {"limit": 7}).message() == TooDeep(limit=7).message()


DOCUMENT = ParsedDocument(
    text="# A\n\nслово 😀",
    blocks=(
        Block(BlockKind.HEADING, 0, 3, (), 1, 0, 1),
        Block(BlockKind.PARAGRAPH, 5, 12, ("A",), 0, 5, 1, "Лист"),
    ),
    title="A",
    language=Language.RU,
    warnings=(Warned("cut", {"kept": 12}),),
    truncated=True,
    pages=3,
)


def broken() -> Iterator[bytes]:
    whole = packed_document(DOCUMENT)
    yield b""
    yield whole[:-3]
    yield whole + b"\x00"
    yield packed([1, 2, 3])
    yield packed({"kind": "failed", "code": "svod.denied", "facts": {}})
    yield packed_document(ParsedDocument("ab", (Block(BlockKind.CODE, 0, 3),), None, None))
    yield packed_document(
        ParsedDocument(
            "abc", (Block(BlockKind.CODE, 0, 2), Block(BlockKind.CODE, 1, 3)), None, None
        )
    )
    yield packed_document(ParsedDocument("a\x00", (), None, None))
    yield packed_document(ParsedDocument("a", (), None, None, warnings=(Warned("unheard of", {}),)))


@pytest.mark.spec("X7")
def test_a_child_is_believed_only_if_its_answer_makes_sense() -> None:
    assert read_answer(packed_document(DOCUMENT)) == (DOCUMENT, "")
    for answer in broken():
        with pytest.raises(UnreadableAnswer):
            read_answer(answer)


async def test_a_failure_carries_what_the_person_can_do(own: Parsers) -> None:
    with pytest.raises(ReadingFailed) as told:
        await own.read(b"[" * 5000, name="a.json")
    assert told.value.message(Language.RU) == "Вложенность содержимого больше 200 уровней."
