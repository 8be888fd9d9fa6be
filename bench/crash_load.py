"""What is done to a server while parts of it are killed, and what it acknowledged.

Every writer owns its names, so that what may be there at the end is known of each: the outcome of
the last thing that was acknowledged, or of one that was sent after it and broke off.
"""

import contextlib
import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from svod.client import Client
from svod.client.errors import NotFound, SvodFailed

GONE = 0
"""The number of a name's text when it was deleted."""
_NAMES = 10
_PAUSE_S = (0.15, 0.7)
_FIXED = "The lantern pump weighs 417 grams and is kept in the third drawer."
_QUESTION = "How many grams does the lantern pump weigh?"
_WATCHED = ("watchednote", "watchedfile")


@dataclass
class Name:
    """A name of a writer: what it may hold, and the item it last was."""

    may_be: set[int] = field(default_factory=lambda: {GONE})
    last: int = GONE
    item_id: str | None = None


@dataclass
class Load:
    """Writers, a watcher and an asker on one server, in threads of this process."""

    client: Callable[[], Client]
    seed: int
    names: dict[str, Name] = field(default_factory=dict)
    done: threading.Event = field(default_factory=threading.Event)
    acknowledged: int = 0
    searches: int = 0
    answers: int = 0
    missed: int = 0
    mixed: int = 0
    went_back: int = 0
    unanswered: int = 0
    wrong: int = 0
    faults: list[str] = field(default_factory=list)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        """Put in what is watched and asked, then let everybody run."""
        with self.client() as client:
            fixed = client.add_note(_FIXED, title="Lantern pump", external_id="fixed")
            client.wait(fixed.item.item_id)
            for name in _WATCHED:
                client.wait(_watched(client, name, 1))
        tasks: list[Callable[[], None]] = [self._ask]
        tasks += [lambda n=name: self._change_watched(n) for name in _WATCHED]
        tasks += [lambda n=name: self._watch(n) for name in _WATCHED]
        tasks += [lambda n=number: self._write(n) for number in range(3)]
        self._threads = [threading.Thread(target=task, daemon=True) for task in tasks]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Let everybody end what they are doing."""
        self.done.set()
        for thread in self._threads:
            thread.join(timeout=60)

    def _write(self, number: int) -> None:
        chance = random.Random(f"{self.seed}:{number}")  # noqa: S311 - what to do, not secrets
        with self.client() as client:
            while not self.done.is_set():
                name = f"w{number}-{chance.randrange(_NAMES)}"
                known = self.names.setdefault(name, Name())
                deletes = known.item_id is not None and chance.random() < 0.2
                text_no = GONE if deletes else known.last + 1
                known.last = max(known.last, text_no)
                known.may_be.add(text_no)
                try:
                    known.item_id = _send(client, name, known, text_no, chance)
                except (SvodFailed, OSError) as error:
                    self._note(error)
                    time.sleep(0.2)  # cut off: it was done, or not
                    continue
                known.may_be = {text_no}
                self.acknowledged += 1
                time.sleep(chance.uniform(*_PAUSE_S))

    def _change_watched(self, name: str) -> None:
        with self.client() as client:
            number = 1
            while not self.done.is_set():
                number += 1
                try:
                    client.wait(_watched(client, name, number), timeout_s=20)
                except (SvodFailed, OSError) as error:
                    self._note(error)
                time.sleep(0.1)

    def _watch(self, name: str) -> None:
        """Exactly one version is found, always, and never one before that was found already."""
        newest = 1
        with self.client() as client:
            while not self.done.is_set():
                try:
                    hits = client.search(name, mode="words", limit=20).hits
                except (SvodFailed, OSError) as error:
                    self._note(error)
                    time.sleep(0.2)
                    continue
                shown = {
                    int(found[1])
                    for hit in hits
                    if (found := re.search(rf"{name} edition(\d+)q", hit.text))
                }
                self.searches += 1
                self.missed += not shown
                self.mixed += len(shown) > 1
                self.went_back += bool(shown) and max(shown) < newest
                newest = max(newest, *shown) if shown else newest
                time.sleep(0.02)

    def _ask(self) -> None:
        with self.client() as client:
            while not self.done.is_set():
                try:
                    answer = client.ask(_QUESTION)
                except (SvodFailed, OSError) as error:
                    self._note(error)
                    time.sleep(0.2)
                    continue
                self.answers += 1
                self.unanswered += not answer.answered
                self.wrong += answer.answered and "417" not in answer.answer
                time.sleep(0.1)

    def _note(self, error: Exception) -> None:
        """A server that is down or busy is expected; a fault of its own (500) never."""
        if isinstance(error, SvodFailed) and error.status == 500:
            self.faults.append(error.code)


def word(name: str, text_no: int) -> str:
    """The word that stands in one text of one name only."""
    return f"marker{name.replace('-', 'x')}n{text_no}q"


def _send(
    client: Client, name: str, known: Name, text_no: int, chance: random.Random
) -> str | None:
    if text_no == GONE:
        if known.item_id is not None:
            with contextlib.suppress(NotFound):  # by an earlier call whose answer was cut off
                client.delete(known.item_id)
        return None
    text = f"# {name}\n\n{word(name, text_no)}\n\n{_filler(name, text_no)}"
    if name.startswith("w0-"):
        return client.add_file(text.encode(), name=f"{name}.md", external_id=name).item.item_id
    if known.item_id is not None and chance.random() < 0.5:
        with contextlib.suppress(NotFound):
            return client.change(known.item_id, text=text).item_id
    return client.add_note(text, title=name, external_id=name).item.item_id


def _watched(client: Client, name: str, number: int) -> str:
    text = f"{name} edition{number}q. Сторож фонаря проверяет насос."
    if name == "watchedfile":
        added = client.add_file(text.encode(), name="watched.txt", external_id=name)
    else:
        added = client.add_note(text, title="watched", external_id=name)
    return added.item.item_id


def _filler(name: str, text_no: int) -> str:
    sentence = f"Строка заметки {name}, редакция {text_no}: the quick fox проверяет хранилище. "
    return "\n\n".join(sentence * 4 for _ in range(1 + text_no % 3))
