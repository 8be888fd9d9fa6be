"""Rooms that answer from memory, for the doors that stand before them."""

import asyncio
import secrets
import threading
from collections.abc import AsyncGenerator, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256

from fakes.doors import ScriptedAudit, ScriptedBrowsers, ScriptedSignIn
from fakes.judging import ScriptedJudging
from fakes.people import ScriptedDomains, ScriptedMembers, ScriptedTenants
from svod.conversation.answering.answer import Answer, AnswerMeta, Citation, Question
from svod.conversation.answering.events import AnswerDelta, AnswerEvent, EvidenceFound
from svod.foundation.errors import Language, Says, Unavailable
from svod.foundation.fetching import check_host, read_url
from svod.foundation.ids import ItemId, PrincipalId, WorkspaceId
from svod.foundation.storage import Vault
from svod.interfaces.api import NotReady, Rooms
from svod.knowledge.items.bulk.order import Became, BulkAction, BulkOrder, ItemResult, failed
from svod.knowledge.items.comparing import compare
from svod.knowledge.items.errors import (
    BytesUnknown,
    ExternalIdTaken,
    ItemChangedMeanwhile,
    ItemNotFound,
    NoteEmpty,
    NothingToCancel,
    VersionNotFound,
)
from svod.knowledge.items.item import (
    Added,
    Comparison,
    FileCheck,
    FileDraft,
    FileState,
    Item,
    ItemChange,
    ItemQuery,
    ItemText,
    LinkState,
    NoteDraft,
    Origin,
    Outcome,
    Page,
    Remark,
    Source,
    Stage,
    Status,
    Target,
    Version,
)
from svod.knowledge.items.links.errors import NotALink
from svod.knowledge.items.links.link import LinkDraft
from svod.knowledge.items.made import NoteResult, note_added, note_results, noted_added
from svod.knowledge.retrieval import Contexts, Found, Hit, Layer, Matched, RetrievalPlan
from svod.knowledge.retrieval.passages import Canonical, Passage, of_hit
from svod.knowledge.retrieval.plan import Corrected, Overridden, Stale
from svod.knowledge.workspaces import (
    Caller,
    KeyView,
    LevelNotFound,
    LevelView,
    NewKey,
    Permission,
    Reading,
    Unauthenticated,
    Whoami,
)
from svod.knowledge.workspaces.errors import KeyNotFound, SetupLinkSpent
from svod.knowledge.workspaces.grants import Limit
from svod.knowledge.workspaces.replies import (
    KeyReused,
    MadeBefore,
    Receipt,
    Reply,
    StillRunning,
)
from svod.knowledge.workspaces.rotation import Rotation

NOW = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
OWNER_KEY, READER_KEY, BILLING_KEY = "svod_owner", "svod_reader", "svod_billing"
OPERATOR_KEY = "svod_operator"
SETUP_SECRET = "svod_setup_once"
WORKSPACE = WorkspaceId(77)
SYSTEM = WorkspaceId(78)


def a_vault(workspace_id: WorkspaceId = WORKSPACE) -> Vault:
    return Vault(workspace_id, seal_keys={1: bytes(32)}, words_key=bytes(32))


def a_caller(*permissions: Permission, principal: int = 1, operator: bool = False) -> Caller:
    return Caller(
        own=Reading(WORKSPACE, PrincipalId(principal), a_vault()),
        system=Reading(SYSTEM, PrincipalId(0), a_vault(SYSTEM)),
        permissions=frozenset(permissions),
        name="tester",
        kind="key",
        operator=operator,
    )


def an_item(number: int = 1, **changes: object) -> Item:
    item = Item(
        workspace_id=WORKSPACE,
        item_id=ItemId(number),
        kind="note",
        title="Возврат",
        name=None,
        external_id=None,
        level="workspace",
        namespace="",
        status=Status.READY,
        stage=Stage.INDEXED,
        progress=1.0,
        meaning_ready=1.0,
        failure=None,
        warnings=(),
        media_type="text/markdown",
        bytes=10,
        characters=10,
        version=1,
        serving_version=1,
        revision=1,
        origin=Origin.API,
        ingest="USER_UPLOAD",
        pinned=False,
        created_by=PrincipalId(1),
        created_at=NOW,
        updated_at=NOW,
    )
    return replace(item, **changes)  # type: ignore[arg-type]


