"""What the second hop finds, and what a wider pass does to the gate.

    python bench/second_hop.py --eval ../shared/eval [--sets multihop xquad_en unanswerable_en]

Each set is added to a server of this checkout, which is then opened in this process. For questions
that have an answer it tells recall and whether all documents are among the first ten, without and
with the hop after every question; then how many questions the gate lets through: at first, after a
wider pass without the hop, and with it. Questions that have no answer in a set should be refused.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import sets
from server import server
from svod.assembly import Svod, assembled
from svod.conversation.answering.comparing import Comparing
from svod.conversation.answering.looking import EVIDENCE_HITS, Looking
from svod.conversation.answering.second_hop import hop_queries, joined
from svod.foundation.settings import Settings
from svod.foundation.storage import embedded
from svod.knowledge.retrieval import Hit, RetrievalPlan

DEFAULT = ("multihop", "xquad_en", "xquad_ru", "unanswerable_en")
TEN = 10


@dataclass
class Counts:
    """What was counted over the questions of one set."""

    questions: int = 0
    recall: list[float] = field(default_factory=lambda: [0.0, 0.0])
    whole: list[int] = field(default_factory=lambda: [0, 0])
    passed: list[int] = field(default_factory=lambda: [0, 0, 0])


async def measure(svod: Svod, asked: Sequence[sets.Question], over: str) -> Counts:
    """Ask every question in the three ways."""
    caller = await svod.workspaces.owner()
    comparing = Comparing(svod.embedder)
    plain, hopping = (Looking(svod.retrieval, comparing, second_hop=hop) for hop in (False, True))
    counts = Counts()
    for question in asked:
        plan = RetrievalPlan(question.text, namespaces=(over,))
        found = await svod.retrieval.search(caller, plan)
        first = replace(found, hits=found.hits[:EVIDENCE_HITS])
        fitting = await comparing.fitting(question.text, plan, first)
        hops = [
            (await svod.retrieval.search(caller, replace(plan, query=query))).hits
            for query in hop_queries(question.text, fitting)
        ]
        counts.questions += 1
        if question.relevant:
            for at, hits in enumerate((found.hits, joined(found.hits, hops))):
                there = set(keys(hits)[:TEN]) & question.relevant
                counts.recall[at] += len(there) / len(question.relevant)
                counts.whole[at] += there == question.relevant
        _, verdict = await plain.weigh(caller, plan)
        wider = (await plain.look(caller, plan)).verdict.enough
        hopped = (await hopping.look(caller, plan)).verdict.enough
        for at, enough in enumerate((verdict.enough, wider, hopped)):
            counts.passed[at] += enough
    return counts


def keys(hits: Sequence[Hit]) -> list[str]:
    """The documents found, each at its first chunk's place."""
    return list(dict.fromkeys((hit.external_id or "").partition("/")[2] for hit in hits))


def told(name: str, counts: Counts) -> tuple[str, ...]:
    """A row of the table."""
    share = [f"{value / counts.questions:.3f}" for value in (*counts.recall, *counts.whole)]
    passed = [f"{value / counts.questions:.3f}" for value in counts.passed]
    return name, str(counts.questions), *share, *passed


async def run(data: Path, folder: Path, names: Sequence[str]) -> None:
    """Measure every set on a data folder that holds them."""
    rows: list[tuple[str, ...]] = []
    async with embedded(data) as running, assembled(Settings(data=data), running.dsn) as svod:
        if svod.embedder is not None:
            await svod.embedder.warm()
        for name in names:
            every = questions(folder / name)
            for kind, asked in (
                ("", [one for one in every if one.relevant]),
                (" without an answer", [one for one in every if not one.relevant]),
            ):
                if asked:
                    rows.append(told(name + kind, await measure(svod, asked, name)))
                    print(rows[-1], flush=True)
    headings = (
        "set", "questions", "R@10", "R@10 hop", "all@10", "all@10 hop",
        "passed", "passed wider", "passed hop",
    )  # fmt: skip
    print(sets.table(headings, rows))


def questions(folder: Path) -> list[sets.Question]:
    """Every question of a set, those without an answer too."""
    lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    return [sets.Question(row["_id"], row["text"], frozenset(row["relevant"])) for row in rows]


def main() -> int:
    """Run it."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--eval", type=Path, required=True, help="folder of the sets")
    options.add_argument("--sets", nargs="+", default=DEFAULT)
    given = options.parse_args()
    with server() as running:
        for name in given.sets:
            corpus = sets.documents(given.eval / name)
            sets.add(running.client(), corpus, namespace=name, until="meaning")
        running.stop()
        asyncio.run(run(running.data, given.eval, given.sets))
    return 0


if __name__ == "__main__":
    sys.exit(main())
