"""Evaluation sets: read, added to a server as notes, and searched."""

import json
import math
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from svod.client import Client
from svod.client.found import Hit
from svod.client.results import Item

_TOGETHER = 4
_LONGEST_WAIT_S = 3600
MOST_HITS = 50


@dataclass(frozen=True, slots=True)
class Document:
    """A text to add; `key` is its id in the set."""

    key: str
    text: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A query, and the keys of the documents that answer it."""

    key: str
    text: str
    relevant: frozenset[str]


def documents(folder: Path) -> list[Document]:
    """The corpus of a set."""
    return [
        Document(row["_id"], row["text"], row.get("title") or None)
        for row in _rows(folder / "corpus.jsonl")
    ]


def questions(folder: Path) -> list[Question]:
    """The questions of a set that have an answer in it."""
    return [
        Question(row["_id"], row["text"], frozenset(row["relevant"]))
        for row in _rows(folder / "queries.jsonl")
        if row["relevant"]
    ]


def add(
    client: Client, corpus: Iterable[Document], *, namespace: str, until: str
) -> dict[str, Item]:
    """Add documents as notes, and wait for all; key -> item as it was added.

    Args:
        client: of the server.
        corpus: what to add.
        namespace: where to.
        until: `words` or `meaning`.
    """

    def put(document: Document) -> tuple[str, Item]:
        added = client.add_note(
            document.text,
            title=document.title,
            namespace=namespace,
            external_id=f"{namespace}/{document.key}",
        )
        return document.key, added.item

    with ThreadPoolExecutor(_TOGETHER) as threads:
        items = dict(threads.map(put, corpus))
    wait(client, namespace, until=until)
    return items


def wait(client: Client, namespace: str, *, until: str) -> None:
    """Until every item of a namespace is found by words, or by meaning too."""
    deadline = time.monotonic() + _LONGEST_WAIT_S
    while time.monotonic() < deadline:
        items = list(client.every_item(namespace=namespace))
        if failed := [item for item in items if item.status == "failed"]:
            raise RuntimeError(f"{len(failed)} items failed: {failed[0].failure}")
        if all(_is_found(item, until=until) for item in items):
            return
        time.sleep(1)
    raise TimeoutError(f"{namespace} did not become ready")


def _is_found(item: Item, *, until: str) -> bool:
    serves = item.done and item.serving_version == item.version
    return serves and (until == "words" or item.meaning_ready >= 1)


def key_of(hit: Hit) -> str:
    """The key of the document that a hit belongs to."""
    return (hit.external_id or "").partition("/")[2]


def in_order(hits: Iterable[Hit]) -> list[str]:
    """The keys of the documents found, each at its first chunk's place."""
    return list(dict.fromkeys(key_of(hit) for hit in hits))


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over questions, 0..1, as `score.py` of the sets computes them."""

    questions: int
    mrr: float
    ndcg: float
    hit_1: float
    hit_10: float
    recall_10: float


def figures(runs: Sequence[tuple[Question, Sequence[str]]]) -> Figures:
    """How well the documents found, best first, answer their questions."""
    count = len(runs)
    return Figures(
        questions=count,
        mrr=sum(_reciprocal_rank(question, found[:10]) for question, found in runs) / count,
        ndcg=sum(_ndcg(question, found[:10]) for question, found in runs) / count,
        hit_1=sum(bool(question.relevant & set(found[:1])) for question, found in runs) / count,
        hit_10=sum(bool(question.relevant & set(found[:10])) for question, found in runs) / count,
        recall_10=sum(
            len(question.relevant & set(found[:10])) / len(question.relevant)
            for question, found in runs
        )
        / count,
    )


def _reciprocal_rank(question: Question, found: Sequence[str]) -> float:
    ranks = (rank for rank, key in enumerate(found, 1) if key in question.relevant)
    return 1 / next(ranks, math.inf)


def _ndcg(question: Question, found: Sequence[str]) -> float:
    gained = sum(
        1 / math.log2(rank + 1) for rank, key in enumerate(found, 1) if key in question.relevant
    )
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(question.relevant), 10) + 1))
    return gained / best


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows as text in columns."""
    lines = [list(headings), *(list(row) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(headings))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
