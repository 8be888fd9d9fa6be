"""A link as it is asked for and as it is seen."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from svod.foundation.ids import ItemId
from svod.foundation.storage import Vault
from svod.knowledge.items.item import Origin, Target
from svod.knowledge.items.links.errors import BadRefreshDays

REFRESH_DAYS = (1, 7, 30)


@dataclass(frozen=True, slots=True)
class LinkDraft:
    """A page to add. `refresh_days` 1, 7 or 30; None fetches it again only when asked.

    Without a title it bears the page's own. `split` is the JSON of the splitting settings.
    """

    url: str
    title: str | None = None
    target: Target = field(default_factory=Target)
    external_id: str | None = None
    refresh_days: int | None = None
    split: str | None = None
    tags: tuple[str, ...] | None = None
    origin: Origin = Origin.API


def checked_days(days: int | None) -> int | None:
    """Days after which a page is fetched again.

    Raises:
        BadRefreshDays: another number than 1, 7 or 30.
    """
    if days is not None and days not in REFRESH_DAYS:
        raise BadRefreshDays(days=days)
    return days


def seal_mark(vault: Vault, item_id: ItemId, mark: str | None) -> bytes | None:
    """An ETag or the time of the last change, as the site wrote it."""
    return None if mark is None else vault.seal_text(mark, "mark", item_id)


def open_mark(vault: Vault, item_id: ItemId, sealed: bytes | None) -> str | None:
    """A mark, if there is one."""
    return None if sealed is None else vault.open_text(sealed, "mark", item_id)


def next_refresh(now: datetime, days: int | None) -> datetime | None:
    """When a page that was had now is fetched again."""
    return None if days is None else now + timedelta(days=days)
