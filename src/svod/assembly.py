"""Settings to every room, wired, and who listens to which fact. The only place that knows them all."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog

from svod.conversation.answering import Answering, Modelled, load_answer_prompt
from svod.conversation.judging import Judging, Refitting
from svod.conversation.judging.jobs import REFIT
from svod.conversation.judging.judging import SEALED as OF_JUDGING
from svod.foundation.clock import SystemClock
from svod.foundation.errors import Says, SvodError
from svod.foundation.facts import Facts
from svod.foundation.fetching import guarded_fetcher
from svod.foundation.jobs import Jobs, WaitingReason
from svod.foundation.jobs.steps import SEALED as OF_JOBS
from svod.foundation.providers import Embedder, embedder_from
from svod.foundation.providers.chat import ChatModel, chat_model_from
from svod.foundation.settings import Settings
from svod.foundation.storage import (
    Blobs,
    Database,
    Transaction,
    Vaults,
    load_master_key,
    migrate,
    open_database,
)
from svod.foundation.storage.vaults import KeyTiming
from svod.knowledge.indexing.body import SEALED as OF_INDEXING
from svod.knowledge.indexing.moving import move_items
from svod.knowledge.indexing.writing import remove_items, remove_workspace
from svod.knowledge.ingestion import Embedding, Ingesting, Loading, Reader
from svod.knowledge.ingestion.jobs import EMBED, HOUSEKEEPING, INGEST, LOAD, MOMENTS
from svod.knowledge.items import Items
from svod.knowledge.items.facts import (
    EverythingDeleted,
    ItemChanged,
    ItemsCancelled,
    ItemsChanged,
    ItemsDeleted,
    ItemsMoved,
)
from svod.knowledge.items.jobs import UNLINK, Unlinking
from svod.knowledge.items.sealed import SEALED as OF_ITEMS
from svod.knowledge.parsing import Parsers
from svod.knowledge.retrieval import Contexts, Retrieval
from svod.knowledge.retrieval.stored_texts import StoredTexts
from svod.knowledge.workspaces import Workspaces
from svod.knowledge.workspaces.audit import Audit
from svod.knowledge.workspaces.domains import Registry
from svod.knowledge.workspaces.facts import LevelsDeleted, WorkspaceDeleted
from svod.knowledge.workspaces.members import Team
from svod.knowledge.workspaces.replies import Replies
from svod.knowledge.workspaces.rotation import RESEAL, Rotations
from svod.knowledge.workspaces.sealed import SEALED as OF_WORKSPACES
from svod.knowledge.workspaces.sign_in import Attempts, Browsers, SignIn
from svod.knowledge.workspaces.tenants import Tenants
from svod.knowledge.workspaces.tenants.jobs import REMOVE_FILES, RemovingFiles

log = structlog.get_logger()

SEALED = (*OF_WORKSPACES, *OF_JOBS, *OF_ITEMS, *OF_INDEXING, *OF_JUDGING)
"""Every sealed column there is: rotation of keys seals these anew, and no others."""

_SWEEP_EVERY_S = 3600.0
_ASKED_AGAIN_S = 2.0
_LONGEST_ASKED_AGAIN_S = 60.0
_REFRESH_EVERY_S = 60.0
_READING = 3
_FETCHING = 4
"""Pages that are fetched at once; a slow site keeps nobody from reading."""
_EMBEDDING = 6
"""Jobs that wait for the one embedding thread together, so that it fills its batches."""


@dataclass(frozen=True, slots=True)
class Svod:
    """Every room of one server."""

    settings: Settings
    database: Database
    workspaces: Workspaces
    domains: Registry
    members: Team
    tenants: Tenants
    items: Items
    retrieval: Retrieval
    contexts: Contexts
    answering: Answering
    judging: Judging
    replies: Replies
    rotations: Rotations
    sign_in: SignIn
    audit: Audit
    jobs: Jobs
    loading: Loading
    blobs: Blobs
    parsers: Parsers
    embedder: Embedder | None
    chat: ChatModel | None

    @property
    def readiness(self) -> "Readiness":
        """Tells what is not ready."""
        return Readiness(self.jobs, self.embedder)

    async def work(self) -> None:
        """Do jobs until cancelled; reading and embedding do not take each other's places."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.jobs.run_worker(_READING, [INGEST, HOUSEKEEPING]))
            group.create_task(self.jobs.run_worker(_EMBEDDING, [EMBED]))
            group.create_task(self.jobs.run_worker(_FETCHING, [LOAD]))
            group.create_task(self.refresh_for_ever())

    async def refresh_for_ever(self) -> None:
        """Once a minute queue the pages whose day has come."""
        while True:
            try:
                await self.loading.queue_due()
            except SvodError as error:
                log.warning("refresh_failed", code=error.code)
            await asyncio.sleep(_REFRESH_EVERY_S)

    async def keep_ready(self) -> None:
        """Load the meaning model, and go on asking while it does not answer; needs no restart."""
        wait_s = _ASKED_AGAIN_S
        while self.embedder is not None:
            try:
                await self.embedder.warm()
                wait_s = _ASKED_AGAIN_S
            except SvodError as error:
                log.warning("model_not_ready", code=error.code)
                wait_s = min(2 * wait_s, _LONGEST_ASKED_AGAIN_S)
            await asyncio.sleep(wait_s)

    async def sweep_for_ever(self) -> None:
        """Once an hour remove files that no row points at, as a crash may leave them."""
        while True:
            try:
                await self.blobs.sweep(self.database)
            except SvodError as error:
                log.warning("sweep_failed", code=error.code)
            await asyncio.sleep(_SWEEP_EVERY_S)