def a_hit(**changes: object) -> Hit:
    hit = Hit(
        workspace_id=WORKSPACE,
        item_id=ItemId(1),
        version=1,
        title="Возврат и обмен",
        external_id="shop/returns.md",
        kind="file",
        layer=Layer.K_DOCUMENT,
        level="workspace",
        namespace="",
        updated_at="2026-11-30T12:00:00Z",
        start=20,
        end=57,
        text="Вернуть товар можно в течение 21 дня.",
        heading_path=("Сроки",),
        header="",
        page=3,
        sheet=None,
        score=0.87,
        rank_score=5.6,
        words=0.93,
        cosine=0.88,
        matched=Matched(words=("вернуть",), spans=((0, 7),), meaning=True),
    )
    return replace(hit, **changes)  # type: ignore[arg-type]


@dataclass
class ScriptedWorkspaces:
    """Three keys, and those made since."""

    callers: dict[str, Caller] = field(
        default_factory=lambda: {
            OWNER_KEY: a_caller(Permission.ADMIN),
            READER_KEY: a_caller(Permission.KNOWLEDGE_READ, principal=2),
            BILLING_KEY: a_caller(principal=3),
            OPERATOR_KEY: a_caller(Permission.ADMIN, principal=4, operator=True),
        }
    )
    made: list[NewKey] = field(default_factory=list)
    setup_spent: bool = False

    async def authenticate(self, token: str) -> Caller:
        if token not in self.callers:
            raise Unauthenticated
        return self.callers[token]

    async def whoami(self, caller: Caller) -> Whoami:
        return Whoami(
            workspace_id=WORKSPACE,
            workspace_name="Лесная полка",
            principal_id=caller.own.principal_id,
            kind=caller.kind,
            name=caller.name,
            permissions=tuple(sorted(caller.permissions)),
            operator=caller.operator,
            expires_at=None,
            levels=self._levels(caller),
            role=caller.role,
        )

    async def levels(self, caller: Caller) -> tuple[LevelView, ...]:
        caller.need(Permission.KNOWLEDGE_READ)
        return self._levels(caller)

    async def keys(self, caller: Caller) -> tuple[KeyView, ...]:
        caller.need(Permission.ADMIN)
        return tuple(made.key for made in self.made)

    async def make_key(
        self,
        caller: Caller,
        *,
        name: str,
        permissions: frozenset[Permission],
        expires_at: datetime | None = None,
        limits: Sequence[Limit] | None = None,
    ) -> NewKey:
        caller.need(Permission.ADMIN)
        number = PrincipalId(10 + len(self.made))
        view = KeyView(
            principal_id=number,
            name=name,
            permissions=tuple(sorted(permissions)),
            operator=False,
            created_at=NOW,
            expires_at=expires_at,
            revoked_at=None,
            last_used_at=None,
            limits=None if limits is None else tuple(limits),
            member_id=caller.own.principal_id,
            made_by=caller.own.principal_id,
        )
        made = NewKey(view, f"svod_made_{secrets.token_hex(4)}")
        self.made.append(made)
        return made

    async def revoke_key(self, caller: Caller, principal_id: PrincipalId) -> None:
        caller.need(Permission.ADMIN)
        if all(made.key.principal_id != principal_id for made in self.made):
            raise KeyNotFound

    async def use_setup_link(self, secret: str) -> NewKey:
        if self.setup_spent or secret != SETUP_SECRET:
            raise SetupLinkSpent
        self.setup_spent = True
        owner = self.callers[OWNER_KEY]
        return await self.make_key(owner, name="setup", permissions=frozenset({Permission.ADMIN}))

    @staticmethod
    def _levels(caller: Caller) -> tuple[LevelView, ...]:
        may_change = caller.may(Permission.KNOWLEDGE_WRITE)
        return (
            LevelView("workspace", "workspace", 2, may_change),
            LevelView("global", "global", 0, may_change=False),
        )


