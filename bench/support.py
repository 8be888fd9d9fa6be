"""How well the check of a model's sentences tells what a source says from what it does not.

    python bench/support.py --eval ../shared/eval [--count 200]

Pairs of the contradiction sets play a model: `a` is the source, `b` what is said of it. Paragraphs
of xquad play one that answers in another language: each sentence of the one language is said of the
paragraph in the other, and of the next paragraph. What is true should be kept, the rest removed. The
built-in model compares; what counts is `Grounds.support`, the whole check with its narrowed places.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import sets
from svod.conversation.answering.budget import Shown
from svod.conversation.answering.comparing import Comparing
from svod.conversation.answering.grounds import Grounds
from svod.foundation.ids import ItemId, WorkspaceId
from svod.foundation.providers import BuiltinEmbedder
from svod.knowledge.chunking.sentences import sentences
from svod.knowledge.retrieval.passages import Passage

LONGEST = 1_500


@dataclass(frozen=True, slots=True)
class Case:
    """A sort of pair, the source, and what is said of it."""

    sort: str
    source: str
    said: str


def of_pairs(folder: Path) -> Iterable[Case]:
    """The pairs of a contradiction set; questions paraphrase and state nothing."""
    for line in (folder / "pairs.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["type"] != "machine_paraphrase_question" and len(row["a"]) < LONGEST:
            yield Case(f"{folder.name} {row['label']} {row['type']}", row["a"], row["b"])


def across(folder: Path, said: str, over: str) -> Iterable[Case]:
    """The sentences of one language said of the paragraphs of the other."""
    speaking = sets.documents(folder / said)
    sources = {document.key: document.text for document in sets.documents(folder / over)}
    order = list(sources)
    for document in speaking:
        other = order[(order.index(document.key) + 1) % len(order)]
        for start, end in sentences(document.text):
            sentence = document.text[start:end]
            yield Case(f"{said} of {over}: same", sources[document.key], sentence)
            yield Case(f"{said} of {over}: next", sources[other], sentence)


async def is_kept(case: Case, comparing: Comparing) -> bool:
    """Whether everything that is said stands; as a model's reply, sentence by sentence."""
    piece = Passage(
        workspace_id=WorkspaceId(1),
        item_id=ItemId(1),
        version=1,
        title="",
        external_id=None,
        kind="note",
        level="workspace",
        namespace="",
        updated_at="",
        start=0,
        end=len(case.source),
        text=case.source,
    )
    grounds = Grounds([Shown(1, piece, piece.text)], comparing)
    for start, end in sentences(case.said):
        if await grounds.support(case.said[start:end], [1]) is None:
            return False
    return True


async def run(cases: Iterable[Case]) -> str:
    """The share of each sort that is kept, as a table."""
    kept: dict[str, list[bool]] = defaultdict(list)
    with tempfile.TemporaryDirectory(prefix="svod-bench-") as folder:
        embedder = BuiltinEmbedder(folder=Path(folder))
        comparing = Comparing(embedder)
        for case in cases:
            kept[case.sort].append(await is_kept(case, comparing))
        embedder.close()
    rows = [
        (sort, str(len(found)), f"{sum(found) / len(found):.3f}") for sort, found in kept.items()
    ]
    return sets.table(("sort", "pairs", "kept"), rows)


def main() -> int:
    """Run it."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--eval", type=Path, required=True, help="folder of the sets")
    options.add_argument("--count", type=int, default=10**9, help="pairs of a sort at most")
    given = options.parse_args()
    cases = [
        *of_pairs(given.eval / "contradiction_ru"),
        *of_pairs(given.eval / "contradiction_en"),
        *across(given.eval, "xquad_ru", "xquad_en"),
        *across(given.eval, "xquad_en", "xquad_ru"),
    ]
    taken: dict[str, int] = defaultdict(int)
    chosen: list[Case] = []
    for case in cases:
        taken[case.sort] += 1
        if taken[case.sort] <= given.count:
            chosen.append(case)
    print(asyncio.run(run(chosen)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
