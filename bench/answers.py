"""Ask a running server real questions, and check every citation of every answer.

    python bench/answers.py --xquad ../shared/eval --answers FOLDER --count 100

For each pair of languages (question, paragraphs) it adds the paragraphs as notes to a namespace of
their own, asks, and checks through the public interface alone: that each citation's item and
version resolve, that `text[start:end]` is what is quoted, and that no sentence holds a number, date
or name that its quotes lack. The check is written apart from the product's own.

`--answers` names a folder with `xquad.ru.json` and `xquad.en.json` of the original collection; with
them it also tells how many answers contain the reference answer in the paragraphs' language.
"""

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from svod.client import Client, NotFound
from svod.client.results import Answer

_MARKED = re.compile(r"(.+?)\s?((?:\[\d+\])+)", re.DOTALL)
_MARK = re.compile(r"\[\d+\]")
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+")
Version = tuple[str, int]
"""An item and its version."""


def check_answer(answer: Answer, texts: Mapping[Version, str]) -> list[str]:
    """What is wrong with an answer: empty when every sentence stands on what it cites.

    Args:
        answer: an answer as the client gives it.
        texts: the canonical text of each version that it cites.
    """
    wrong: list[str] = []
    for citation in answer.citations:
        text = texts.get((citation.item_id, citation.version))
        if text is None:
            wrong.append(f"[{citation.n}] does not resolve")
        elif text[citation.start : citation.end] != citation.text:
            wrong.append(f"[{citation.n}] quotes what does not stand there")
    if not answer.answered:
        return [*wrong, *(["cites without answering"] if answer.citations else [])]
    quotes = {citation.n: citation.text for citation in answer.citations}
    marked = list(_MARKED.finditer(answer.answer))
    if not marked or answer.answer[marked[-1].end() :].strip():
        wrong.append("a sentence has no citation")
    for sentence in marked:
        numbers = [int(number) for number in _DIGITS.findall(sentence[2])]
        if unknown := [number for number in numbers if number not in quotes]:
            wrong.append(f"{unknown} is no citation")
        quoted = "\n".join(quotes.get(number, "") for number in numbers)
        wrong.extend(f"{lack!r} is not in its quote" for lack in _lacking(sentence[1], quoted))
    return wrong


def _lacking(sentence: str, quoted: str) -> list[str]:
    """Digits and capitalised or mixed words of a sentence that are nowhere in its quotes."""
    digits = set(_DIGITS.findall(quoted))
    held = {word.casefold() for word in _WORD.findall(quoted)}
    names = [word for word in _WORD.findall(sentence) if word != word.lower()]
    return [
        *(number for number in _DIGITS.findall(sentence) if number not in digits),
        *(name for name in names if name.casefold() not in held),
    ]


@dataclass
class Figures:
    """What was measured over the questions of one pair of languages."""

    asked: int = 0
    answered: int = 0
    citations: int = 0
    characters: int = 0
    removed: int = 0
    with_reference: int = 0
    contained: int = 0
    took_ms: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)

    def report(self, name: str) -> str:
        """One line for a reader."""
        took = sorted(self.took_ms)
        contained = f"{self.contained / self.with_reference:.3f}" if self.with_reference else "-"
        return (
            f"{name}: asked {self.asked}, answered {self.answered / self.asked:.3f}, "
            f"reference contained {contained}, citations {self.citations}, "
            f"wrong {len(self.wrong)}, removed {self.removed}, "
            f"characters {self.characters / max(self.answered, 1):.0f}, "
            f"notes {dict(self.notes)}, "
            f"ms median {took[len(took) // 2]:.0f} p95 {took[int(len(took) * 0.95)]:.0f}"
        )


def measure(
    client: Client,
    questions: Sequence[Mapping[str, Any]],
    references: Mapping[str, list[str]],
    *,
    namespace: str,
) -> Figures:
    """Ask every question of one namespace and check what comes."""
    figures = Figures()
    texts: dict[Version, str] = {}
    for question in questions:
        began = time.perf_counter()
        answer = client.ask(question["text"], namespaces=[namespace])
        figures.took_ms.append((time.perf_counter() - began) * 1000)
        for citation in answer.citations:
            version = (citation.item_id, citation.version)
            if version not in texts:
                try:
                    texts[version] = client.text(*version).text
                except NotFound:
                    continue
        figures.asked += 1
        figures.answered += answer.answered
        figures.citations += len(answer.citations)
        figures.notes.update(answer.meta.notes)
        figures.removed += answer.meta.removed_sentences
        figures.characters += len(answer.answer) if answer.answered else 0
        figures.wrong += [f"{question['_id']}: {wrong}" for wrong in check_answer(answer, texts)]
        if reference := references.get(question["_id"]):
            figures.with_reference += 1
            said = _folded(_MARK.sub(" ", answer.answer)) if answer.answered else ""
            figures.contained += any(_folded(one) in said for one in reference)
    return figures


def _folded(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold().replace("ё", "е")))


def add(client: Client, paragraphs: Sequence[Mapping[str, Any]], *, namespace: str) -> None:
    """Add paragraphs as notes and wait until they are found by meaning too."""
    items = [
        client.add_note(
            paragraph["text"],
            title=paragraph.get("title"),
            namespace=namespace,
            external_id=f"{namespace}/{paragraph['_id']}",
        ).item
        for paragraph in paragraphs
    ]
    for item in items:
        client.wait(item.item_id, "meaning", timeout_s=600)


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _references(path: Path) -> dict[str, list[str]]:
    whole = json.loads(path.read_text(encoding="utf-8"))
    return {
        question["id"]: [answer["text"] for answer in question["answers"]]
        for article in whole["data"]
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    }


def main() -> int:
    """Run it; the exit code is 1 when any answer was wrong."""
    options = argparse.ArgumentParser(description="Ask real questions; check every citation.")
    options.add_argument("--xquad", type=Path, required=True, help="folder of xquad_ru, xquad_en")
    options.add_argument("--answers", type=Path, help="folder of xquad.ru.json and xquad.en.json")
    options.add_argument("--count", type=int, default=100, help="questions a pair of languages")
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    client = Client(timeout_s=120)
    languages = ("ru", "en")
    for language in languages:
        paragraphs = _lines(given.xquad / f"xquad_{language}" / "corpus.jsonl")
        add(client, paragraphs, namespace=f"answers-{language}")
    failed = False
    for asked, held in [("ru", "ru"), ("en", "en"), ("ru", "en"), ("en", "ru")]:
        questions = _lines(given.xquad / f"xquad_{asked}" / "queries.jsonl")
        questions = random.Random(given.seed).sample(questions, min(given.count, len(questions)))  # noqa: S311 - a sample to measure
        references = _references(given.answers / f"xquad.{held}.json") if given.answers else {}
        figures = measure(client, questions, references, namespace=f"answers-{held}")
        print(figures.report(f"{asked} questions over {held} paragraphs"), flush=True)
        for wrong in figures.wrong:
            print("  wrong:", wrong)
        failed = failed or bool(figures.wrong)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