@dataclass
class ScriptedItems:
    """Items in a dictionary; a file named `broken…` fails, the rest is ready at once."""

    kept: dict[ItemId, Item] = field(default_factory=dict)
    sources: dict[ItemId, Source] = field(default_factory=dict)
    hashes: dict[ItemId, bytes] = field(default_factory=dict)
    uploads: int = 0

    async def add_note(self, caller: Caller, draft: NoteDraft, *, receipt: Receipt | None) -> Added:
        caller.need(Permission.KNOWLEDGE_WRITE)
        self._target(draft.target)
        if not draft.text.strip():
            raise NoteEmpty
        source = Source(draft.text.encode(), "text/markdown", "note.md")
        added = self._keep(
            draft.external_id,
            source,
            kind="note",
            title=draft.title or draft.text[:20],
            tags=draft.tags or (),
        )
        await self._note(receipt, note_added(added))
        return added

    async def add_notes(
        self,
        caller: Caller,
        target: Target,
        drafts: Sequence[NoteDraft],
        *,
        receipt: Receipt | None,
    ) -> tuple[NoteResult, ...]:
        caller.need(Permission.KNOWLEDGE_WRITE)
        self._target(target)
        results: list[NoteResult] = []
        for draft in drafts:
            try:
                added = await self.add_note(caller, draft, receipt=None)
                results.append(NoteResult(added.outcome, added.item.item_id))
            except NoteEmpty as error:
                results.append(NoteResult.refused(error))
        await self._note(receipt, note_results(results))
        return tuple(results)

    async def add_link(self, caller: Caller, draft: LinkDraft, *, receipt: Receipt | None) -> Added:
        caller.need(Permission.KNOWLEDGE_WRITE)
        self._target(draft.target)
        url = read_url(draft.url)
        check_host(url.host)
        state = LinkState(url.text, None, draft.refresh_days, None, is_stale=False)
        known = [one for one in self.kept.values() if one.link and one.link.url == url.text]
        if known:
            return Added(known[0], Outcome.UNCHANGED)
        source = Source(url.text.encode(), "text/html", "page.html")
        added = self._keep(
            draft.external_id,
            source,
            kind="link",
            title=draft.title or url.shown,
            link=state,
        )
        await self._note(receipt, note_added(added))
        return added

    async def recall(self, caller: Caller, note: str) -> Added:
        item_id, outcome = noted_added(note)
        return Added(await self.get(caller, item_id), outcome)

    async def add_file(
        self,
        caller: Caller,
        draft: FileDraft,
        *,
        receipt: Receipt | None,  # noqa: ARG002
    ) -> Added:
        caller.need(Permission.KNOWLEDGE_WRITE)
        self._target(draft.target)
        content = draft.content
        if content is None:
            known = next((one for one, h in self.hashes.items() if h == draft.sha256), None)
            if known is None:
                raise BytesUnknown
            content = self.sources[known].content
        else:
            self.uploads += 1
        failure = Remark("encrypted") if draft.name.startswith("broken") else None
        return self._keep(
            draft.external_id,
            Source(content, "text/plain", draft.name),
            kind="file",
            title=draft.title or draft.name,
            name=draft.name,
            failure=failure,
            status=Status.FAILED if failure else Status.READY,
        )

    async def check_files(
        self, caller: Caller, target: Target, files: Sequence[FileCheck]
    ) -> tuple[FileState, ...]:
        caller.need(Permission.KNOWLEDGE_WRITE)
        self._target(target)
        states: list[FileState] = []
        for file in files:
            same = next(
                (
                    one
                    for one, known in self.hashes.items()
                    if known == file.sha256 and self.kept[one].external_id == file.external_id
                ),
                None,
            )
            states.append(FileState(self.kept.get(same), file.sha256 in self.hashes.values()))
        return tuple(states)

    async def get(self, caller: Caller, item_id: ItemId) -> Item:
        caller.need(Permission.KNOWLEDGE_READ)
        return self._find(item_id)

    async def list(self, caller: Caller, query: ItemQuery) -> Page:
        caller.need(Permission.KNOWLEDGE_READ)
        start = int(query.cursor or 0)
        found = [
            item
            for item in reversed(self.kept.values())
            if query.status in {None, item.status}
            and query.kind in {None, item.kind}
            and query.external_id in {None, item.external_id}
            and query.pinned in {None, item.pinned}
            and (query.tag is None or query.tag in item.tags)
        ]
        more = start + query.limit < len(found)
        shown = tuple(found[start : start + query.limit])
        return Page(shown, str(start + query.limit) if more else None)

    async def text(self, caller: Caller, item_id: ItemId, version: int | None) -> ItemText:
        caller.need(Permission.KNOWLEDGE_READ)
        item = self._find(item_id)
        text = self.sources[item_id].content.decode()
        return ItemText(item_id, version or item.version, item.title, text)

    async def versions(self, caller: Caller, item_id: ItemId) -> tuple[Version, ...]:
        caller.need(Permission.KNOWLEDGE_READ)
        item = self._find(item_id)
        return tuple(
            Version(n, item.title, item.name, "text/plain", 10, 10, PrincipalId(1), NOW, "Анна")
            for n in range(item.version, 0, -1)
        )

    async def source(self, caller: Caller, item_id: ItemId, version: int | None) -> Source:  # noqa: ARG002
        caller.need(Permission.KNOWLEDGE_READ)
        self._find(item_id)
        return self.sources[item_id]

    async def change(
        self, caller: Caller, item_id: ItemId, change: ItemChange, *, expected_revision: int | None
    ) -> Item:
        caller.need(Permission.KNOWLEDGE_WRITE)
        item = self._find(item_id)
        if expected_revision not in {None, item.revision}:
            raise ItemChangedMeanwhile(revision=item.revision)
        if change.external_id == "taken":
            raise ExternalIdTaken
        if change.level is not None:
            self._target(Target(change.level))
        if change.refresh is not None:
            if item.link is None:
                raise NotALink
            item = replace(item, link=replace(item.link, refresh_days=change.refresh.days))
        named = {
            "title": change.title,
            "pinned": change.pinned,
            "tags": change.tags,
            "external_id": change.external_id,
            "namespace": change.namespace,
        }
        given = {name: value for name, value in named.items() if value is not None}
        self.kept[item_id] = replace(item, revision=item.revision + 1, **given)  # type: ignore[arg-type]
        return self.kept[item_id]

    async def compare(
        self, caller: Caller, item_id: ItemId, earlier: int | None, later: int | None
    ) -> Comparison:
        caller.need(Permission.KNOWLEDGE_READ)
        item = self._find(item_id)
        later = later or item.version
        if later > item.version:
            raise VersionNotFound(version=later)
        difference = compare("один\nдва", "один\nтри")
        return Comparison(
            item_id, earlier or max(1, later - 1), later, item.title, item.title, difference
        )

    async def restore(
        self, caller: Caller, item_id: ItemId, version: int, *, expected_revision: int | None
    ) -> Item:
        caller.need(Permission.KNOWLEDGE_WRITE)
        item = self._expected(item_id, expected_revision)
        if version > item.version:
            raise VersionNotFound(version=version)
        self.kept[item_id] = replace(
            item, version=item.version + 1, revision=item.revision + 1, status=Status.QUEUED
        )
        return self.kept[item_id]

    async def refresh(
        self, caller: Caller, item_id: ItemId, *, expected_revision: int | None
    ) -> Item:
        caller.need(Permission.KNOWLEDGE_WRITE)
        item = self._expected(item_id, expected_revision)
        self.kept[item_id] = replace(item, status=Status.QUEUED, failure=None)
        return self.kept[item_id]

    async def cancel(
        self, caller: Caller, item_id: ItemId, *, expected_revision: int | None
    ) -> Item:
        caller.need(Permission.KNOWLEDGE_WRITE)
        item = self._expected(item_id, expected_revision)
        if item.status not in {Status.QUEUED, Status.PROCESSING}:
            raise NothingToCancel
        self.kept[item_id] = replace(item, status=Status.FAILED, failure=Remark("cancelled"))
        return self.kept[item_id]

    async def delete(
        self, caller: Caller, item_id: ItemId, *, expected_revision: int | None
    ) -> None:
        caller.need(Permission.KNOWLEDGE_WRITE)
        self._expected(item_id, expected_revision)
        del self.kept[item_id]
        del self.hashes[item_id]

    async def bulk(self, caller: Caller, order: BulkOrder) -> tuple[ItemResult, ...]:
        caller.need(Permission.KNOWLEDGE_WRITE)
        if order.action is BulkAction.MOVE:
            self._target(order.target)
        results: list[ItemResult] = []
        for item_id in order.item_ids:
            if item_id not in self.kept:
                results.append(failed(item_id, ItemNotFound()))
                continue
            item = self.kept[item_id]
            new = self._after(item, order)
            if new is None:
                del self.kept[item_id], self.hashes[item_id]
            else:
                self.kept[item_id] = new
            results.append(ItemResult(item_id, Became.UNCHANGED if new == item else Became.DONE))
        return tuple(results)

    @staticmethod
    def _after(item: Item, order: BulkOrder) -> Item | None:
        match order.action:
            case BulkAction.TAG:
                return replace(item, tags=tuple(sorted({*item.tags, *order.tags})))
            case BulkAction.UNTAG:
                return replace(item, tags=tuple(sorted({*item.tags} - {*order.tags})))
            case BulkAction.PIN | BulkAction.UNPIN:
                return replace(item, pinned=order.action is BulkAction.PIN)
            case BulkAction.MOVE:
                return replace(item, namespace=order.target.namespace)
            case BulkAction.REFRESH:
                return replace(item, status=Status.QUEUED)
            case BulkAction.CANCEL:
                return replace(item, status=Status.FAILED)
            case BulkAction.DELETE:
                return None

    def _expected(self, item_id: ItemId, revision: int | None) -> Item:
        item = self._find(item_id)
        if revision not in {None, item.revision}:
            raise ItemChangedMeanwhile(revision=item.revision)
        return item

    @staticmethod
    async def _note(receipt: Receipt | None, note: str) -> None:
        if isinstance(receipt, ScriptedReceipt):
            receipt.notes[receipt.request] = note

    def _find(self, item_id: ItemId) -> Item:
        if item_id not in self.kept:
            raise ItemNotFound
        return self.kept[item_id]

    def _keep(self, external_id: str | None, source: Source, **fields: object) -> Added:
        same = [one for one in self.kept.values() if external_id and one.external_id == external_id]
        digest = sha256(source.content).digest()
        if same:
            item = same[0]
            outcome = Outcome.UNCHANGED
            if self.hashes[item.item_id] != digest:
                outcome = Outcome.UPDATED
                item = replace(item, version=item.version + 1, **fields)  # type: ignore[arg-type]
        else:
            number = max(self.kept, default=0) + 1
            item = an_item(number, external_id=external_id, **fields)
            outcome = Outcome.CREATED
        self.kept[item.item_id] = item
        self.sources[item.item_id] = source
        self.hashes[item.item_id] = digest
        return Added(item, outcome)

    @staticmethod
    def _target(target: Target) -> None:
        if target.level != "workspace":
            raise LevelNotFound(level=target.level)


