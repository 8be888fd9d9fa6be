"""Does `4·words + z` rank as it should with the moments that ship with the card?

    python bench/fusion_check.py --eval ../shared/eval --models FOLDER [--vectors FOLDER]
        [--sets xquad_ru xquad_en "xquad_ru>xquad_en"] [--moments OTHER.npz]

In this process, without a server: the product's analyzer, model and ranking over whole documents.
Each set stands for a workspace of its own, shrunk towards the card's moments; `own` and `card` show
what the set's moments or the card's alone would give, `a>b` asks a's questions over b's documents.
`--vectors` keeps the sets' vectors between runs; `--moments` tries others in the card's place.
"""

import argparse
import asyncio
import hashlib
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import sets
from svod.foundation.providers import BuiltinEmbedder, Purpose, Vectors
from svod.knowledge.indexing.moments import moments_of
from svod.knowledge.indexing.words import query_words, weights, words
from svod.knowledge.retrieval.ranking import BEST_WEIGHT, WORDS_WEIGHT, Moments, standard

TARGETS = {"xquad_ru": 0.97, "xquad_en": 0.98, "xquad_ru>xquad_en": 0.90}
PLACES = 10
_TOGETHER = 64


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents with their words counted."""

    keys: list[str]
    vectors: Vectors
    weights: list[dict[str, float]]
    df: Counter[str]

    def words(self, query: str) -> NDArray[np.float64]:
        """BM25 of every document over the best that the query could reach."""
        idf = {
            term: np.log(1 + (len(self.keys) - self.df[term] + 0.5) / (self.df[term] + 0.5))
            for term in query_words(query).terms
        }
        best = max(BEST_WEIGHT * sum(idf.values()), 1e-6)
        scores = [
            sum(found.get(term, 0) * value for term, value in idf.items()) for found in self.weights
        ]
        return np.array(scores) / best


async def embedded(
    embedder: BuiltinEmbedder, texts: Sequence[str], purpose: Purpose, kept: Path | None
) -> Vectors:
    """Vectors of texts, from the folder when they were made before."""
    name = hashlib.sha256("\0".join([embedder.card.name, purpose, *texts]).encode()).hexdigest()
    file = kept / f"{name[:16]}.npy" if kept else None
    if file and file.exists():
        return np.load(file)
    parts: list[Vectors] = []
    for start in range(0, len(texts), _TOGETHER):
        parts.append(await embedder.embed(texts[start : start + _TOGETHER], purpose=purpose))
        print(f"\r{start}/{len(texts)}", end="", file=sys.stderr, flush=True)
    print("\r", end="", file=sys.stderr)
    vectors = np.concatenate(parts)
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, vectors)
    return vectors


def reciprocal_rank(scores: NDArray[np.float64], relevant: Sequence[int]) -> float:
    """Over the first relevant place among ten; of equal scores the relevant one comes last."""
    best = max(scores[place] for place in relevant)
    rank = int((scores > best).sum() + (scores == best).sum())
    return 1 / rank if rank <= PLACES else 0.0


def _card(embedder: BuiltinEmbedder, other: Path | None) -> Moments:
    if other is None:
        return Moments.of_card(embedder.card)
    with np.load(other) as found:
        width = len(found["mean"])
        covariance = np.zeros((width, width), np.float32)
        covariance[np.triu_indices(width)] = found["upper"].astype(np.float32) * found["scale"]
        covariance += np.triu(covariance, 1).T
        return Moments(found["mean"].astype(np.float32), covariance)


async def _check(given: argparse.Namespace) -> int:
    embedder = BuiltinEmbedder(folder=given.models)
    card = _card(embedder, given.moments)
    prior = replace(embedder.card, prior_mean=card.mean, prior_covariance=card.covariance)
    worse = 0

    @cache
    def texts_of(name: str) -> list[sets.Document]:
        return sets.documents(given.eval / name)

    corpora: dict[str, Corpus] = {}
    rows: list[tuple[str, ...]] = []
    for name in given.sets:
        asked_of, _, over = name.partition(">")
        over = over or asked_of
        if over not in corpora:
            found = texts_of(over)
            texts = [f"{each.title}\n{each.text}" if each.title else each.text for each in found]
            vectors = await embedded(embedder, texts, Purpose.STORE, given.vectors)
            terms = [weights([word.term for word in words(text)]) for text in texts]
            df = Counter(term for one in terms for term in one)
            corpora[over] = Corpus([each.key for each in found], vectors, terms, df)
        corpus = corpora[over]
        questions = [
            each for each in sets.questions(given.eval / asked_of)
            if each.relevant & set(corpus.keys)
        ]  # fmt: skip
        asked = await embedded(embedder, [q.text for q in questions], Purpose.ASK, given.vectors)
        measured = moments_of(corpus.vectors)
        own = Moments(measured.mean, measured.covariance)
        shrunk = own.shrunk(prior, vectors=len(corpus.keys))
        place = {key: at for at, key in enumerate(corpus.keys)}
        sums: Counter[str] = Counter()
        for question, vector in zip(questions, asked, strict=True):
            relevant = [place[key] for key in question.relevant if key in place]
            by_words, cosines = corpus.words(question.text), corpus.vectors @ vector
            ways = {"words": by_words, "meaning": cosines}
            for way, moments in (("shrunk", shrunk), ("own", own), ("card", card)):
                level = standard(vector, moments)
                z = (cosines - level.expected) * level.precision
                ways[way] = WORDS_WEIGHT * by_words + z
            for way, scores in ways.items():
                sums[way] += reciprocal_rank(scores, relevant)
        figures = {way: total / len(questions) for way, total in sums.items()}
        target = TARGETS.get(name)
        worse += target is not None and figures["shrunk"] < target
        rows.append(
            (name, str(len(corpus.keys)), str(len(questions)),
             *(f"{figures[way]:.4f}" for way in ("words", "meaning", "shrunk", "own", "card")),
             f"{target or ''}")
        )  # fmt: skip
    embedder.close()
    head = ("set", "documents", "queries", "words", "meaning", "4·words+z", "own", "card", "wanted")
    print(sets.table(head, rows))
    return int(worse > 0)


def main() -> int:
    """Run it; the exit code is 1 where a target is missed."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--eval", type=Path, required=True, help="folder of the sets")
    options.add_argument("--models", type=Path, required=True, help="folder of the built model")
    options.add_argument("--vectors", type=Path, help="keep vectors of the sets here")
    options.add_argument("--moments", type=Path, help="instead of the card's")
    options.add_argument("--sets", nargs="+", default=list(TARGETS))
    return asyncio.run(_check(options.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
