"""The job that fits a collection's thresholds and curves to its judged questions."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog

from svod.conversation.answering import THRESHOLD
from svod.conversation.judging import postgres
from svod.conversation.judging.fitting import Pair, curve_of, threshold_of
from svod.conversation.judging.jobs import collection_of
from svod.conversation.judging.judging import open_question
from svod.conversation.judging.ports import Weighs
from svod.foundation.clock import Clock
from svod.foundation.ids import ItemId, NamespaceId, PrincipalId, WorkspaceId
from svod.foundation.jobs import Arguments
from svod.foundation.storage import Database, Vaults
from svod.knowledge.retrieval import Found, RetrievalPlan
from svod.knowledge.retrieval.calibration import default_fit
from svod.knowledge.retrieval.fits import languages_of
from svod.knowledge.workspaces import Caller, Permission, Reading, write_level

log = structlog.get_logger()

MOST_JUDGED = 400
"""The newest judged questions of a collection are fitted to: about a minute's work."""
SCORED_HITS = 10
"""The hits of a question whose scores are fitted, as for the default curves."""

NOBODY = PrincipalId(-1)
"""No grant names him, so he reads nothing."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    """What judged questions of one pair of languages show."""

    answerable: list[float] = field(default_factory=list[float])
    unanswerable: list[float] = field(default_factory=list[float])
    pairs: list[Pair] = field(default_factory=list[Pair])


class Refitting:
    """Handles the job `refit`."""

    def __init__(self, database: Database, vaults: Vaults, clock: Clock, weighs: Weighs) -> None:
        self._database = database
        self._vaults = vaults
        self._clock = clock
        self._weighs = weighs

    async def __call__(self, arguments: Arguments) -> None:
        """Ask every judged question of a collection, and fit anew to what is found."""
        workspace_id, namespace_id = collection_of(arguments)
        async with self._database.transaction() as tx:
            where = await postgres.collection(tx, workspace_id, namespace_id)
            judged = await postgres.judged_in(tx, workspace_id, namespace_id, limit=MOST_JUDGED)
            vault = await self._vaults.of(tx, workspace_id)
        if where is None or where.reader_id is None:
            return
        caller = _reader(Reading(workspace_id, where.reader_id, vault))
        place = (write_level(where.level_kind, where.level_name), where.clean_namespace)
        weighed: dict[tuple[str, str], _Weighed] = defaultdict(_Weighed)
        for row in judged:
            question = open_question(vault, row.judgement_id, row.sealed_question)
            plan = RetrievalPlan(
                question, limit=SCORED_HITS, levels=(place[0],), namespaces=(place[1],)
            )
            found, verdict = await self._weighs.weigh(caller, plan)
            _note(weighed, question, row.item_id, found, verdict.strength)
        await self._keep(workspace_id, namespace_id, weighed)
        log.info("refitted", judged=len(judged), pairs=len(weighed))

    async def _keep(
        self,
        workspace_id: WorkspaceId,
        namespace_id: NamespaceId,
        weighed: Mapping[tuple[str, str], _Weighed],
    ) -> None:
        fits = [_fit(languages, basis, noted) for (languages, basis), noted in weighed.items()]
        async with self._database.transaction() as tx:
            await postgres.replace_fits(tx, workspace_id, namespace_id, fits, now=self._clock.now())


def _reader(reading: Reading) -> Caller:
    """Someone who reads the workspace of the collection and no other."""
    nobody = Reading(reading.workspace_id, NOBODY, reading.vault)
    return Caller(reading, nobody, frozenset({Permission.KNOWLEDGE_READ}), "refit", "job")


def _note(
    weighed: Mapping[tuple[str, str], _Weighed],
    question: str,
    item_id: ItemId | None,
    found: Found,
    strength: float,
) -> None:
    """Add what was found for a question to the pairs of languages that it tells of."""
    if not found.hits:
        # Nothing found is never enough, whatever the threshold.
        return
    noted = weighed[languages_of(question, found.hits[0]), found.basis]
    (noted.unanswerable if item_id is None else noted.answerable).append(strength)
    curve = default_fit(used_words=found.used_words, used_meaning=found.used_meaning)
    best = found.hits[0].rank_score
    for hit in found.hits[:SCORED_HITS]:
        pair = Pair(curve.score(hit.rank_score, best=best), hit.item_id == item_id)
        weighed[languages_of(question, hit), found.basis].pairs.append(pair)


def _fit(languages: str, basis: str, noted: _Weighed) -> postgres.NewFit:
    curve = curve_of(noted.pairs)
    return postgres.NewFit(
        languages=languages,
        basis=basis,
        answerable=len(noted.answerable),
        unanswerable=len(noted.unanswerable),
        threshold=threshold_of(noted.answerable, default=THRESHOLD),
        intercept=curve.intercept,
        slope=curve.slope,
    )