@dataclass
class ScriptedRetrieval:
    """Finds the same hit for every query but `nothing`."""

    plans: list[RetrievalPlan] = field(default_factory=list)
    broken: bool = False

    async def search(self, caller: Caller, plan: RetrievalPlan) -> Found:
        caller.need(Permission.KNOWLEDGE_READ)
        self.plans.append(plan)
        if self.broken:
            raise RuntimeError("secret words of an item")
        gone = Overridden(ItemId(9), "Возврат для всех", "global")
        hit = a_hit(age_days=40, stale=Stale.NEWER_FAILED, overrides=(gone,))
        corrected = (Corrected("возвртат", "возврат"),) if plan.query == "возвртат" else ()
        return Found(
            () if plan.query == "nothing" else (hit,),
            used_words=True,
            used_meaning=True,
            meaning_ready=1.0,
            calibration="default",
            corrected=corrected,
            query="возврат" if corrected else plan.query,
        )


class ScriptedPaths:
    """Every level is read with the workspace and the global one."""

    async def read_path(self, caller: Caller, level: str) -> tuple[str, ...]:
        caller.need(Permission.KNOWLEDGE_READ)
        if level == "domain:nobody.com":
            raise LevelNotFound(level=level)
        return tuple(dict.fromkeys((level, "workspace", "global")))


