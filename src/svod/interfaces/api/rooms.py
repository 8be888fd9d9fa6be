"""What the door opens onto: the rooms' actions, as far as it calls them."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from svod.conversation.answering.answer import Answer, Question
from svod.conversation.answering.events import AnswerEvent
from svod.conversation.judging import (
    Fitted,
    Judgement,
    JudgementDraft,
    JudgementId,
    JudgementPage,
    JudgementQuery,
)
from svod.foundation.errors import Language, Says
from svod.foundation.ids import ItemId, LevelId, PrincipalId, WorkspaceId
from svod.knowledge.items.bulk.order import BulkOrder, ItemResult
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
    NoteDraft,
    Page,
    Source,
    Target,
    Version,
)
from svod.knowledge.items.links.link import LinkDraft
from svod.knowledge.items.made import NoteResult
from svod.knowledge.retrieval import Context, Found, RetrievalPlan
from svod.knowledge.workspaces import Caller, KeyView, LevelView, NewKey, Permission, Whoami
from svod.knowledge.workspaces.audit import AuditPage, AuditQuery, Done
from svod.knowledge.workspaces.domains import Address, Addresses, Domain, Domains
from svod.knowledge.workspaces.grants import Limit
from svod.knowledge.workspaces.members import Invited, Member, MemberChange, Members
from svod.knowledge.workspaces.replies import MadeBefore, Receipt, Reply
from svod.knowledge.workspaces.rotation import Rotation
from svod.knowledge.workspaces.sign_in import Entered, Invitation
from svod.knowledge.workspaces.tenants import NewTenant, Tenant, TenantPage


class NotReady(Protocol):
    """Something the server still waits for.

    `blocking` is False where everything can be asked already but less well: while the meaning model
    loads, words are searched alone.
    """

    @property
    def code(self) -> str: ...
    @property
    def says(self) -> Says: ...
    @property
    def blocking(self) -> bool: ...


class Health(Protocol):
    """Tells what is not ready; `assembly` knows."""

    async def ready(self) -> Sequence[NotReady]:
        """What is still missing; empty when all is well. Quick: asked every second."""
        ...


class WorkspacesRoom(Protocol):
    """Who asks, his levels and keys."""

    async def authenticate(self, token: str) -> Caller: ...
    async def whoami(self, caller: Caller) -> Whoami: ...
    async def levels(self, caller: Caller) -> tuple[LevelView, ...]: ...
    async def keys(self, caller: Caller) -> tuple[KeyView, ...]: ...
    async def make_key(
        self,
        caller: Caller,
        *,
        name: str,
        permissions: frozenset[Permission],
        expires_at: datetime | None = None,
        limits: Sequence[Limit] | None = None,
    ) -> NewKey: ...
    async def revoke_key(self, caller: Caller, principal_id: PrincipalId) -> None: ...
    async def use_setup_link(self, secret: str) -> NewKey: ...


class DomainsRoom(Protocol):
    """Domains and addresses."""

    async def add_domain(self, caller: Caller, name: str) -> Domain: ...
    async def domain(self, caller: Caller, domain_id: LevelId) -> Domain: ...
    async def domains(self, caller: Caller, *, after: LevelId, limit: int) -> Domains: ...
    async def delete_domain(self, caller: Caller, domain_id: LevelId) -> None: ...
    async def add_address(self, caller: Caller, name: str) -> Address: ...
    async def address(self, caller: Caller, address_id: LevelId) -> Address: ...
    async def addresses(
        self, caller: Caller, *, domain: str | None, after: LevelId, limit: int
    ) -> Addresses: ...
    async def delete_address(self, caller: Caller, address_id: LevelId) -> None: ...


class MembersRoom(Protocol):
    """Who belongs to a workspace."""

    async def invite(self, caller: Caller, invited: Invited) -> Member: ...
    async def member(self, caller: Caller, member_id: PrincipalId) -> Member: ...
    async def members(self, caller: Caller, *, after: PrincipalId, limit: int) -> Members: ...
    async def change(
        self,
        caller: Caller,
        member_id: PrincipalId,
        change: MemberChange,
        *,
        expected_revision: int | None,
    ) -> Member: ...
    async def remove(self, caller: Caller, member_id: PrincipalId) -> None: ...


class TenantsRoom(Protocol):
    """Workspaces as wholes."""

    async def create(self, caller: Caller, *, name: str, language: Language) -> NewTenant: ...
    async def list(self, caller: Caller, *, after: WorkspaceId, limit: int) -> TenantPage: ...
    async def get(self, caller: Caller, workspace_id: WorkspaceId) -> Tenant: ...
    async def change(
        self,
        caller: Caller,
        workspace_id: WorkspaceId,
        *,
        name: str | None,
        language: Language | None,
        expected_revision: int | None,
    ) -> Tenant: ...
    async def delete(self, caller: Caller, workspace_id: WorkspaceId, *, confirm: str) -> None: ...


class ItemsRoom(Protocol):
    """What is kept."""

    async def add_note(
        self, caller: Caller, draft: NoteDraft, *, receipt: Receipt | None
    ) -> Added: ...
    async def add_file(
        self, caller: Caller, draft: FileDraft, *, receipt: Receipt | None
    ) -> Added: ...
    async def add_notes(
        self,
        caller: Caller,
        target: Target,
        drafts: Sequence[NoteDraft],
        *,
        receipt: Receipt | None,
    ) -> tuple[NoteResult, ...]: ...
    async def add_link(
        self, caller: Caller, draft: LinkDraft, *, receipt: Receipt | None
    ) -> Added: ...
    async def recall(self, caller: Caller, note: str) -> Added: ...
    async def check_files(
        self, caller: Caller, target: Target, files: Sequence[FileCheck]
    ) -> tuple[FileState, ...]: ...
    async def get(self, caller: Caller, item_id: ItemId) -> Item: ...
    async def list(self, caller: Caller, query: ItemQuery) -> Page: ...
    async def text(self, caller: Caller, item_id: ItemId, version: int | None) -> ItemText: ...
    async def versions(self, caller: Caller, item_id: ItemId) -> tuple[Version, ...]: ...
    async def source(self, caller: Caller, item_id: ItemId, version: int | None) -> Source: ...
    async def change(
        self, caller: Caller, item_id: ItemId, change: ItemChange, *, expected_revision: int | None
    ) -> Item: ...
    async def compare(
        self, caller: Caller, item_id: ItemId, earlier: int | None, later: int | None
    ) -> Comparison: ...
    async def restore(
        self, caller: Caller, item_id: ItemId, version: int, *, expected_revision: int | None
    ) -> Item: ...
    async def refresh(
        self, caller: Caller, item_id: ItemId, *, expected_revision: int | None
    ) -> Item: ...
    async def cancel(
        self, caller: Caller, item_id: ItemId, *, expected_revision: int | None
    ) -> Item: ...
    async def delete(
        self, caller: Caller, item_id: ItemId, *, expected_revision: int | None
    ) -> None: ...
    async def bulk(self, caller: Caller, order: BulkOrder) -> tuple[ItemResult, ...]: ...


class RetrievalRoom(Protocol):
    """Finding."""

    async def search(self, caller: Caller, plan: RetrievalPlan) -> Found: ...


class ContextsRoom(Protocol):
    """What a prompt should know."""

    async def build_context(
        self, caller: Caller, plan: RetrievalPlan, *, budget: int
    ) -> Context: ...


class AnsweringRoom(Protocol):
    """Answering from what was found."""

    async def ask(self, caller: Caller, question: Question) -> Answer: ...
    def stream(self, caller: Caller, question: Question) -> AsyncGenerator[AnswerEvent]: ...


class JudgingRoom(Protocol):
    """Judged questions."""

    async def judge(
        self, caller: Caller, drafts: Sequence[JudgementDraft], *, target: Target
    ) -> tuple[Judgement, ...]: ...
    async def list(self, caller: Caller, query: JudgementQuery) -> JudgementPage: ...
    async def delete(self, caller: Caller, judgement_id: JudgementId) -> None: ...
    async def fitted(self, caller: Caller) -> tuple[Fitted, ...]: ...


class RotationsRoom(Protocol):
    """New keys, and what is sealed anew with them."""

    async def begin(self, caller: Caller) -> Rotation: ...
    async def state(self, caller: Caller) -> Rotation: ...


class SignInRoom(Protocol):
    """The doors for people."""

    async def invite(self, caller: Caller, member_id: PrincipalId) -> Invitation: ...
    async def accept(self, secret: str, *, password: str, client: str) -> Entered: ...
    async def set_up(self, secret: str, *, email: str, password: str, client: str) -> Entered: ...
    async def enter(self, email: str, *, password: str, client: str) -> Entered: ...
    async def change_password(
        self, caller: Caller, *, current: str, new: str, secret: str
    ) -> None: ...


class BrowsersRoom(Protocol):
    """Browsers that are signed in."""

    async def authenticate(
        self, secret: str, *, workspace: WorkspaceId | None = None
    ) -> Caller: ...
    async def where(self, secret: str) -> Entered: ...
    async def leave(self, secret: str) -> None: ...


class AuditRoom(Protocol):
    """Who did what."""

    async def entries(self, caller: Caller, query: AuditQuery) -> AuditPage: ...
    def export(self, caller: Caller) -> AsyncGenerator[Done]: ...


class RepliesRoom(Protocol):
    """Replies kept for idempotency keys."""

    async def claim(
        self, caller: Caller, request: str, fingerprint: bytes
    ) -> Reply | MadeBefore | None: ...
    def receipt(self, caller: Caller, request: str) -> Receipt: ...
    async def keep(self, caller: Caller, request: str, reply: Reply) -> None: ...
    async def release(self, caller: Caller, request: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Rooms:
    """The rooms, wired.

    `hosts` are names, besides loopback, under which the server is called; `requests_per_minute` is
    how many one principal may make, 0 for any number.
    """

    workspaces: WorkspacesRoom
    domains: DomainsRoom
    members: MembersRoom
    tenants: TenantsRoom
    items: ItemsRoom
    retrieval: RetrievalRoom
    contexts: ContextsRoom
    answering: AnsweringRoom
    judging: JudgingRoom
    replies: RepliesRoom
    rotations: RotationsRoom
    sign_in: SignInRoom
    browsers: BrowsersRoom
    audit: AuditRoom
    health: Health
    requests_per_minute: int = 0
    hosts: frozenset[str] = frozenset()
