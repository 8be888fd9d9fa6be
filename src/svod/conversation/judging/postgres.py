"""The SQL of judged questions; one thin function a statement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from svod.conversation.judging.judgement import JudgementId
from svod.foundation.ids import ItemId, NamespaceId, PrincipalId, WorkspaceId
from svod.foundation.storage import Statements, Transaction
from svod.knowledge.workspaces import Reading

SQL = Statements(__package__ or "")


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item that may be read, with the collection it lies in."""

    item_id: ItemId
    namespace_id: NamespaceId
    may_send: bool
    level_kind: str
    level_name: str


@dataclass(frozen=True, slots=True)
class JudgementRow:
    """A judged question in the collection that it counts for."""

    judgement_id: JudgementId
    item_id: ItemId | None
    sealed_question: bytes
    created_by: PrincipalId
    created_at: datetime
    namespace_id: NamespaceId
    level_kind: str
    level_name: str
    clean_namespace: str
    may_send: bool


@dataclass(frozen=True, slots=True)
class NewRow:
    """A judged question to keep."""

    judgement_id: JudgementId
    namespace_id: NamespaceId
    item_id: ItemId | None
    sealed_question: bytes
    question_key: bytes


@dataclass(frozen=True, slots=True)
class FitRow:
    """What was fitted, as it is told."""

    level_kind: str
    level_name: str
    clean_namespace: str
    languages: str
    answerable: int
    unanswerable: int
    threshold: float | None
    fitted_at: datetime


@dataclass(frozen=True, slots=True)
class NewFit:
    """What was fitted for a pair of languages, on the scales that `basis` names."""

    languages: str
    basis: str
    answerable: int
    unanswerable: int
    threshold: float | None
    intercept: float
    slope: float


@dataclass(frozen=True, slots=True)
class CollectionRow:
    """A collection, and someone who reads its level; None where nobody does."""

    clean_namespace: str
    level_kind: str
    level_name: str
    reader_id: PrincipalId | None


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A question that counts for a collection."""

    judgement_id: JudgementId
    item_id: ItemId | None
    sealed_question: bytes


async def items_to_judge(
    tx: Transaction, reading: Reading, item_ids: Sequence[ItemId]
) -> list[ItemRow]:
    """Those of the items that may be read."""
    parameters = reading.sql | {"item_ids": list(item_ids)}
    return await tx.rows(SQL.items_to_judge, parameters, row=ItemRow)


async def put_judgements(
    tx: Transaction, reading: Reading, rows: Sequence[NewRow], *, now: datetime
) -> list[JudgementId]:
    """Keep judged questions, distinct by collection and key; their ids, old ones where known."""
    columns = {
        "judgement_ids": [row.judgement_id for row in rows],
        "namespace_ids": [row.namespace_id for row in rows],
        "item_ids": [row.item_id for row in rows],
        "sealed_questions": [row.sealed_question for row in rows],
        "question_keys": [row.question_key for row in rows],
    }
    return await tx.values(SQL.put_judgements, reading.sql | columns | {"now": now})


async def list_judgements(
    tx: Transaction, reading: Reading, filters: Mapping[str, object]
) -> list[JudgementRow]:
    """Judged questions of levels that may be read."""
    return await tx.rows(SQL.list_judgements, reading.sql | dict(filters), row=JudgementRow)


async def delete_judgement(
    tx: Transaction, workspace_id: WorkspaceId, judgement_id: JudgementId
) -> None:
    """Remove one."""
    await tx.run(SQL.delete_judgement, {"workspace_id": workspace_id, "judgement_id": judgement_id})


async def list_fits(tx: Transaction, reading: Reading) -> list[FitRow]:
    """What was fitted in collections that may be read."""
    return await tx.rows(SQL.list_fits, reading.sql, row=FitRow)


async def collections_of_items(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> list[NamespaceId]:
    """The collections that have questions judged by these items."""
    parameters = {"workspace_id": workspace_id, "item_ids": list(item_ids)}
    return await tx.values(SQL.collections_of_items, parameters)


async def collection(
    tx: Transaction, workspace_id: WorkspaceId, namespace_id: NamespaceId
) -> CollectionRow | None:
    """A collection."""
    parameters = {"workspace_id": workspace_id, "namespace_id": namespace_id}
    return await tx.first(SQL.collection, parameters, row=CollectionRow)


async def judged_in(
    tx: Transaction, workspace_id: WorkspaceId, namespace_id: NamespaceId, *, limit: int
) -> list[JudgedRow]:
    """The newest judged questions of a collection."""
    parameters = {"workspace_id": workspace_id, "namespace_id": namespace_id, "limit": limit}
    return await tx.rows(SQL.judged_in, parameters, row=JudgedRow)


async def replace_fits(
    tx: Transaction,
    workspace_id: WorkspaceId,
    namespace_id: NamespaceId,
    fits: Sequence[NewFit],
    *,
    now: datetime,
) -> None:
    """Put what was fitted in the place of what was fitted before."""
    where = {"workspace_id": workspace_id, "namespace_id": namespace_id}
    await tx.run(SQL.drop_fits, where)
    columns = {
        "languages": [fit.languages for fit in fits],
        "bases": [fit.basis for fit in fits],
        "answerable": [fit.answerable for fit in fits],
        "unanswerable": [fit.unanswerable for fit in fits],
        "thresholds": [fit.threshold for fit in fits],
        "intercepts": [fit.intercept for fit in fits],
        "slopes": [fit.slope for fit in fits],
    }
    await tx.run(SQL.insert_fits, where | columns | {"now": now})