class ScriptedTexts:
    """One pinned note, and no text besides."""

    async def pinned(
        self, caller: Caller, plan: RetrievalPlan, *, characters: int
    ) -> Sequence[Passage]:
        caller.need(Permission.KNOWLEDGE_READ)
        if "workspace" not in (plan.levels or ("workspace",)) or not characters:
            return []
        hit = a_hit(item_id=ItemId(2), title="Тон", text="Обращайтесь на «вы».", heading_path=())
        return [replace(of_hit(hit), pinned=True, page=None, score=None, hits=(), start=0, end=20)]

    async def canonical(self, caller: Caller, wanted: Collection[tuple[ItemId, int]]) -> Canonical:
        caller.need(Permission.KNOWLEDGE_READ)
        return dict.fromkeys(wanted, "")


@dataclass
class ScriptedAnswering:
    """Answers every question but `nothing`; `unavailable` cannot be answered now."""

    questions: list[Question] = field(default_factory=list)
    left: threading.Event = field(default_factory=threading.Event)
    streamed: int = 0
    notes: tuple[str, ...] = ()

    async def stream(self, caller: Caller, question: Question) -> AsyncGenerator[AnswerEvent]:
        """`slow` is silent after the evidence, `breaks` fails there; else parts of the answer."""
        answer = await self.ask(caller, question)
        self.streamed += 1
        yield EvidenceFound((a_hit(),) if answer.answered else ())
        if question.plan.query == "breaks":
            raise Unavailable
        if question.plan.query == "crashes":
            raise RuntimeError("secret words of an item")
        if question.plan.query == "slow":
            try:
                await asyncio.sleep(3600)
            finally:
                self.left.set()
        middle = len(answer.text) // 2
        for part in (answer.text[:middle], answer.text[middle:]):
            yield AnswerDelta(part)
        yield answer

    async def ask(self, caller: Caller, question: Question) -> Answer:
        caller.need(Permission.KNOWLEDGE_READ)
        self.questions.append(question)
        if question.plan.query == "unavailable":
            raise Unavailable
        hit = a_hit()
        meta = AnswerMeta(
            None,
            used_words=True,
            used_meaning=True,
            meaning_ready=1.0,
            calibration="default",
            notes=self.notes,
        )
        if question.plan.query == "nothing":
            return Answer("Ничего не найдено.", False, Language.RU, (), hit, meta)
        citation = Citation(
            n=1,
            item_id=hit.item_id,
            external_id=hit.external_id,
            title=hit.title,
            version=1,
            start=hit.start,
            end=hit.end,
            text=hit.text,
            heading_path=hit.heading_path,
            page=hit.page,
            sheet=None,
            level="workspace",
            updated_at=hit.updated_at,
        )
        return Answer(f"{hit.text} [1]", True, Language.RU, (citation,), None, meta)