@dataclass(frozen=True, slots=True)
class NotReady:
    """Something the server still waits for.

    `blocking` is False where everything can be asked already but less well: while the meaning model
    loads, words are searched alone.
    """

    code: str
    says: Says
    blocking: bool = True


@dataclass(frozen=True, slots=True)
class Readiness:
    """Tells what is not ready."""

    jobs: Jobs
    embedder: Embedder | None

    async def ready(self) -> Sequence[NotReady]:
        """What is missing: the database, a worker, or the model."""
        missing: list[NotReady] = []
        try:
            workers = await self.jobs.workers_alive()
        except SvodError as gone:
            return [NotReady(gone.code, gone.says)]
        if await self.jobs.waiting_reason() is WaitingReason.DISK_FULL:
            missing.append(NotReady("disk_full", WaitingReason.DISK_FULL.says, blocking=False))
        if not workers:
            missing.append(NotReady("no_worker", NO_WORKER, blocking=False))
        if self.embedder is not None and (trouble := self.embedder.trouble) is not None:
            missing.append(NotReady(trouble.code, trouble.told, blocking=False))
        elif self.embedder is not None and not self.embedder.ready:
            missing.append(NotReady("meaning_loading", MEANING_LOADING, blocking=False))
        return missing


NO_WORKER = Says(
    "No worker is running, so what is added waits.",
    "Обработчик не запущен, поэтому добавленное ждёт.",
)
MEANING_LOADING = Says(
    "The meaning model is loading; words are searched meanwhile.",
    "Модель смысла загружается; пока поиск идёт по словам.",
)


