"""Back a live server up, restore it elsewhere, and ask both the same 200 questions.

    ./svod dev bench backup --eval FOLDER [--questions 100] [--embeddings none]

FOLDER holds the sets `xquad_ru` and `xquad_en`. Their paragraphs are added; a backup is made while
keys and marks of items change all the time, and restored into a folder of its own. Both servers are
then asked and searched with questions in both languages: hits with their scores, answers and
citations must be equal. A second backup is made while texts are added and changed as fast as they
can be; what was acknowledged before it began must be there after its restore, every job that it
caught must end, and tables, segments and files must agree (`consistency.py`).
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import sets
from consistency import inconsistencies, waiting_jobs
from server import Server, free_port, server
from svod.client import Client
from svod.foundation.storage.embedded import EmbeddedPostgres

Writer = Callable[[Client, threading.Event], None]

_LANGUAGES = ("ru", "en")
_SETTLE_S = 120


def main(argv: list[str] | None = None) -> int:
    """Run it; 0 when everything is equal and nothing is lost."""
    parser = argparse.ArgumentParser(prog="bench backup", description=__doc__)
    parser.add_argument("--eval", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=100, help="of each language")
    parser.add_argument("--embeddings", choices=("builtin", "none"), default="builtin")
    options = parser.parse_args(argv)
    until = "meaning" if options.embeddings == "builtin" else "words"
    asked: list[str] = []
    # Every answer waits for the meaning of its question, or a busy machine would change it.
    patient = {"SVOD_EMBEDDINGS": options.embeddings, "SVOD_PROMPT_SEARCH_MS": "60000"}
    with server(**patient) as live:
        _until_meaning(live, until)
        for language in _LANGUAGES:
            folder = options.eval / f"xquad_{language}"
            sets.add(live.client(), sets.documents(folder), namespace=language, until=until)
            asked += [one.text for one in sets.questions(folder)[: options.questions]]
        time.sleep(5)  # the moments of the last vectors are taken
        first = _backup(live, "equal", _harmless)
        before = _answers(live.client(), asked)
        with _restored(live, first) as other:
            _until_meaning(other, until)
            after = _answers(other.client(), asked)
        differing = sum(one != two for one, two in zip(before, after, strict=True))
        acknowledged: list[str] = []
        second = _backup(live, "busy", lambda client, stop: _busy(client, stop, acknowledged))
        promised = acknowledged[: acknowledged.index("backup begins")]
        with _restored(live, second) as other:
            lost, bad = _settled(other, promised)
    print(
        f"{len(before)} questions, {sum(bool(a[0]) for a in before)} of them answered: {differing} differ"
    )
    print(f"{len(promised)} texts acknowledged before a busy backup: {lost} lost")
    for name, count in bad.items():
        if count:
            print(f"{count:6} {name}")
    failed = bool(differing or lost or any(bad.values()))
    print("FAILED" if failed else "all equal, nothing lost")
    return int(failed)


def _answers(client: Client, asked: list[str]) -> list[tuple[object, ...]]:
    def ask(question: str) -> tuple[object, ...]:
        answer = client.ask(question)
        hits = client.search(question, limit=10).hits
        cited = [(c.item_id, c.version, c.start, c.end, c.text) for c in answer.citations]
        found = [(h.item_id, h.version, h.text, round(h.score, 6)) for h in hits]
        return answer.answered, answer.answer, cited, found

    # One after another: texts embedded together differ in the last digits.
    return [ask(question) for question in asked]


def _backup(live: Server, name: str, write: Writer) -> Path:
    """A backup of a server that is being written to."""
    file = live.data.parent / f"{name}.backup"
    stop = threading.Event()
    writer = threading.Thread(target=write, args=(live.client(), stop))
    writer.start()
    time.sleep(1)
    began = time.monotonic()
    _svod(live, "backup", str(file), "--with-master-key")
    took_s = time.monotonic() - began
    stop.set()
    writer.join()
    size = file.stat().st_size / (1 << 20)
    print(f"backup «{name}»: {size:.1f} MB in {took_s:.1f} s", flush=True)
    return file


def _harmless(client: Client, stop: threading.Event) -> None:
    """Write what no answer depends on."""
    items = [item.item_id for item in client.items(limit=20).items]
    number = 0
    while not stop.is_set():
        number += 1
        client.change(items[number % len(items)], pinned=bool(number % 3))
        if number % 20 == 0:
            client.make_key(f"key {number}", ["knowledge:read"])


def _busy(client: Client, stop: threading.Event, acknowledged: list[str]) -> None:
    """Write texts as fast as possible; a second after the start the backup begins."""
    began, said, number = time.monotonic(), False, 0
    while not stop.is_set():
        if not said and time.monotonic() - began > 0.9:
            acknowledged.append("backup begins")
            said = True
        name = f"busy{number % 40}"
        client.add_note(f"Насос {number}. The pump number {number} is kept.", external_id=name)
        client.add_file(
            f"file {number}".encode() * 99, name=f"{number}.txt", external_id=f"f{number}"
        )
        acknowledged += [name, f"f{number}"]
        number += 1


@contextmanager
def _restored(live: Server, file: Path) -> Generator[Server]:
    """A server on what a backup holds."""
    folder = Path(tempfile.mkdtemp(prefix="svod-bench-restored-"))
    port = free_port()
    environment = live.environment | {"SVOD_DATA": str(folder / "data"), "SVOD_PORT": str(port)}
    other = Server(folder / "data", port, environment)
    try:
        began = time.monotonic()
        _svod(other, "restore", str(file))
        print(f"restored in {time.monotonic() - began:.1f} s", flush=True)
        other.start()
        yield other
    finally:
        other.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _settled(other: Server, promised: list[str]) -> tuple[int, dict[str, int]]:
    """What is lost, and what does not fit, once every job has ended."""
    client = other.client()
    database = EmbeddedPostgres(other.data)
    dsn = database.start().dsn
    try:
        deadline = time.monotonic() + _SETTLE_S
        while (left := waiting_jobs(dsn)) and time.monotonic() < deadline:
            time.sleep(1)
        items = list(client.every_item())
        there = {item.external_id for item in items}
        bad = {"stuck": len(left) + sum(not item.done for item in items)}
        return len(set(promised) - there), bad | inconsistencies(dsn, other.data / "blobs")
    finally:
        database.stop()


def _until_meaning(running: Server, until: str) -> None:
    while until == "meaning" and any(
        one.code == "meaning_loading" for one in running.client().ready().not_ready
    ):
        time.sleep(0.2)


def _svod(on: Server, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "svod", *arguments], env=on.environment, check=True)


if __name__ == "__main__":
    sys.exit(main())