@dataclass
class ScriptedReceipt:
    """Notes what was made under its request."""

    request: tuple[int, str]
    notes: dict[tuple[int, str], str]


@dataclass
class ScriptedReplies:
    """Kept replies in a dictionary."""

    kept: dict[tuple[int, str], tuple[bytes, Reply | None]] = field(default_factory=dict)
    notes: dict[tuple[int, str], str] = field(default_factory=dict)
    dies_before_keeping: bool = False

    def receipt(self, caller: Caller, request: str) -> ScriptedReceipt:
        return ScriptedReceipt((caller.own.principal_id, request), self.notes)

    async def claim(
        self, caller: Caller, request: str, fingerprint: bytes
    ) -> Reply | MadeBefore | None:
        key = (caller.own.principal_id, request)
        if key not in self.kept:
            self.kept[key] = (fingerprint, None)
            return None
        before, reply = self.kept[key]
        if before != fingerprint:
            raise KeyReused
        if reply is not None:
            return reply
        if key in self.notes:
            return MadeBefore(self.notes[key])
        raise StillRunning

    async def keep(self, caller: Caller, request: str, reply: Reply) -> None:
        key = (caller.own.principal_id, request)
        if self.dies_before_keeping:
            raise RuntimeError("killed")
        self.kept[key] = (self.kept[key][0], reply)

    async def release(self, caller: Caller, request: str) -> None:
        key = (caller.own.principal_id, request)
        if key not in self.notes:
            del self.kept[key]


