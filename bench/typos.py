"""How much of what a clean query finds is still found when its words are misspelt (R2).

    python bench/typos.py --eval ../shared/eval [--sets xquad_ru xquad_en] [--count 200]
        [--modes words both]

Each question is asked as it stands, with one typo in one of its words of five letters or more, and
with one in each of them: a letter left out, put in, replaced, or two swapped, seeded. `kept` is
recall@10 over the clean query's, to be 0.9 or more. Without `--url` a server of this checkout is
started on a fresh data folder.
"""

import argparse
import random
import re
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import sets
from server import server
from svod.client import Client

DEFAULT = ("xquad_ru", "xquad_en")
LEAST_KEPT = 0.9
SHORTEST = 5
_WORD = re.compile(r"[^\W\d_]+")
_LETTERS = ("абвгдежзийклмнопрстуфхцчшщъыьэюя", "abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True, slots=True)
class Measured:
    """One way of asking a set in one mode."""

    set: str
    mode: str
    asked: str
    recall: float
    kept: float
    mrr: float
    corrected: float
    ms: float


def misspelt(word: str, chance: random.Random) -> str:
    """A word with one typo; never the same word."""
    letters = next(one for one in _LETTERS if word[-1].lower() in one or one is _LETTERS[-1])
    while True:
        at = chance.randrange(len(word))
        head, tail, letter = word[:at], word[at:], chance.choice(letters)
        typed = chance.choice(
            (
                head + tail[1:],
                head + letter + tail,
                head + letter + tail[1:],
                head + tail[1:2] + tail[:1] + tail[2:],
            )
        )
        if typed.lower() != word.lower():
            return typed


def with_typos(text: str, chance: random.Random, *, every: bool) -> str:
    """A question with a typo in one of its long words, or in every one."""
    words = [word for word in _WORD.finditer(text) if len(word[0]) >= SHORTEST]
    words = [word for word in words if not word[0].isupper()]
    if not every and words:
        words = [chance.choice(words)]
    for word in reversed(words):
        text = text[: word.start()] + misspelt(word[0], chance) + text[word.end() :]
    return text


def measure(
    client: Client, name: str, questions: Sequence[sets.Question], mode: str
) -> list[Measured]:
    """Every question as it is, with one typo, and with one in each long word."""
    measured: list[Measured] = []
    for asked in ("clean", "one typo", "each word"):
        chance = random.Random(7)  # noqa: S311 - the same typos each time
        runs: list[tuple[sets.Question, list[str]]] = []
        corrected, took = 0, list[float]()
        for question in questions:
            text = question.text
            if asked != "clean":
                text = with_typos(text, chance, every=asked == "each word")
            began = time.perf_counter()
            found = client.search(text, mode=mode, limit=20, namespaces=[name])
            took.append((time.perf_counter() - began) * 1000)
            corrected += bool(found.meta.corrected)
            runs.append((question, sets.in_order(found.hits)))
        figures = sets.figures(runs)
        clean = measured[0].recall if measured else figures.recall_10
        measured.append(
            Measured(
                name,
                mode,
                asked,
                figures.recall_10,
                figures.recall_10 / clean,
                figures.mrr,
                corrected / len(runs),
                statistics.median(took),
            )
        )
    return measured


def main() -> int:
    """Measure, print, and fail where too little is kept."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--eval", type=Path, required=True, help="folder of the sets")
    options.add_argument("--sets", nargs="+", default=DEFAULT)
    options.add_argument("--modes", nargs="+", default=("words", "both"))
    options.add_argument("--count", type=int, help="questions a set; all by default")
    options.add_argument("--url", help="a running server; its key from the environment")
    given = options.parse_args()
    measured: list[Measured] = []
    with ExitStack() as stack:
        environment = {} if "both" in given.modes else {"SVOD_EMBEDDINGS": "none"}
        client = (
            Client(given.url) if given.url else stack.enter_context(server(**environment)).client()
        )
        until = "meaning" if "both" in given.modes else "words"
        for name in given.sets:
            sets.add(client, sets.documents(given.eval / name), namespace=name, until=until)
            questions = sets.questions(given.eval / name)
            if given.count:
                questions = random.Random(0).sample(questions, given.count)  # noqa: S311 - a sample
            for mode in given.modes:
                measured += measure(client, name, questions, mode)
    print(
        sets.table(
            ("set", "mode", "asked", "R@10", "kept", "MRR@10", "corrected", "ms"),
            [
                (
                    one.set,
                    one.mode,
                    one.asked,
                    f"{one.recall:.3f}",
                    f"{one.kept:.3f}",
                    f"{one.mrr:.3f}",
                    f"{one.corrected:.2f}",
                    f"{one.ms:.0f}",
                )
                for one in measured
            ],
        )
    )
    return int(any(one.kept < LEAST_KEPT for one in measured))


if __name__ == "__main__":
    sys.exit(main())
