"""The SQL of links; one thin function a statement."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from svod.foundation.ids import ItemId, LevelId, PrincipalId, WorkspaceId
from svod.foundation.storage import Statements, Transaction

SQL = Statements(__package__ or "")


@dataclass(frozen=True, slots=True)
class PageAt:
    """The page of an item."""

    workspace_id: WorkspaceId
    item_id: ItemId

    @property
    def sql(self) -> dict[str, object]:
        """The parameters that name it."""
        return {"workspace_id": self.workspace_id, "item_id": self.item_id}


@dataclass(frozen=True, slots=True)
class TwinRow:
    """The item that a page is already."""

    item_id: ItemId
    external_id_key: bytes | None


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A page and its item as they stand, still sealed."""

    item_id: ItemId
    status: str
    failure_code: str | None
    version: int
    serving_version: int | None
    meaning_ready: float
    created_by: PrincipalId
    sealed_url: bytes
    sealed_final_url: bytes | None
    sealed_etag: bytes | None
    sealed_last_modified: bytes | None
    marked_version: int | None
    wanted: bool
    reread: bool
    attempts: int
    failed_days: int
    refresh_days: int | None
    fetched_at: datetime | None
    blob_key: bytes | None
    content_key: bytes
    sealed_title: bytes
    own_title: bool
    sealed_split: bytes | None


@dataclass(frozen=True, slots=True)
class MarksRow:
    """What a site said of the copy that a version holds."""

    sealed_final_url: bytes
    sealed_etag: bytes | None
    sealed_last_modified: bytes | None
    version: int
    now: datetime
    next_refresh_at: datetime | None


@dataclass(frozen=True, slots=True)
class PageRow:
    """A fetched page, put into a version that has none yet."""

    version: int
    media_type: str
    size: int
    content_key: bytes
    blob_key: bytes
    sealed_title: bytes
    now: datetime


async def find_by_url(
    tx: Transaction, workspace_id: WorkspaceId, level_id: LevelId, url_key: bytes
) -> TwinRow | None:
    """The item of a level that is this page, locked."""
    keys = {"workspace_id": workspace_id, "level_id": level_id, "url_key": url_key}
    return await tx.first(SQL.find_by_url, keys, row=TwinRow)


async def taken_urls(
    tx: Transaction, workspace_id: WorkspaceId, level_id: LevelId, item_ids: Sequence[ItemId]
) -> set[ItemId]:
    """Those of the items whose page another item of a level is already."""
    keys = {"workspace_id": workspace_id, "level_id": level_id, "item_ids": list(item_ids)}
    return set(await tx.values(SQL.taken_urls, keys))


async def put_link(
    tx: Transaction, at: PageAt, *, url_key: bytes, sealed_url: bytes, refresh_days: int | None
) -> None:
    """Say which page an item is; what was known of another one is forgotten."""
    await tx.run(SQL.set_url_key, at.sql | {"url_key": url_key})
    await tx.run(SQL.put_link, at.sql | {"sealed_url": sealed_url, "refresh_days": refresh_days})


async def want_pages(
    tx: Transaction, workspace_id: WorkspaceId, item_ids: Sequence[ItemId]
) -> None:
    """Say that the pages of these items are to be fetched, as far as they are links."""
    await tx.run(SQL.want_pages, {"workspace_id": workspace_id, "item_ids": list(item_ids)})


async def set_refresh_days(
    tx: Transaction, at: PageAt, days: int | None, *, next_refresh_at: datetime | None
) -> None:
    """Say how often a page is fetched again."""
    keys = {"refresh_days": days, "next_refresh_at": next_refresh_at}
    await tx.run(SQL.set_refresh_days, at.sql | keys)


async def is_wanted(tx: Transaction, at: PageAt) -> bool:
    """Whether the page of an item is to be fetched; False for an item that is no link."""
    return bool(await tx.value(SQL.is_wanted, at.sql))


async def lock_item(tx: Transaction, at: PageAt) -> bool:
    """Lock the item; whether it is there."""
    return await tx.value(SQL.lock_item, at.sql) is not None


async def find_link(tx: Transaction, at: PageAt) -> LinkRow | None:
    """A page and its item."""
    return await tx.first(SQL.find_link, at.sql, row=LinkRow)


async def count_attempt(tx: Transaction, at: PageAt) -> None:
    """Count a try that failed and is followed by another."""
    await tx.run(SQL.count_attempt, at.sql)


async def keep_fetched(tx: Transaction, at: PageAt, marks: MarksRow) -> None:
    """Say that the page was had."""
    await tx.run(SQL.keep_fetched, at.sql | asdict(marks))


async def keep_failed(tx: Transaction, at: PageAt, *, next_refresh_at: datetime | None) -> None:
    """Say that the page could not be had."""
    await tx.run(SQL.keep_failed, at.sql | {"next_refresh_at": next_refresh_at})


async def fill_version(tx: Transaction, at: PageAt, page: PageRow) -> None:
    """Put a page into the version that waits for it."""
    await tx.run(SQL.fill_version, at.sql | asdict(page))
    await tx.run(SQL.fill_item, at.sql | asdict(page))


async def settle_item(tx: Transaction, at: PageAt) -> bool:
    """Say that an item is as it should be; False if something of it is still to be done."""
    return await tx.run(SQL.settle_item, at.sql) > 0


async def read_again(tx: Transaction, at: PageAt) -> None:
    """Let an item wait for being read."""
    await tx.run(SQL.read_again, at.sql)


async def fail_load(
    tx: Transaction, at: PageAt, *, code: str, sealed_failure: bytes, now: datetime
) -> None:
    """Say on an item why its page could not be had."""
    keys = {"code": code, "sealed_failure": sealed_failure, "now": now}
    await tx.run(SQL.fail_load, at.sql | keys)


async def claim_due(
    tx: Transaction, *, now: datetime, again_at: datetime, limit: int
) -> list[PageAt]:
    """Some of the pages whose day has come, of every workspace; nobody else gets them too."""
    keys = {"now": now, "again_at": again_at, "limit": limit}
    return await tx.rows(SQL.claim_due, keys, row=PageAt)