@dataclass
class ScriptedRotations:
    """Two workspaces, whose rotation begins once."""

    under_way: int = 0

    async def begin(self, caller: Caller) -> Rotation:
        caller.need_operator()
        started = 2 - self.under_way
        self.under_way = 2
        return Rotation(2, self.under_way, started)

    async def state(self, caller: Caller) -> Rotation:
        caller.need_operator()
        return Rotation(2, self.under_way)


@dataclass(frozen=True)
class Missing:
    """Something that is not ready."""

    code: str
    says: Says
    blocking: bool = True


@dataclass
class ScriptedHealth:
    """Misses what it is told to miss."""

    missing: list[NotReady] = field(default_factory=list)

    async def ready(self) -> Sequence[NotReady]:
        return self.missing


@dataclass
class Scripted:
    """All of them, and the `Rooms` that a door takes."""

    workspaces: ScriptedWorkspaces = field(default_factory=ScriptedWorkspaces)
    domains: ScriptedDomains = field(default_factory=ScriptedDomains)
    members: ScriptedMembers = field(default_factory=ScriptedMembers)
    tenants: ScriptedTenants = field(default_factory=ScriptedTenants)
    items: ScriptedItems = field(default_factory=ScriptedItems)
    retrieval: ScriptedRetrieval = field(default_factory=ScriptedRetrieval)
    answering: ScriptedAnswering = field(default_factory=ScriptedAnswering)
    judging: ScriptedJudging = field(default_factory=ScriptedJudging)
    replies: ScriptedReplies = field(default_factory=ScriptedReplies)
    rotations: ScriptedRotations = field(default_factory=ScriptedRotations)
    sign_in: ScriptedSignIn = field(default_factory=ScriptedSignIn)
    browsers: ScriptedBrowsers = field(default_factory=ScriptedBrowsers)
    audit: ScriptedAudit = field(default_factory=ScriptedAudit)
    health: ScriptedHealth = field(default_factory=ScriptedHealth)

    @property
    def rooms(self) -> Rooms:
        return Rooms(
            workspaces=self.workspaces,
            domains=self.domains,
            members=self.members,
            tenants=self.tenants,
            items=self.items,
            retrieval=self.retrieval,
            contexts=Contexts(self.retrieval, ScriptedTexts(), ScriptedPaths()),
            answering=self.answering,
            judging=self.judging,
            replies=self.replies,
            rotations=self.rotations,
            sign_in=self.sign_in,
            browsers=self.browsers,
            audit=self.audit,
            health=self.health,
            hosts=frozenset({"svod.example"}),
        )
