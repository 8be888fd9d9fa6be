"""How well the gate tells questions that the texts answer from those that they do not.

    python bench/gate.py --eval ../shared/eval [--pairs ru>ru en>en] [--judged] [--json out.json]

Paragraphs of xquad are shuffled once; each quarter in turn is never added, so that neither words nor
vectors nor their moments know of it, and every question is asked of the rest. Where the missing
quarter held the answer the question is unanswerable: 632 of 2,528 in each pair of languages.
`unanswerable_en` is asked as it is. The rooms are the product's, on an embedded database of their
own: notes are added, indexed by its worker, searched, compared and judged.

Told are, of the strength of the first search: the area under the ROC curve; how many unanswerable
questions are refused at 5 % false refusals; what the default threshold does; and what a threshold
fitted to 50 answerable questions does to the rest, as the mean of 20 draws (`threshold_of` is what
the product's job fits with). `asked` tells of a sample what the whole way of a question does, which
looks a second time where the first search is not enough. With `--judged` 50 answerable questions of
each part are kept as judged questions, the job fits them, and the sample is asked again.
"""

import argparse
import asyncio
import json
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import sets
from rooms import add, rooms
from svod.assembly import Svod
from svod.conversation.answering import THRESHOLD, Question
from svod.conversation.judging import JudgementDraft
from svod.conversation.judging.fitting import threshold_of
from svod.foundation.ids import ItemId
from svod.knowledge.items.item import Target
from svod.knowledge.retrieval import RetrievalPlan
from svod.knowledge.workspaces import Caller

PAIRS = ("ru>ru", "en>en", "ru>en", "en>ru")
QUARTERS = 4
DRAWS = 20
JUDGED = 50
FALSE_REFUSALS = 0.05
TARGETS = {"ru>ru": 0.96, "en>en": 0.96}
SAMPLE = 60
"""Questions of each kind, in each part, whose whole way is measured, by default."""
NAMESPACE = "kept"
_LONGEST_FIT_S = 600


@dataclass(frozen=True, slots=True)
class Weighed:
    """A question that was weighed: whether there is an answer, and how strong its evidence is."""

    question: sets.Question
    answerable: bool
    strength: float
    ms: float


@dataclass(frozen=True, slots=True)
class Ways:
    """What became of a sample of questions: shares refused, and milliseconds."""

    false: float
    refused: float
    ms_answered: float
    ms_refused: float


