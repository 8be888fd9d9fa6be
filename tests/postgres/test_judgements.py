"""Judged questions: kept, seen by whom they may be, gone with their item, fitted, and used."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from fakes.shelf import Shelf
from svod.conversation.answering import Verdict
from svod.conversation.judging import (
    LEAST_JUDGED,
    Judgement,
    JudgementDraft,
    JudgementNotFound,
    JudgementQuery,
    Judging,
    Refitting,
)
from svod.conversation.judging.jobs import refit
from svod.foundation.clock import SystemClock
from svod.foundation.ids import PrincipalId, WorkspaceId
from svod.foundation.jobs import Jobs
from svod.foundation.storage import Database, Transaction, Vault
from svod.knowledge.items import ItemsDeleted
from svod.knowledge.items.errors import ItemNotFound
from svod.knowledge.items.item import Target
from svod.knowledge.retrieval import Found, Retrieval, RetrievalPlan
from svod.knowledge.workspaces import Caller, LevelNotFound, Permission, Reading
from svod.knowledge.workspaces.errors import LevelReadOnly

TEXTS = {
    "ru": ("Залог за самокат составляет 700 рублей.", "Какой залог за самокат?"),
    "en": ("The deposit for a scooter is 700 roubles.", "What is the deposit for a scooter?"),
}
RU_TEXT, RU = TEXTS["ru"]
HERE = Target()


@pytest.fixture
def judging(database: Database) -> Judging:
    return Judging(database, Jobs(database), SystemClock())


@pytest.fixture
def shelf(database: Database) -> Shelf:
    return Shelf(database)


def writer(shelf: Shelf) -> Caller:
    nobody = Reading(shelf.workspace_id, PrincipalId(-1), shelf.vault)
    permissions = frozenset({Permission.KNOWLEDGE_WRITE, Permission.KNOWLEDGE_READ})
    return Caller(shelf.reading, nobody, permissions, "writer", "key")


async def listed(judging: Judging, shelf: Shelf, **query: object) -> Sequence[Judgement]:
    page = await judging.list(writer(shelf), JudgementQuery(**query))  # pyright: ignore[reportArgumentType]
    return page.judgements


@pytest.mark.spec("R16")
@pytest.mark.parametrize("lang", ["ru", "en"])
async def test_a_judged_question_is_kept_with_its_item(
    judging: Judging, shelf: Shelf, lang: str
) -> None:
    text, question = TEXTS[lang]
    await shelf.add("Оглавление. Contents.")
    item_id = await shelf.add(text, namespace="shop")
    drafts = [JudgementDraft(question, item_id), JudgementDraft("?!  why", None)]
    await judging.judge(writer(shelf), drafts, target=HERE)
    nowhere, found = await listed(judging, shelf)
    assert (found.question, found.item_id, found.namespace) == (question, item_id, "shop")
    assert (nowhere.question, nowhere.item_id, nowhere.namespace) == ("?! why", None, "")
    assert await listed(judging, shelf, item_id=item_id) == (found,)
    assert await listed(judging, shelf, namespace="shop") == (found,)


@pytest.mark.spec("R16")
async def test_a_question_judged_again_has_the_later_judgement(
    judging: Judging, shelf: Shelf
) -> None:
    first, second = await shelf.add(RU_TEXT), await shelf.add("Другое.")
    (kept,) = await judging.judge(writer(shelf), [JudgementDraft(RU, first)], target=HERE)
    again = [JudgementDraft(RU.upper(), first), JudgementDraft(RU, second)]
    (anew,) = await judging.judge(writer(shelf), again, target=HERE)
    assert (anew.judgement_id, anew.item_id) == (kept.judgement_id, second)
    assert len(await listed(judging, shelf)) == 1


@pytest.mark.spec("X3", "X4")
async def test_judgements_of_a_level_that_may_not_be_read_are_not_there(
    judging: Judging, shelf: Shelf
) -> None:
    item_id = await shelf.add(RU_TEXT, level="domain:example.com")
    (kept,) = await judging.judge(writer(shelf), [JudgementDraft(RU, item_id)], target=HERE)
    await shelf.grant("domain:example.com", may_read=False)
    assert await listed(judging, shelf) == ()
    with pytest.raises(JudgementNotFound):
        await judging.delete(writer(shelf), kept.judgement_id)
    with pytest.raises(ItemNotFound):
        await judging.judge(writer(shelf), [JudgementDraft(RU, item_id)], target=HERE)
    with pytest.raises(LevelNotFound):
        await judging.judge(
            writer(shelf), [JudgementDraft(RU, None)], target=Target("domain:example.com")
        )


@pytest.mark.spec("X4")
async def test_where_only_reading_is_granted_nothing_is_judged(
    judging: Judging, shelf: Shelf
) -> None:
    item_id = await shelf.add(RU_TEXT)
    (kept,) = await judging.judge(writer(shelf), [JudgementDraft(RU, item_id)], target=HERE)
    await shelf.run("update level_grant set may_send = false where workspace_id = %(workspace_id)s")
    with pytest.raises(LevelReadOnly):
        await judging.judge(writer(shelf), [JudgementDraft("q", item_id)], target=HERE)
    with pytest.raises(LevelReadOnly):
        await judging.delete(writer(shelf), kept.judgement_id)
    assert len(await listed(judging, shelf)) == 1


@pytest.mark.spec("K13", "R16")
async def test_a_judgement_goes_with_its_item_and_its_collection_is_fitted_anew(
    judging: Judging, shelf: Shelf, database: Database
) -> None:
    item_id = await shelf.add(RU_TEXT)
    await judging.judge(writer(shelf), [JudgementDraft(RU, item_id)], target=HERE)
    await _forget_jobs(shelf)
    async with database.transaction() as tx:
        await judging.on_items_deleted(tx, ItemsDeleted(shelf.workspace_id, (item_id,)))
    await shelf.remove([item_id])
    assert await listed(judging, shelf) == ()
    assert await _waiting(database, shelf) == 1


@pytest.mark.spec("R16")
async def test_where_an_item_was_moved_its_judgement_counts_where_it_lies(
    judging: Judging, shelf: Shelf, database: Database
) -> None:
    item_id = await shelf.add(RU_TEXT)
    await judging.judge(writer(shelf), [JudgementDraft(RU, item_id)], target=HERE)
    await shelf.add("Самокат и залог.", namespace="shop")
    await shelf.run(
        "update item set namespace_id = 2"
        " where workspace_id = %(workspace_id)s and item_id = %(item_id)s",
        item_id=item_id,
    )
    (moved,) = await listed(judging, shelf)
    assert moved.namespace == "shop"
    await _fit(database, shelf, namespace=2, strengths=[0.5])
    assert [fit.namespace for fit in await judging.fitted(writer(shelf))] == ["shop"]


@pytest.mark.spec("R16")
async def test_many_judgements_at_once_are_fitted_once(
    judging: Judging, shelf: Shelf, database: Database
) -> None:
    item_id = await shelf.add(RU_TEXT)
    for number in range(3):
        draft = JudgementDraft(f"{RU} {number}", item_id)
        await judging.judge(writer(shelf), [draft], target=HERE)
    assert await _waiting(database, shelf) == 1


@pytest.mark.spec("X5")
async def test_a_judged_question_is_not_stored_in_the_clear(
    judging: Judging, shelf: Shelf, database: Database
) -> None:
    await shelf.add(RU_TEXT)
    await judging.judge(writer(shelf), [JudgementDraft("кракозябра", None)], target=HERE)
    async with database.transaction() as tx:
        cursor = await tx.connection.execute(
            "select sealed_question, question_key from judgement where workspace_id = %s",
            (shelf.workspace_id,),
        )
        (row,) = await cursor.fetchall()
    assert all("кракозябра".encode() not in bytes(value) for value in row)


@pytest.mark.spec("R4", "R16")
@pytest.mark.parametrize("lang", ["ru", "en"])
async def test_with_enough_judged_questions_a_collection_has_a_threshold_and_scores_of_its_own(
    judging: Judging, shelf: Shelf, database: Database, lang: str
) -> None:
    text, question = TEXTS[lang]
    item_id = await shelf.add(text)
    await shelf.add(text.replace("700", "300"))
    retrieval = Retrieval(database, None, SystemClock())
    before = await retrieval.search(shelf.caller(), RetrievalPlan(question))
    assert (before.fits, before.calibration) == ((), "default")
    drafts = [JudgementDraft(f"{question} {n}", item_id) for n in range(LEAST_JUDGED)]
    await judging.judge(writer(shelf), [*drafts, JudgementDraft("Why?", None)], target=HERE)
    strengths = [0.4 + n / 100 for n in range(LEAST_JUDGED + 1)]
    await _fit(database, shelf, strengths=strengths)
    (fitted,) = [
        fit for fit in await judging.fitted(writer(shelf)) if fit.languages == f"{lang}-{lang}"
    ]
    assert fitted.answerable == LEAST_JUDGED
    assert fitted.threshold is not None
    assert 0.3 < fitted.threshold < 0.45
    after = await retrieval.search(shelf.caller(), RetrievalPlan(question))
    (fit,) = [one for one in after.fits if one.languages == f"{lang}-{lang}"]
    assert fit.threshold == fitted.threshold
    assert after.calibration == "judged"
    assert [hit.score for hit in after.hits] != [hit.score for hit in before.hits]
    await shelf.grant("workspace", may_read=False)
    assert (await retrieval.search(shelf.caller(), RetrievalPlan(question))).fits == ()


@pytest.mark.spec("R16")
async def test_with_few_judged_questions_the_default_threshold_holds(
    judging: Judging, shelf: Shelf, database: Database
) -> None:
    item_id = await shelf.add(RU_TEXT)
    drafts = [JudgementDraft(f"{RU} {n}", item_id) for n in range(LEAST_JUDGED - 1)]
    await judging.judge(writer(shelf), drafts, target=HERE)
    await _fit(database, shelf, strengths=[0.9] * (LEAST_JUDGED - 1))
    (fitted,) = await judging.fitted(writer(shelf))
    assert (fitted.answerable, fitted.threshold) == (LEAST_JUDGED - 1, None)


@pytest.mark.spec("R4")
async def test_a_hit_below_a_threshold_on_its_collections_own_curve_is_not_shown(
    judging: Judging, shelf: Shelf, database: Database
) -> None:
    item_id = await shelf.add(RU_TEXT)
    other = await shelf.add("Самокат чинят в мастерской.")
    drafts = [JudgementDraft(f"{RU} {n}", item_id) for n in range(LEAST_JUDGED)]
    await judging.judge(writer(shelf), drafts, target=HERE)
    await _fit(database, shelf, strengths=[0.9] * LEAST_JUDGED)
    retrieval = Retrieval(database, None, SystemClock())
    every = await retrieval.search(shelf.caller(), RetrievalPlan(RU))
    scores = {hit.item_id: hit.score for hit in every.hits}
    least = (scores[item_id] + scores[other]) / 2
    kept = await retrieval.search(shelf.caller(), RetrievalPlan(RU, min_score=least))
    assert [hit.item_id for hit in kept.hits] == [item_id]


@dataclass
class ScriptedWeighing:
    """Finds with words, and weighs each question in turn as it is told."""

    retrieval: Retrieval
    strengths: list[float] = field(default_factory=list)

    async def weigh(self, caller: Caller, plan: RetrievalPlan) -> tuple[Found, Verdict]:
        found = await self.retrieval.search(caller, plan)
        strength = self.strengths.pop() if self.strengths else 0.1
        nearest = found.hits[0] if found.hits else None
        return found, Verdict(enough=True, reason=None, nearest=nearest, strength=strength)


class OneVault:
    """The vault of the shelf's workspace."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    async def of(self, where: Transaction | Database, workspace_id: WorkspaceId) -> Vault:  # noqa: ARG002
        return self._vault


async def _fit(
    database: Database, shelf: Shelf, *, strengths: Sequence[float], namespace: int = 1
) -> None:
    retrieval = Retrieval(database, None, SystemClock())
    weighing = ScriptedWeighing(retrieval, list(strengths))
    refitting = Refitting(database, OneVault(shelf.vault), SystemClock(), weighing)  # pyright: ignore[reportArgumentType]
    await refitting(refit(shelf.workspace_id, namespace).arguments)  # pyright: ignore[reportArgumentType]


async def _waiting(database: Database, shelf: Shelf) -> int:
    async with database.transaction() as tx:
        cursor = await tx.connection.execute(
            "select count(*) from procrastinate_jobs where task_name = 'refit'"
            " and status = 'todo' and args->>'workspace_id' = %s",
            (str(shelf.workspace_id),),
        )
        ((count,),) = await cursor.fetchall()
    return count


async def _forget_jobs(shelf: Shelf) -> None:
    await shelf.run(
        "delete from procrastinate_jobs where args->>'workspace_id' = %(workspace_id)s::text"
    )
