"""Does word search over keyed hashes equal BM25 in the clear?

    python bench/words.py --eval ../shared/eval [--json out.json]

Adds real texts of both languages as notes, changes a tenth of them and deletes another tenth, asks
200 questions (without quotation marks, which ask for phrases), and compares the first ten with BM25 computed here from the texts that the server
serves now, with the same analyzer. Texts are cut to one chunk each, so that both rank the same
things. Of equal scores any may come first.
"""

import argparse
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import sets
from server import server
from svod.client import Client
from svod.client.results import Text
from svod.knowledge.chunking import Chunk
from svod.knowledge.indexing.words import AVERAGE_LENGTH, K1, B, query_words, words

DOCUMENTS = 600
QUERIES = 100
SHARE = 0.1
CHARACTERS = 700
TARGET = 0.99
_UNQUOTED = str.maketrans(dict.fromkeys('"«»“”„', " "))
CORPORA = {"ru": ("xquad_ru", "contradiction_ru"), "en": ("xquad_en", "multihop")}
ASKED = {"ru": "xquad_ru", "en": "xquad_en"}


@dataclass(frozen=True, slots=True)
class Compared:
    """What was compared in one language."""

    language: str
    items: int
    changed: int
    deleted: int
    queries: int
    overlap: float
    same_first: float


def texts_of(folder: Path, language: str) -> list[sets.Document]:
    """Texts of a language, each cut at a space to what one chunk holds."""
    found: list[str] = []
    for name in CORPORA[language]:
        if (folder / name / "corpus.jsonl").exists():
            found += [document.text for document in sets.documents(folder / name)]
        else:
            with (folder / name / "pairs.jsonl").open(encoding="utf-8") as lines:
                found += [row[side] for row in map(json.loads, lines) for side in "ab"]
    apart = dict.fromkeys(_cut(" ".join(text.split())) for text in found)
    return [sets.Document(str(at), text) for at, text in enumerate(apart)]


def _cut(text: str) -> str:
    return text if len(text) <= CHARACTERS else text[:CHARACTERS].rpartition(" ")[0]


class Clear:
    """BM25 over terms in the clear, with the analyzer's constant average length."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._terms = [Counter(word.term for word in words(text)) for text in texts]
        self._df = Counter(term for terms in self._terms for term in terms)

    def scores(self, query: str) -> list[float]:
        """The score of each text."""
        scores = [0.0] * len(self._terms)
        for term in query_words(query).terms:
            df = self._df[term]
            idf = math.log(1 + (len(scores) - df + 0.5) / (df + 0.5))
            for at, terms in enumerate(self._terms):
                if tf := terms[term]:
                    norm = K1 * (1 - B + B * terms.total() / AVERAGE_LENGTH)
                    scores[at] += idf * tf * (K1 + 1) / (tf + norm)
        return scores


def _indexed(item: Text) -> str:
    """What of an item of one chunk is indexed: its text, and its title unless the text opens with it."""
    return Chunk(0, len(item.text), item.text).with_context(item.title)


def compare(client: Client, folder: Path, language: str, rng: random.Random) -> Compared:
    """Add, change, delete, ask, compare."""
    namespace = f"words-{language}"
    corpus = texts_of(folder, language)
    corpus, spare = corpus[:DOCUMENTS], corpus[DOCUMENTS:]
    items = sets.add(client, corpus, namespace=namespace, until="words")
    keys = list(items)
    rng.shuffle(keys)
    count = int(len(keys) * SHARE)
    for at, key in enumerate(keys[:count]):
        # Where no other text is left, the end comes first.
        old = corpus[int(key)].text
        text = (
            spare[at].text if at < len(spare) else old[len(old) // 2 :] + " " + old[: len(old) // 2]
        )
        client.change(items[key].item_id, text=text)
    for key in keys[count : 2 * count]:
        client.delete(items[key].item_id)
    sets.wait(client, namespace, until="words")
    served = {
        item.item_id: client.text(item.item_id) for item in client.every_item(namespace=namespace)
    }
    ids = list(served)
    clear = Clear([_indexed(served[item_id]) for item_id in ids])
    asked = rng.sample(sets.questions(folder / ASKED[language]), QUERIES)
    overlaps: list[float] = []
    same_first = 0
    for question in asked:
        query = question.text.translate(_UNQUOTED)
        scores = dict(zip(ids, clear.scores(query), strict=True))
        best = sorted(scores.values(), reverse=True)[:10]
        places = sum(score > 0 for score in best)
        found = client.search(query, mode="words", limit=10, namespaces=[namespace]).hits
        if any(hit.text.strip() != served[hit.item_id].text.strip() for hit in found):
            raise RuntimeError("a text was split into several chunks: cut it shorter")
        # Weights are stored in four bytes: scores agree to six digits.
        right = sum(scores[hit.item_id] >= best[-1] - 1e-4 for hit in found)
        overlaps.append(right / places if places else float(not found))
        same_first += not places or scores[found[0].item_id] >= best[0] - 1e-4
    return Compared(
        language=language,
        items=len(corpus),
        changed=count,
        deleted=count,
        queries=len(asked),
        overlap=sum(overlaps) / len(overlaps),
        same_first=same_first / len(asked),
    )


def main() -> int:
    """Run it; the exit code is 1 where they differ."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--eval", type=Path, required=True, help="folder of the sets")
    options.add_argument("--url", help="a running server; its key from the environment")
    options.add_argument("--json", type=Path)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    rng = random.Random(given.seed)  # noqa: S311 - a sample to measure
    with ExitStack() as stack:
        if given.url:
            client = Client(given.url)
        else:
            client = stack.enter_context(server(SVOD_EMBEDDINGS="none")).client()
        compared = [compare(client, given.eval, language, rng) for language in CORPORA]
    rows = [
        (
            one.language,
            str(one.items),
            str(one.changed),
            str(one.deleted),
            str(one.queries),
            f"{one.overlap:.4f}",
            f"{one.same_first:.4f}",
        )
        for one in compared
    ]
    print(
        sets.table(
            ("language", "items", "changed", "deleted", "queries", "overlap@10", "same first"), rows
        )
    )
    if given.json:
        given.json.write_text(json.dumps([asdict(one) for one in compared], indent=1))
    overlap = sum(one.overlap for one in compared) / len(compared)
    print(f"both languages: {overlap:.4f}, wanted {TARGET}")
    return int(overlap < TARGET)


if __name__ == "__main__":
    sys.exit(main())
