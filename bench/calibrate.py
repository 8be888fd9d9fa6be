"""Fits the default curves from raw strengths to scores, and tells how far off they are.

    python bench/calibrate.py --eval ../shared/eval [--pairs pairs.json] [--sets xquad_ru …]

Adds each set to a namespace of its own, asks its questions in each mode, and takes the first ten
hits with whether their document was judged relevant. Each question is asked a second time as if
what answers it were missing, at a third of the weight: a curve that has only seen questions with an
answer believes every first hit. Every set weighs the same. The error is that of a set when the
curve was fitted on the others (all directions of one collection count as one): expected calibration
error over ten bins of equal weight. `unanswerable_en` and `docsqa` are never used: they stay checks.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import sets
from server import server
from svod.client import Client

DEFAULT = (
    "xquad_ru",
    "xquad_en",
    "xquad_ru>xquad_en",
    "xquad_en>xquad_ru",
    "multihop",
    "chunking",
    "tableqa_fetaqa",
    "faq_banking77",
    "faq_stack_paraphrase",
)
KEPT_APART = {"unanswerable_en", "docsqa"}
MOST_QUESTIONS = 300
BINS = 10
TEN = 10
_GONE_WEIGHT = 0.25
_ROUNDS = 50
_RIDGE = 1e-4

Table = NDArray[np.float64]
RANK, GAP, RELEVANT, WEIGHT = range(4)
"""Columns of pairs: rank score, how far below the best hit, 1 where relevant, weight."""


def collect(client: Client, asked: Sequence[sets.Question], *, over: str, mode: str) -> Table:
    """The first ten hits of each question, and the first ten that do not answer it."""
    rows: list[tuple[float, float, float, float]] = []
    for question in asked:
        found = client.search(question.text, mode=mode, limit=sets.MOST_HITS, namespaces=[over])
        hits = [(hit.rank_score, sets.key_of(hit) in question.relevant) for hit in found.hits]
        others = [(rank, relevant) for rank, relevant in hits if not relevant]
        for first, weight in ((hits[:TEN], 1 - _GONE_WEIGHT), (others[:TEN], _GONE_WEIGHT)):
            rows += [
                (rank, rank - first[0][0], float(relevant), weight) for rank, relevant in first
            ]
    return np.array(rows)


def fit(inputs: Table, relevant: Table, weights: Table) -> Table:
    """A logistic regression by Newton's method: intercept, rank, gap."""
    found = np.zeros(inputs.shape[1])
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (weights * (relevant - chance)) - _RIDGE * found
        bend = (inputs * (weights * chance * (1 - chance))[:, None]).T @ inputs
        found += np.linalg.solve(bend + _RIDGE * np.eye(len(found)), slope)
    return found


def inputs_of(pairs: Table) -> Table:
    """What a curve looks at."""
    return np.column_stack([np.ones(len(pairs)), pairs[:, RANK], pairs[:, GAP]])


def fitted(by_set: Iterable[Table]) -> Table:
    """A curve for some sets, each of the same weight."""
    parts = list(by_set)
    every = np.concatenate(parts)
    weights = np.concatenate([_even(pairs) for pairs in parts])
    return fit(inputs_of(every), every[:, RELEVANT], weights)


def error(curve: Table, pairs: Table, weights: Table) -> tuple[float, float]:
    """Expected calibration error over bins of equal weight, and the largest of a bin."""
    chance = 1 / (1 + np.exp(-inputs_of(pairs) @ curve))
    order = np.argsort(chance)
    share = np.cumsum(weights[order]) / weights.sum()
    bins = np.minimum((share * BINS).astype(int), BINS - 1)
    off: list[tuple[float, float]] = []
    for number in range(BINS):
        part = order[bins == number]
        if len(part):
            said = np.average(chance[part], weights=weights[part])
            was = np.average(pairs[part, RELEVANT], weights=weights[part])
            off.append((abs(float(said - was)), float(weights[part].sum() / weights.sum())))
    return sum(one * weight for one, weight in off), max(one for one, _ in off)


def report(mode: str, by_set: Mapping[str, Table]) -> None:
    """The curve, and its error on each set when it was fitted on the others."""
    curve = fitted(by_set.values())
    rows: list[tuple[str, ...]] = []
    outside: list[float] = []
    for name, pairs in by_set.items():
        others = [rest for other, rest in by_set.items() if _family(other) != _family(name)]
        inside = error(curve, pairs, pairs[:, WEIGHT])
        apart = error(fitted(others), pairs, pairs[:, WEIGHT]) if others else inside
        outside.append(apart[0])
        rows.append((name, str(len(pairs)), *(f"{value:.3f}" for value in (*inside, *apart))))
    intercept, rank, gap = curve
    print(f"{mode}: Fit(intercept={intercept:.3f}, rank={rank:.3f}, gap={gap:.3f})")
    print(sets.table(("set", "pairs", "ECE", "most", "ECE, kept out", "most"), rows))
    every = np.concatenate(list(by_set.values()))
    weights = np.concatenate([_even(pairs) for pairs in by_set.values()])
    pooled, most = error(curve, every, weights)
    mean = sum(outside) / len(outside)
    print(f"pooled ECE {pooled:.3f}, most {most:.3f}; mean of sets kept out {mean:.3f}\n")


def _even(pairs: Table) -> Table:
    return pairs[:, WEIGHT] * (1000 / pairs[:, WEIGHT].sum())


def _family(name: str) -> str:
    return name.partition("_")[0]


def main() -> int:
    """Run it."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--eval", type=Path, required=True, help="folder of the sets")
    options.add_argument("--sets", nargs="+", default=DEFAULT)
    options.add_argument("--pairs", type=Path, help="keep the pairs here, or read them from here")
    options.add_argument("--url", help="a running server; its key from the environment")
    given = options.parse_args()
    if refused := KEPT_APART & set(given.sets):
        options.error(f"{', '.join(refused)} may not be fitted on")
    if given.pairs and given.pairs.exists():
        kept = json.loads(given.pairs.read_text())
        collected = {
            mode: {name: np.array(rows) for name, rows in by_set.items()}
            for mode, by_set in kept.items()
        }
    else:
        collected = gather(given)
        if given.pairs:
            plain = {
                mode: {name: pairs.tolist() for name, pairs in by_set.items()}
                for mode, by_set in collected.items()
            }
            given.pairs.write_text(json.dumps(plain))
    for mode, by_set in collected.items():
        report(mode, by_set)
    return 0


def gather(given: argparse.Namespace) -> dict[str, dict[str, Table]]:
    """Pairs of every mode and set."""
    rng = random.Random(0)  # noqa: S311 - a sample to measure
    collected: dict[str, dict[str, Table]] = {"words": {}, "meaning": {}, "both": {}}
    with ExitStack() as stack:
        client = Client(given.url) if given.url else stack.enter_context(server()).client()
        added: set[str] = set()
        for name in given.sets:
            source, _, over = name.partition(">")
            over = over or source
            if over not in added:
                sets.add(client, sets.documents(given.eval / over), namespace=over, until="meaning")
                added.add(over)
            asked = sets.questions(given.eval / source)
            asked = rng.sample(asked, min(MOST_QUESTIONS, len(asked)))
            for mode, by_set in collected.items():
                by_set[name] = collect(client, asked, over=over, mode=mode)
            print(f"{name}: {len(asked)} questions", flush=True)
    return collected


if __name__ == "__main__":
    sys.exit(main())