@asynccontextmanager
async def assembled(  # noqa: PLR0915 - the one place that knows every room
    settings: Settings, dsn: str, *, language: str = "en", timing: KeyTiming | None = None
) -> AsyncGenerator[Svod]:
    """Every room on the database of this address, migrated first; closed when the context ends.

    Args:
        settings: of this process.
        dsn: where the database is.
        language: of what is made at the first start.
        timing: how keys change hands; other than the usual in tests.
    """
    clock = SystemClock()
    await migrate(dsn)
    database = await open_database(dsn, connections=settings.database_connections)
    parsers = Parsers(
        children=settings.parser_children,
        memory_mb=settings.parser_memory_mb,
        timeout_s=settings.parser_timeout_s,
    )
    embedder = embedder_from(settings)
    chat = chat_model_from(settings)
    fetcher = guarded_fetcher(settings.fetch_allow)
    try:
        vaults = Vaults(
            database,
            await load_master_key(settings, database),
            timing=timing,
            read_again=lambda: load_master_key(settings, database),
        )
        workspaces = await Workspaces.open(database, vaults, clock, language=language)
        blobs = Blobs(settings.data / "blobs")
        jobs = Jobs(database, disk=settings.data)
        facts = Facts()
        items = Items(database, blobs, jobs, facts, clock, check_host=fetcher.check_host)
        ingesting = Ingesting(database, vaults, blobs, jobs, Reader(parsers), embedder)
        loading = Loading(database, vaults, blobs, jobs, facts, clock, fetcher, Reader(parsers))
        join(facts, items, ingesting)
        _read_with(ingesting, loading)
        if embedder is not None:
            _embed_with(Embedding(database, vaults, blobs, jobs, clock, embedder))
        retrieval = Retrieval(database, embedder, clock, workspaces)
        facts.listen(WorkspaceDeleted, retrieval.on_workspace_deleted)
        contexts = Contexts(retrieval, StoredTexts(database, clock), workspaces)
        # Read in any case: a prompt that cannot be used is told now and not at the first question.
        prompt = load_answer_prompt(settings.prompts_dir)
        answering = Answering(
            retrieval,
            embedder,
            meaning_within_ms=settings.prompt_search_ms,
            texts=items,
            contexts=contexts,
            levels=workspaces,
            modelled=Modelled(chat, prompt, timeout_s=settings.model_timeout_s) if chat else None,
        )
        judging = Judging(database, jobs, clock)
        facts.listen(ItemsDeleted, judging.on_items_deleted)
        jobs.handle(REFIT, Refitting(database, vaults, clock, answering))
        rotations = Rotations(database, vaults, blobs, jobs, SEALED)
        jobs.handle(RESEAL, rotations)
        yield Svod(
            settings=settings,
            database=database,
            workspaces=workspaces,
            domains=Registry(database, clock, facts, workspaces.ground.system),
            members=Team(database, clock),
            tenants=Tenants(database, vaults, clock, facts, jobs, workspaces.ground),
            items=items,
            retrieval=retrieval,
            contexts=contexts,
            answering=answering,
            judging=judging,
            replies=Replies(database, clock),
            rotations=rotations,
            sign_in=_sign_in(workspaces),
            audit=Audit(database, clock),
            jobs=jobs,
            loading=loading,
            blobs=blobs,
            parsers=parsers,
            embedder=embedder,
            chat=chat,
        )
    finally:
        await parsers.close()
        fetcher.close()
        if chat is not None:
            await chat.close()
        if embedder is not None:
            await embedder.aclose()
        await database.close()


def _sign_in(workspaces: Workspaces) -> SignIn:
    database, vaults, clock = workspaces.database, workspaces.vaults, workspaces.clock
    return SignIn(
        database,
        vaults,
        clock,
        workspaces.ground,
        Team(database, clock),
        Browsers(database, vaults, clock, workspaces),
        Attempts(database, vaults, clock, workspaces.ground.system),
    )


def _read_with(ingesting: Ingesting, loading: Loading) -> None:
    """Say who reads items, fetches pages, and removes the files of both."""
    jobs, database, blobs = ingesting.jobs, ingesting.database, ingesting.blobs
    jobs.handle(INGEST, ingesting, gave_up=ingesting.gave_up)
    jobs.handle(LOAD, loading, gave_up=loading.gave_up)
    jobs.handle(UNLINK, Unlinking(database, blobs))
    jobs.handle(REMOVE_FILES, RemovingFiles(database, blobs))


def _embed_with(embedding: Embedding) -> None:
    embedding.jobs.handle(EMBED, embedding, gave_up=embedding.gave_up)
    embedding.jobs.handle(MOMENTS, embedding.take_moments)


def join(facts: Facts, items: Items, ingesting: Ingesting) -> None:
    """Say who listens to what happens to items, levels and workspaces."""
    facts.listen(LevelsDeleted, items.on_levels_deleted)
    facts.listen(WorkspaceDeleted, items.on_workspace_deleted)
    facts.listen(ItemChanged, ingesting.queue)
    facts.listen(ItemsChanged, ingesting.queue_many)
    facts.listen(ItemsCancelled, ingesting.forget)
    facts.listen(ItemsMoved, _move)
    facts.listen(ItemsDeleted, ingesting.forget)
    facts.listen(ItemsDeleted, _remove)
    facts.listen(EverythingDeleted, _empty)


async def _move(tx: Transaction, fact: ItemsMoved) -> None:
    await move_items(tx, fact.workspace_id, fact.item_ids, fact.namespace_id)


async def _remove(tx: Transaction, fact: ItemsDeleted) -> None:
    await remove_items(tx, fact.workspace_id, fact.item_ids)


async def _empty(tx: Transaction, fact: EverythingDeleted) -> None:
    await remove_workspace(tx, fact.workspace_id)
