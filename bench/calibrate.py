"""Fits the default curves from raw strengths to scores, and tells how far off they are.

    python bench/calibrate.py --eval ../shared/eval [--pairs pairs.json] [--sets xquad_ru …]

Adds each set to a namespace of its own, asks its questions in each mode, and takes the first ten
hits with whether their document was judged relevant. Every set weighs the same. The error is that
of a set when the curve was fitted on the others: expected calibration error over ten bins of equal
size. `unanswerable_en` and `docsqa` are never used here: they stay checks.
"""

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
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
_ROUNDS = 50
_RIDGE = 1e-4

Pairs = NDArray[np.float64]
"""Rows of words, z, 1 where relevant; z is 0 where only words ranked."""


def collect(client: Client, asked: Sequence[sets.Question], *, over: str, mode: str) -> Pairs:
    """The first ten hits of each question."""
    rows: list[tuple[float, float, float]] = []
    for question in asked:
        for hit in client.search(question.text, mode=mode, limit=10, namespaces=[over]).hits:
            z = 0.0 if hit.cosine is None else hit.rank_score - 4 * hit.words
            rows.append((hit.words, z, float(sets.key_of(hit) in question.relevant)))
    return np.array(rows)


def fit(features: Pairs, relevant: Pairs, weights: Pairs) -> Pairs:
    """A logistic regression by Newton's method: intercept first."""
    inputs = np.column_stack([np.ones(len(features)), features])
    found = np.zeros(inputs.shape[1])
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (weights * (relevant - chance)) - _RIDGE * found
        bend = (inputs * (weights * chance * (1 - chance))[:, None]).T @ inputs
        found += np.linalg.solve(bend + _RIDGE * np.eye(len(found)), slope)
    return found


def error(chance: Pairs, relevant: Pairs) -> tuple[float, float]:
    """Expected calibration error over bins of equal size, and the largest of a bin."""
    bins = np.array_split(np.argsort(chance), BINS)
    off = [abs(float(chance[part].mean() - relevant[part].mean())) for part in bins]
    return sum(off) / len(off), max(off)


def features_of(pairs: Pairs, form: str) -> Pairs:
    """What a form of the curve looks at."""
    match form:
        case "words":
            return pairs[:, :1]
        case "z":
            return pairs[:, 1:2]
        case "rank":
            return 4 * pairs[:, :1] + pairs[:, 1:2]
        case _:
            return pairs[:, :2]


def fitted(by_set: Mapping[str, Pairs], form: str) -> Pairs:
    """A curve for some sets, each of the same weight."""
    every = np.concatenate(list(by_set.values()))
    weights = np.concatenate([np.full(len(pairs), 1000 / len(pairs)) for pairs in by_set.values()])
    return fit(features_of(every, form), every[:, 2], weights)


def chances(curve: Pairs, pairs: Pairs, form: str) -> Pairs:
    """The scores that a curve gives."""
    inputs = np.column_stack([np.ones(len(pairs)), features_of(pairs, form)])
    return 1 / (1 + np.exp(-inputs @ curve))


def report(by_set: Mapping[str, Pairs], form: str) -> None:
    """The curve, and its error on each set when it was fitted on the others."""
    curve = fitted(by_set, form)
    rows: list[tuple[str, ...]] = []
    kept_out: list[tuple[float, float]] = []
    for name, pairs in by_set.items():
        others = {other: rest for other, rest in by_set.items() if other != name}
        inside = error(chances(curve, pairs, form), pairs[:, 2])
        outside = error(chances(fitted(others, form), pairs, form), pairs[:, 2])
        kept_out.append(outside)
        rows.append(
            (
                name,
                str(len(pairs)),
                f"{pairs[:, 2].mean():.3f}",
                *(f"{value:.3f}" for value in (*inside, *outside)),
            )
        )
    print(f"form {form}: {np.round(curve, 3).tolist()}")
    print(sets.table(("set", "pairs", "relevant", "ECE", "most", "ECE, kept out", "most"), rows))
    every = np.concatenate(list(by_set.values()))
    pooled = error(chances(curve, every, form), every[:, 2])
    mean = sum(ece for ece, _ in kept_out) / len(kept_out)
    print(f"pooled ECE {pooled[0]:.3f}, most {pooled[1]:.3f}; mean of sets kept out {mean:.3f}\n")


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
    for mode, forms in (("both", ("both", "rank")), ("meaning", ("z",)), ("words", ("words",))):
        for form in forms:
            print(f"== {mode}")
            report(collected[mode], form)
    return 0


def gather(given: argparse.Namespace) -> dict[str, dict[str, Pairs]]:
    """Pairs of every mode and set."""
    rng = random.Random(0)  # noqa: S311 - a sample to measure
    collected: dict[str, dict[str, Pairs]] = {"words": {}, "meaning": {}, "both": {}}
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
