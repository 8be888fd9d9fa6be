"""How well search finds, through the public interface: words, meaning and both.

    python bench/retrieval.py --eval ../shared/eval [--sets xquad_ru xquad_en] [--count 200]

Each set is added as notes to a namespace of its own; `xquad_ru>xquad_en` asks the questions of the
one over the documents of the other, which share their keys. Without `--url` a server of this
checkout is started on a fresh data folder.
"""

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import sets
from server import server
from svod.client import Client

MODES = ("words", "meaning", "both")
DEFAULT = ("xquad_ru", "xquad_en", "xquad_ru>xquad_en", "xquad_en>xquad_ru")
TARGETS = {"xquad_ru": 0.97, "xquad_en": 0.98, "xquad_ru>xquad_en": 0.90}
"""The least MRR@10 of words and meaning together."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One set in one mode."""

    set: str
    mode: str
    figures: sets.Figures
    ms_median: float
    ms_p95: float


def measure(
    client: Client, name: str, asked: Sequence[sets.Question], *, over: str
) -> list[Measured]:
    """Ask every question over a namespace in each mode."""
    measured: list[Measured] = []
    for mode in MODES:
        runs: list[tuple[sets.Question, list[str]]] = []
        took: list[float] = []
        for question in asked:
            began = time.perf_counter()
            found = client.search(question.text, mode=mode, limit=sets.MOST_HITS, namespaces=[over])
            took.append((time.perf_counter() - began) * 1000)
            runs.append((question, sets.in_order(found.hits)))
        p95 = statistics.quantiles(took, n=20)[-1]
        measured.append(Measured(name, mode, sets.figures(runs), statistics.median(took), p95))
    return measured


def report(measured: Iterable[Measured]) -> str:
    """A table for a reader."""
    headings = (
        "set",
        "mode",
        "questions",
        "MRR@10",
        "nDCG@10",
        "hit@1",
        "hit@10",
        "R@10",
        "ms",
        "p95",
    )
    return sets.table(
        headings,
        [
            (
                one.set,
                one.mode,
                str(one.figures.questions),
                f"{one.figures.mrr:.3f}",
                f"{one.figures.ndcg:.3f}",
                f"{one.figures.hit_1:.3f}",
                f"{one.figures.hit_10:.3f}",
                f"{one.figures.recall_10:.3f}",
                f"{one.ms_median:.0f}",
                f"{one.ms_p95:.0f}",
            )
            for one in measured
        ],
    )


def main() -> int:
    """Run it; the exit code is 1 where a target was missed."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--eval", type=Path, required=True, help="folder of the sets")
    options.add_argument("--sets", nargs="+", default=DEFAULT)
    options.add_argument("--count", type=int, help="questions a set; all by default")
    options.add_argument("--url", help="a running server; its key from the environment")
    options.add_argument("--json", type=Path)
    given = options.parse_args()
    measured: list[Measured] = []
    with ExitStack() as stack:
        client = Client(given.url) if given.url else stack.enter_context(server()).client()
        added: set[str] = set()
        for name in given.sets:
            asked, _, over = name.partition(">")
            over = over or asked
            if over not in added:
                sets.add(client, sets.documents(given.eval / over), namespace=over, until="meaning")
                added.add(over)
            questions = sets.questions(given.eval / asked)
            if given.count:
                questions = random.Random(0).sample(questions, given.count)  # noqa: S311 - a sample
            measured += measure(client, name, questions, over=over)
            print(report(measured[-len(MODES) :]), flush=True)
    print(report(measured))
    if given.json:
        given.json.write_text(json.dumps([asdict(one) for one in measured], indent=1))
    missed = [
        one for one in measured if one.mode == "both" and one.figures.mrr < TARGETS.get(one.set, 0)
    ]
    for one in missed:
        print(f"{one.set}: MRR@10 {one.figures.mrr:.3f} is below {TARGETS[one.set]}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