@dataclass(frozen=True, slots=True)
class Part:
    """Some documents in rooms of their own, with the keys that were never added."""

    svod: Svod
    caller: Caller
    items: dict[str, ItemId]
    gone: frozenset[str]

    async def weigh(self, questions: Sequence[sets.Question]) -> list[Weighed]:
        """The strength of each question's evidence."""
        found: list[Weighed] = []
        for question in questions:
            began = time.perf_counter()
            plan = RetrievalPlan(question.text, namespaces=(NAMESPACE,))
            _, verdict = await self.svod.answering.weigh(self.caller, plan)
            ms = (time.perf_counter() - began) * 1000
            found.append(Weighed(question, self.answers(question), verdict.strength, ms))
        return found

    def answers(self, question: sets.Question) -> bool:
        """Whether anything here answers."""
        return bool(question.relevant & set(self.items))

    async def ask(self, questions: Sequence[sets.Question]) -> Ways:
        """The whole way of some questions."""
        answered: list[tuple[bool, bool, float]] = []
        for question in questions:
            began = time.perf_counter()
            plan = RetrievalPlan(question.text, namespaces=(NAMESPACE,))
            answer = await self.svod.answering.ask(self.caller, Question(plan))
            ms = (time.perf_counter() - began) * 1000
            answered.append((self.answers(question), answer.answered, ms))
        return Ways(
            false=_mean([not said for answers, said, _ in answered if answers]),
            refused=_mean([not said for answers, said, _ in answered if not answers]),
            ms_answered=_median([ms for _, said, ms in answered if said]),
            ms_refused=_median([ms for _, said, ms in answered if not said]),
        )

    async def judge(self, questions: Sequence[sets.Question]) -> float:
        """The threshold that the product fits when these are judged questions."""
        drafts = [
            JudgementDraft(question.text, self.items[min(question.relevant & set(self.items))])
            for question in questions
        ]
        await self.svod.judging.judge(self.caller, drafts, target=Target(namespace=NAMESPACE))
        deadline = time.monotonic() + _LONGEST_FIT_S
        while time.monotonic() < deadline:
            for fit in await self.svod.judging.fitted(self.caller):
                if fit.answerable >= len(questions) * 0.8 and fit.threshold is not None:
                    return fit.threshold
            await asyncio.sleep(1)
        raise TimeoutError("the judged questions were not fitted")


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def _median(values: Sequence[float]) -> float:
    return statistics.median(values) if values else 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of a pair of languages or a set; shares are 0..1."""

    name: str
    answerable: int
    unanswerable: int
    auc: float
    refused_at_5: float
    default_refused: float
    default_false: float
    drawn_refused: float
    drawn_false: float
    drawn_false_most: float
    ms_median: float
    ms_p95: float


def quarters(corpus: Sequence[sets.Document]) -> Iterator[frozenset[str]]:
    """The keys left out, a quarter at a time."""
    keys = [document.key for document in corpus]
    random.Random(0).shuffle(keys)  # noqa: S311 - a split to measure
    for offset in range(QUARTERS):
        yield frozenset(keys[offset::QUARTERS])


def measure(name: str, asked: Sequence[Weighed]) -> Measured:
    """The figures of what was asked."""
    rng = random.Random(0)  # noqa: S311 - draws to measure
    good = [one.strength for one in asked if one.answerable]
    bad = [one.strength for one in asked if not one.answerable]
    draws: list[tuple[float, float]] = []
    for _ in range(DRAWS):
        order = rng.sample(range(len(good)), len(good))
        drawn, rest = order[: min(JUDGED, len(good) // 2)], order[min(JUDGED, len(good) // 2) :]
        found = threshold_of([good[at] for at in drawn], default=THRESHOLD)
        threshold = THRESHOLD if found is None else found
        draws.append((below([good[at] for at in rest], threshold), below(bad, threshold)))
    at_5 = sorted(good)[int(FALSE_REFUSALS * len(good))]
    took = [one.ms for one in asked]
    return Measured(
        name=name,
        answerable=len(good),
        unanswerable=len(bad),
        auc=area(good, bad),
        refused_at_5=below(bad, at_5),
        default_refused=below(bad, THRESHOLD),
        default_false=below(good, THRESHOLD),
        drawn_refused=statistics.mean(refused for _, refused in draws),
        drawn_false=statistics.mean(false for false, _ in draws),
        drawn_false_most=max(false for false, _ in draws),
        ms_median=statistics.median(took),
        ms_p95=statistics.quantiles(took, n=20)[-1],
    )


def below(strengths: Sequence[float], threshold: float) -> float:
    """The share that is refused."""
    return sum(one < threshold for one in strengths) / len(strengths)


def area(good: Sequence[float], bad: Sequence[float]) -> float:
    """The chance that an answerable question has more strength than one that is not."""
    won = 0.0
    ordered = sorted([(one, 1) for one in good] + [(one, 0) for one in bad])
    at = seen_bad = 0
    while at < len(ordered):
        end = at
        while end < len(ordered) and ordered[end][0] == ordered[at][0]:
            end += 1
        tied_good = sum(kind for _, kind in ordered[at:end])
        tied_bad = end - at - tied_good
        won += tied_good * (seen_bad + tied_bad / 2)
        seen_bad += tied_bad
        at = end
    return won / (len(good) * len(bad))


async def sampled(
    part: Part, weighed: Sequence[Weighed], *, sample: int, judged: bool
) -> list[Ways]:
    """The whole way of a sample, by the default threshold and by one from judged questions."""
    rng = random.Random(0)  # noqa: S311 - a sample to measure
    good = [one.question for one in weighed if one.answerable]
    bad = [one.question for one in weighed if not one.answerable]
    rng.shuffle(good)
    asked = [*good[JUDGED : JUDGED + sample], *rng.sample(bad, min(sample, len(bad)))]
    ways = [await part.ask(asked)]
    if judged:
        threshold = await part.judge(good[:JUDGED])
        ways.append(await part.ask(asked))
        print(f"  the threshold from {JUDGED} judged questions is {threshold:.3f}", flush=True)
    return ways


def drawn(
    questions: Sequence[sets.Question], gone: frozenset[str], most: int | None
) -> list[sets.Question]:
    """The questions of a part: all without an answer in it, and at most so many with one."""
    bad = [one for one in questions if one.relevant <= gone]
    good = [one for one in questions if not one.relevant <= gone]
    if most is not None:
        good = random.Random(0).sample(good, min(most, len(good)))  # noqa: S311 - a sample
    return [*bad, *good]


async def xquad(given: argparse.Namespace) -> list[Measured]:
    """Each pair of languages, over parts that lack a quarter of the paragraphs each."""
    folder, pairs = given.eval, given.pairs
    found: dict[str, list[Weighed]] = {pair: [] for pair in pairs}
    questions = {lang: sets.questions(folder / f"xquad_{lang}") for lang in ("ru", "en")}
    for pair in pairs:
        ways: list[list[Ways]] = []
        corpus = sets.documents(folder / f"xquad_{pair[3:]}")
        for gone in quarters(corpus):
            async with rooms() as (svod, caller):
                kept = [document for document in corpus if document.key not in gone]
                part = Part(svod, caller, await add(svod, caller, kept, namespace=NAMESPACE), gone)
                weighed = await part.weigh(drawn(questions[pair[:2]], gone, given.answerable))
                found[pair] += weighed
                if given.sample:
                    ways.append(
                        await sampled(part, weighed, sample=given.sample, judged=given.judged)
                    )
                print(f"{pair}: {len(found[pair])} weighed", flush=True)
        print(report([measure(pair, found[pair])]), flush=True)
        tell(pair, ways)
    return [measure(pair, weighed) for pair, weighed in found.items()]


def tell(name: str, ways: Sequence[Sequence[Ways]]) -> None:
    """What became of the samples, as means over the parts."""
    for kind, of_kind in zip(
        ("default", f"{JUDGED} judged"), zip(*ways, strict=True), strict=False
    ):
        figures = {
            field: statistics.mean(getattr(one, field) for one in of_kind)
            for field in ("refused", "false", "ms_answered", "ms_refused")
        }
        print(name, "asked,", kind, {field: round(value, 3) for field, value in figures.items()})


async def unanswerable(folder: Path) -> Measured:
    """The set of questions whose answers were taken out."""
    rows = [json.loads(line) for line in (folder / "queries.jsonl").open(encoding="utf-8")]
    questions = [sets.Question(row["_id"], row["text"], frozenset(row["relevant"])) for row in rows]
    async with rooms() as (svod, caller):
        items = await add(svod, caller, sets.documents(folder), namespace=NAMESPACE)
        part = Part(svod, caller, items, frozenset())
        weighed = await part.weigh(questions)
        tell(folder.name, [[await part.ask(questions)]])
        return measure(folder.name, weighed)


def report(measured: Sequence[Measured]) -> str:
    """A table for a reader."""
    headings = (
        "asked>over", "AUC", "refused at 5 %", "default: refused", "false",
        "50 judged: refused", "false", "most", "ms", "p95",
    )  # fmt: skip
    return sets.table(
        headings,
        [
            (
                one.name,
                f"{one.auc:.3f}",
                f"{one.refused_at_5:.3f}",
                f"{one.default_refused:.3f}",
                f"{one.default_false:.3f}",
                f"{one.drawn_refused:.3f}",
                f"{one.drawn_false:.3f}",
                f"{one.drawn_false_most:.3f}",
                f"{one.ms_median:.0f}",
                f"{one.ms_p95:.0f}",
            )
            for one in measured
        ],
    )


async def gather(given: argparse.Namespace) -> list[Measured]:
    """All that was asked for."""
    measured = await xquad(given)
    if given.unanswerable:
        measured.append(await unanswerable(given.eval / "unanswerable_en"))
    return measured


def main() -> int:
    """Run it; the exit code is 1 where a target was missed."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--eval", type=Path, required=True, help="folder of the sets")
    options.add_argument("--pairs", nargs="*", default=PAIRS)
    options.add_argument("--answerable", type=int, help="with an answer, in each part; else all")
    options.add_argument("--sample", type=int, default=SAMPLE, help="asked the whole way; 0: none")
    options.add_argument("--judged", action="store_true", help="keep judged questions too")
    options.add_argument("--unanswerable", action="store_true", help="ask unanswerable_en too")
    options.add_argument("--json", type=Path)
    given = options.parse_args()
    measured = asyncio.run(gather(given))
    print(report(measured))
    if given.json:
        given.json.write_text(json.dumps([asdict(one) for one in measured], indent=1))
    missed = [one for one in measured if one.auc < TARGETS.get(one.name, 0)]
    for one in missed:
        print(f"{one.name}: AUC {one.auc:.3f} is below {TARGETS[one.name]}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
