"""Writing and reading the log."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import datetime

from svod.foundation.clock import Clock
from svod.foundation.ids import PrincipalId, new_ordered_id
from svod.foundation.storage import Database, Transaction, Vault
from svod.knowledge.workspaces.audit import postgres
from svod.knowledge.workspaces.audit.actions import Action
from svod.knowledge.workspaces.caller import Caller, Reading
from svod.knowledge.workspaces.roles import Permission

Facts = dict[str, str | int]
_PAGE = 500


@dataclass(frozen=True, slots=True)
class Done:
    """One thing that was done: when, by whom, to what. `by` is his name today, None if he is gone."""

    audit_id: int
    at: datetime
    principal_id: PrincipalId
    by: str | None
    action: Action
    subject_id: int | None
    facts: Facts


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """Which entries, newest first; None means no restriction. `limit` 1..500."""

    action: Action | None = None
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None
    limit: int = 100


@dataclass(frozen=True, slots=True)
class AuditPage:
    """Some entries, and before which the next ones stand (None at the end)."""

    entries: tuple[Done, ...]
    next_before: int | None = field(default=None)


async def record(
    tx: Transaction,
    clock: Clock,
    by: Reading,
    action: Action,
    *,
    subject: int | None = None,
    **facts: str | int,
) -> None:
    """Write down what this transaction does; it is there if and when that is done.

    Args:
        tx: the transaction that does it.
        clock: the time.
        by: the workspace in which it is done, and who does it.
        action: what.
        subject: the number of the item, key, member or level that it is done to.
        **facts: what else to know; sealed.
    """
    audit_id = new_ordered_id(clock)
    await postgres.insert_entry(
        tx,
        by.workspace_id,
        postgres.NewEntry(
            audit_id=audit_id,
            at=clock.now(),
            principal_id=by.principal_id,
            action=action,
            subject_id=subject,
            sealed_facts=by.vault.seal_text(json.dumps(facts), "audit", audit_id),
        ),
    )


@dataclass(frozen=True, slots=True)
class Audit:
    """The log of every workspace, for its admins."""

    database: Database
    clock: Clock

    async def entries(self, caller: Caller, query: AuditQuery) -> AuditPage:
        """A page of what was done, newest first.

        Raises:
            PermissionMissing: the caller is no admin.
        """
        caller.need(Permission.ADMIN)
        async with self.database.transaction() as tx:
            return await _page(tx, caller.vault, query)

    async def export(self, caller: Caller) -> AsyncGenerator[Done]:
        """Everything that was done, newest first; that it was exported is written down too.

        Raises:
            PermissionMissing: the caller is no admin.
        """
        caller.need(Permission.ADMIN)
        own = caller.own
        async with self.database.transaction() as tx:
            await record(tx, self.clock, own, Action.AUDIT_EXPORTED)
        query: AuditQuery | None = AuditQuery(limit=_PAGE)
        while query is not None:
            async with self.database.transaction() as tx:
                page = await _page(tx, own.vault, query)
            for entry in page.entries:
                yield entry
            more = page.next_before
            query = None if more is None else AuditQuery(before=more, limit=_PAGE)


async def _page(tx: Transaction, vault: Vault, query: AuditQuery) -> AuditPage:
    rows = await postgres.list_entries(
        tx,
        vault.workspace_id,
        {
            "action": query.action,
            "since": query.since,
            "until": query.until,
            "before": query.before,
            "limit": query.limit + 1,
        },
    )
    shown = tuple(_open(vault, row) for row in rows[: query.limit])
    return AuditPage(shown, shown[-1].audit_id if len(rows) > query.limit else None)


def _open(vault: Vault, row: postgres.EntryRow) -> Done:
    name = row.sealed_name
    return Done(
        audit_id=row.audit_id,
        at=row.at,
        principal_id=row.principal_id,
        by=None if name is None else vault.open_text(name, "principal", row.principal_id),
        action=Action(row.action),
        subject_id=row.subject_id,
        facts=json.loads(vault.open_text(row.sealed_facts, "audit", row.audit_id)),
    )
