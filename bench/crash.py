"""Kill the server at random moments while items are added and changed; nothing may be lost.

    ./svod dev bench crash [--kills 5] [--seed 0] [--json]

Writers add notes and files and change them, and write down what the server acknowledged. After the
last kill every acknowledged item must be there once, with its last acknowledged text (or one whose
acknowledgement was cut off), ready within 60 seconds, findable by its own word in exactly one chunk;
and every stored file must be one that an item points at.
"""

import argparse
import json
import random
import sys
import threading
import time
from dataclasses import dataclass, field

from server import Server, server
from svod.client import Client
from svod.client.errors import SvodFailed

STUCK_S = 60.0
_WRITERS = 3


@dataclass
class Told:
    """What a writer sent and what was acknowledged, by external id: numbers of texts."""

    acknowledged: dict[str, int] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)


def main(argv: list[str] | None = None) -> int:
    """Run it; 0 when nothing was lost, doubled or stuck."""
    parser = argparse.ArgumentParser(prog="bench crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    chance = random.Random(options.seed)  # noqa: S311 - moments to kill at, not secrets
    with server() as running:
        told = _work_and_kill(running, options.kills, chance)
        started = time.monotonic()
        stuck = _wait_all(running.client(), STUCK_S)
        settled_s = time.monotonic() - started
        report = {"kills": options.kills, "acknowledged": len(told.acknowledged)}
        report |= _examine(running.client(), told) | {
            "stuck": stuck,
            "settled_s": round(settled_s, 1),
        }
    failed = any(report[name] for name in ("lost", "doubled", "old", "stuck", "unfindable"))
    if options.json:
        print(json.dumps(report))
    else:
        for name, value in report.items():
            print(f"{name:14} {value}")
        print("FAILED" if failed else "nothing lost, doubled or stuck")
    return int(failed)


def _work_and_kill(running: Server, kills: int, chance: random.Random) -> Told:
    told, done = Told(), threading.Event()
    writers = [
        threading.Thread(target=_write, args=(running, number, told, done), daemon=True)
        for number in range(_WRITERS)
    ]
    for writer in writers:
        writer.start()
    for number in range(kills):
        time.sleep(chance.uniform(0.5, 6.0))
        running.kill()
        print(f"kill {number + 1}: {len(told.acknowledged)} acknowledged", file=sys.stderr)
        running.start()
    time.sleep(2)
    done.set()
    for writer in writers:
        writer.join(timeout=30)
    return told


def _write(running: Server, number: int, told: Told, done: threading.Event) -> None:
    chance = random.Random(number)  # noqa: S311
    count = 0
    while not done.is_set():
        again = told.acknowledged and chance.random() < 0.4
        mine = [name for name in list(told.acknowledged) if name.startswith(f"w{number}-")]
        name = chance.choice(mine) if again and mine else f"w{number}-{count}"
        count += 1
        text_no = told.sent.get(name, 0) + 1
        told.sent[name] = text_no
        try:
            with running.client() as client:
                _send(client, name, text_no, is_file=number == 0)
        except (SvodFailed, OSError):
            time.sleep(0.2)  # the answer was cut off: it may or may not have been done
            continue
        told.acknowledged[name] = text_no


def _send(client: Client, name: str, text_no: int, *, is_file: bool) -> None:
    text = f"# {name}\n\n" + _word(name, text_no) + "\n\n" + _filler(name, text_no)
    if is_file:
        client.add_file(text.encode(), name=f"{name}.md", external_id=name)
    else:
        client.add_note(text, title=name, external_id=name)


def _word(name: str, text_no: int) -> str:
    return f"marker{name.replace('-', 'x')}n{text_no}q"


def _filler(name: str, text_no: int) -> str:
    sentence = f"Строка заметки {name}, редакция {text_no}: the quick fox проверяет хранилище. "
    return "\n\n".join(sentence * 4 for _ in range(1 + text_no % 4))


def _wait_all(client: Client, limit_s: float) -> int:
    deadline = time.monotonic() + limit_s
    while True:
        unfinished = [
            item
            for item in client.every_item()
            if item.status in {"queued", "processing"} or item.meaning_ready < 1
        ]
        if not unfinished or time.monotonic() > deadline:
            return len(unfinished)
        time.sleep(0.5)


def _examine(client: Client, told: Told) -> dict[str, int]:
    items: dict[str, list[str]] = {}
    for item in client.every_item():
        items.setdefault(item.external_id or item.item_id, []).append(item.item_id)
    report = dict.fromkeys(("lost", "doubled", "old", "failed", "unfindable"), 0)
    report["items"] = len(items)
    for name, text_no in told.acknowledged.items():
        there = items.get(name, [])
        report["lost"] += not there
        report["doubled"] += len(there) > 1
        if not there:
            continue
        text = client.text(there[0]).text
        numbers = range(text_no, told.sent[name] + 1)
        shown = next((n for n in numbers if f"{_word(name, n)}\n" in text), None)
        report["old"] += shown is None
        if shown is not None:
            found = client.search(_word(name, shown), mode="words", limit=20).hits
            mine = [hit for hit in found if _word(name, shown) in hit.text]
            report["unfindable"] += not mine
            report["doubled"] += len(mine) > 1
    return report


if __name__ == "__main__":
    sys.exit(main())
