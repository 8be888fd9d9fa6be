"""Make `moments.npz`: the mean and covariance that ship with the built-in model's card.

Reads text files of public repositories out of local git directories, cuts them into passages of
some 700 characters, embeds as many of every source as `--each` says, and keeps the moments:

    python dev/card_moments.py MODELS OUT.npz --each 150 ru:docs=GIT:PREFIX:.md en:docs=GIT:...

A source is LANGUAGE:KIND=GIT:PREFIX:SUFFIX; `.conllu` gives running text by its `# text =` lines.
Languages weigh the same, and within one its sources do. Nothing of the text is kept.

The committed file was made of 150 passages of each, by language:

- ru: factRuEval-2016 (news); UniversalDependencies GSD (encyclopaedia) and Taiga (letters of
  ordinary people, verse); Pro Git; the JavaScript tutorial; the Rust book; the
  documentation of FastAPI, React and Diplodoc.
- en: UniversalDependencies GUM (encyclopaedia, guides, speeches, fiction, academic) and EWT
  (reviews, mail, answers); the Open Source Guides; Pro Git; the JavaScript tutorial; the Rust
  book; the documentation of FastAPI and Diplodoc.
"""

import argparse
import asyncio
import random
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from svod.foundation.providers.builtin import BuiltinEmbedder
from svod.foundation.providers.embedding import Purpose, Vectors

PASSAGE_CHARACTERS = 700
SHORTEST_CHARACTERS = 150
CYRILLIC_SHARE = 0.3
"""Of the letters: from here on a passage is Russian."""
EVALUATED = ("conditional-rendering", "changelog")
"""Files that some evaluation set may hold; left out."""


@dataclass(frozen=True, slots=True)
class Source:
    """One repository's texts of one language."""

    language: str
    git: str
    prefix: str
    suffix: str

    @classmethod
    def read(cls, argument: str) -> "Source":
        kind, _, place = argument.partition("=")
        git, prefix, suffix = place.split(":")
        return cls(kind.partition(":")[0], git, prefix, suffix)

    def texts(self) -> Iterator[str]:
        listed = self._git("ls-tree", "-r", "--name-only", "HEAD")
        for name in listed.splitlines():
            if not name.startswith(self.prefix) or not name.endswith(self.suffix):
                continue
            if any(word in name for word in EVALUATED):
                continue
            text = self._git("show", f"HEAD:{name}")
            if name.endswith(".conllu"):
                text = " ".join(re.findall(r"^# text = (.*)$", text, re.MULTILINE))
            yield text

    def _git(self, *arguments: str) -> str:
        # A mirror may lack its largest files; the printed counts show what was found.
        return subprocess.run(
            ["git", "--git-dir", self.git, *arguments],
            check=False,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
        ).stdout


def passages(text: str) -> Iterator[str]:
    """Neighbouring paragraphs or sentences, some 700 characters together."""
    gathered = ""
    for part in re.split(r"\n\s*\n|(?<=[.!?])\s+(?=[A-ZА-ЯЁ])", text):
        gathered = f"{gathered}\n{part}" if gathered else part
        if len(gathered) >= PASSAGE_CHARACTERS:
            yield gathered[: 2 * PASSAGE_CHARACTERS]
            gathered = ""
    if len(gathered) >= SHORTEST_CHARACTERS:
        yield gathered


def sample(source: Source, count: int) -> list[str]:
    """A fixed random choice of a source's passages in its language."""
    found = [p for text in source.texts() for p in passages(text) if _speaks(p, source.language)]
    random.Random(0).shuffle(found)  # noqa: S311 - a sample
    return found[:count]


def _speaks(text: str, language: str) -> bool:
    letters = [c for c in text if c.isalpha()]
    cyrillic = sum("а" <= c.lower() <= "я" or c in "ёЁ" for c in letters)
    share = cyrillic / max(1, len(letters))
    return len(letters) > SHORTEST_CHARACTERS // 2 and (share > CYRILLIC_SHARE) == (
        language == "ru"
    )


def moments(groups: dict[str, list[Vectors]]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and covariance with languages weighing the same, and sources within a language."""
    vectors, weights = [], []
    for sources in groups.values():
        for source in sources:
            vectors.append(source.astype(np.float64))
            weights.append(np.full(len(source), 1 / (len(groups) * len(sources) * len(source))))
    x, w = np.concatenate(vectors), np.concatenate(weights)
    mean = w @ x
    return mean, (x - mean).T @ ((x - mean) * w[:, None])


def save(mean: np.ndarray, covariance: np.ndarray, out: Path) -> None:
    """Half precision, upper triangle; scaled first, as 16 bits end at 6e-8."""
    upper = covariance[np.triu_indices(len(mean))]
    scale = np.abs(upper).max()
    np.savez_compressed(
        out,
        mean=mean.astype(np.float16),
        upper=(upper / scale).astype(np.float16),
        scale=np.float32(scale),
    )


async def main() -> None:
    """Embed, and write the moments."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=Path, help="folder of the built model")
    parser.add_argument("out", type=Path)
    parser.add_argument("--each", type=int, default=150, help="passages of a source")
    parser.add_argument("--vectors", type=Path, help="also keep the vectors here, by source")
    parser.add_argument("sources", nargs="+", type=Source.read)
    arguments = parser.parse_args()

    embedder = BuiltinEmbedder(folder=arguments.models)
    groups: dict[str, list[Vectors]] = {}
    for source in arguments.sources:
        texts = sample(source, arguments.each)
        vectors = await embedder.embed(texts, purpose=Purpose.STORE)
        groups.setdefault(source.language, []).append(vectors)
        print(source.language, Path(source.git).parent.name, source.prefix, len(texts), flush=True)
        if arguments.vectors:
            name = f"{source.language}-{Path(source.git).parent.name}.npy"
            np.save(arguments.vectors / name, vectors)
    embedder.close()
    save(*moments(groups), arguments.out)


if __name__ == "__main__":
    asyncio.run(main())
