"""Where the first pass is too little: a wider one, a second hop, the other layout, then honesty."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from scripted_evidence import NOBODY, a_hit, found

from svod.conversation.answering import Answering, Question
from svod.conversation.answering.second_hop import hop_queries, joined
from svod.foundation.errors import NotFound, Unavailable
from svod.knowledge.retrieval import Found, Layer, RetrievalPlan
from svod.knowledge.workspaces import LevelView
from svod.knowledge.workspaces.caller import Caller

WEAK = replace(
    a_hit("Директор Спицы — Анна Вельская.", item=1, score=0.2, cosine=0.8),
    rank_score=-1.5,
    z=-2.0,
)
GOOD = a_hit("Анна Вельская родилась в Туле.", item=2, score=0.9, cosine=0.9)
RU = "Где родилась директор Спицы?"


@dataclass
class Retriever:
    """Finds by what it is asked, and remembers the plans."""

    answer: Callable[[RetrievalPlan], Found]
    plans: list[RetrievalPlan] = field(default_factory=list)

    async def search(self, caller: Caller, plan: RetrievalPlan) -> Found:  # noqa: ARG002
        self.plans.append(plan)
        return self.answer(plan)


def asking(retriever: Retriever, **rest: object) -> Answering:
    return Answering(retriever, None, meaning_within_ms=100, **rest)  # pyright: ignore[reportArgumentType]


@pytest.mark.spec("R16")
async def test_enough_at_first_is_looked_for_once() -> None:
    retriever = Retriever(lambda _: found(GOOD))
    answer = await asking(retriever).ask(NOBODY, Question(RetrievalPlan("Где родилась Вельская?")))
    assert answer.answered
    assert [plan.limit for plan in retriever.plans] == [8]


@pytest.mark.spec("R16", "R6")
async def test_a_wider_pass_asks_for_more_and_waits_longer_within_what_the_caller_allows() -> None:
    retriever = Retriever(lambda plan: found(GOOD) if plan.limit > 8 else found(WEAK))
    plan = RetrievalPlan("Где родилась Вельская?", levels=("workspace",), min_score=0.1)
    answer = await asking(retriever, second_hop=False).ask(NOBODY, Question(plan))
    assert answer.answered
    assert "wider_pass" in answer.meta.notes
    narrow, wide = retriever.plans
    assert (narrow.limit, narrow.meaning_within_ms) == (8, 100)
    assert (wide.limit, wide.meaning_within_ms) == (20, 400)
    assert replace(wide, limit=8, meaning_within_ms=100) == narrow


@pytest.mark.spec("R1a")
@pytest.mark.parametrize("second_hop", [True, False])
async def test_the_second_hop_follows_what_the_first_hits_name(second_hop: bool) -> None:
    def answer(plan: RetrievalPlan) -> Found:
        return found(GOOD) if plan.query.endswith("Анна Вельская.") else found(WEAK)

    retriever = Retriever(answer)
    told = await asking(retriever, second_hop=second_hop).ask(NOBODY, Question(RetrievalPlan(RU)))
    hops = [plan.query for plan in retriever.plans if plan.query.startswith(f"{RU} ")]
    assert hops == ([f"{RU} Директор Спицы — Анна Вельская."] if second_hop else [])
    assert ("second_hop" in told.meta.notes) is second_hop


@pytest.mark.spec("R1a")
def test_a_hop_keeps_the_first_four_and_then_alternates() -> None:
    hits = [a_hit(f"Старое {n}.", item=n) for n in range(1, 8)]
    new = [a_hit(f"Новое {n}.", item=n) for n in range(11, 14)]
    other = [a_hit("Ещё.", item=21), hits[0]]
    items = [hit.item_id for hit in joined(hits, [new, other])]
    assert items == [1, 2, 3, 4, 11, 5, 21, 6, 12, 7, 13]
    assert joined(hits, []) == tuple(hits)


@pytest.mark.spec("R1a")
@pytest.mark.parametrize(
    "hit",
    [
        a_hit("```\nx = director\n```"),
        a_hit("| Директор | Вельская |\n|---|---|\n| a | b |"),
        replace(a_hit("Директор Спицы."), layer=Layer.K_TABLE),
    ],
)
def test_code_and_tables_are_hopped_from_by_nobody(hit: object) -> None:
    from svod.conversation.answering.candidates import candidates  # noqa: PLC0415

    assert hop_queries(RU, candidates(RU, [hit])) == []  # pyright: ignore[reportArgumentType]


@pytest.mark.spec("R2", "R16")
async def test_a_question_half_typed_in_the_other_layout_is_read_in_it() -> None:
    text = a_hit("Депозит за самокат равен 700.", score=0.9, cosine=0.9)
    seen = replace(text, matched=replace(text.matched, words=("депозит", "самокат")))

    def answer(plan: RetrievalPlan) -> Found:
        return found(seen) if "депозит" in plan.query else found(replace(WEAK, score=0.05))

    told = await asking(Retriever(answer)).ask(
        NOBODY, Question(RetrievalPlan("ltgjpbn pf cfvjrfn"))
    )
    assert told.answered
    assert "other_layout" in told.meta.notes
    assert "700" in told.text


@pytest.mark.spec("R16", "K3")
async def test_a_refusal_names_the_path_that_was_read_for_a_level() -> None:
    answering = asking(Retriever(lambda _: found()), levels=Levels())
    plan = RetrievalPlan("Где ключ?", read_for="domain:a.example")
    answer = await answering.ask(NOBODY, Question(plan))
    assert "(искали в: domain:a.example, workspace)" in answer.text


@pytest.mark.spec("R16", "X3")
@pytest.mark.parametrize(
    ("levels", "says"),
    [
        (None, "(искали в: workspace, global)"),
        (("workspace",), "(искали в: workspace)"),
        (("domain:secret.example",), "вопрос «Где ключ?»."),
    ],
)
async def test_a_refusal_names_the_levels_that_were_read_and_the_caller_sees(
    levels: tuple[str, ...] | None, says: str
) -> None:
    answering = asking(Retriever(lambda _: found()), levels=Levels())
    plan = RetrievalPlan("Где ключ?", levels=levels)
    answer = await answering.ask(NOBODY, Question(plan))
    assert says in answer.text
    assert "secret" not in answer.text


async def test_many_levels_are_counted() -> None:
    names = tuple(f"domain:{number}.example" for number in range(9))
    answering = asking(Retriever(lambda _: found()), levels=Levels(names))
    answer = await answering.ask(NOBODY, Question(RetrievalPlan("Where is the key?")))
    assert "5.example, 3 more)" in answer.text


async def test_a_refusal_stands_though_the_levels_cannot_be_read() -> None:
    answering = asking(Retriever(lambda _: found()), levels=Levels(fails=True))
    answer = await answering.ask(NOBODY, Question(RetrievalPlan("Where is the key?")))
    assert "Nothing in the knowledge base" in answer.text


@pytest.mark.parametrize("failure", [Unavailable, NotFound])
async def test_what_the_retriever_raises_in_a_wider_pass_is_raised_as_it_is(
    failure: type[Exception],
) -> None:
    def answer(plan: RetrievalPlan) -> Found:
        if plan.limit > 8:
            raise failure
        return found(WEAK)

    with pytest.raises(failure):
        await asking(Retriever(answer)).ask(NOBODY, Question(RetrievalPlan(RU)))


@dataclass
class Levels:
    """The levels that somebody sees."""

    names: tuple[str, ...] = ("workspace", "global")
    fails: bool = False

    async def read_path(self, caller: Caller, level: str) -> tuple[str, ...]:  # noqa: ARG002
        return (level, "workspace")

    async def levels(self, caller: Caller) -> tuple[LevelView, ...]:  # noqa: ARG002
        if self.fails:
            raise Unavailable
        return tuple(LevelView(name, name, 0, may_change=False) for name in self.names)
