"""The jobs of this room, and which item each is about."""

from collections.abc import Iterable
from dataclasses import dataclass

from svod.foundation.ids import CardId, ItemId, WorkspaceId
from svod.foundation.jobs import Arguments, Job
from svod.knowledge.items.links.postgres import PageAt
from svod.knowledge.items.processing import VersionAt

INGEST = "ingest"
EMBED = "embed"
MOMENTS = "moments"
HOUSEKEEPING = "housekeeping"
LOAD = "load"

_MOMENTS_DELAY_S = 2.0
"""Many items that come together make one change of the moments."""


@dataclass(frozen=True, slots=True)
class MomentsAt:
    """Whose vectors' moments."""

    workspace_id: WorkspaceId
    card_id: CardId


def ingest(at: VersionAt, *, kind: str) -> Job:
    """Read, split and index a version; notes overtake files."""
    return Job(
        INGEST,
        queue=INGEST,
        priority=10 if kind == "note" else 0,
        lock=_lock(INGEST, at),
        arguments=dict[str, int | str](at.sql),
    )


def embed(at: VersionAt, *, small: bool) -> Job:
    """Compute vectors of a version; what takes one go overtakes what takes many."""
    priority = 10 if small else 0
    return Job(
        EMBED,
        queue=EMBED,
        priority=priority,
        lock=_lock(EMBED, at),
        arguments=dict[str, int | str](at.sql),
    )


def load(at: PageAt, *, asked: bool) -> Job:
    """Fetch the page of a link; `asked` if somebody waits for it, else it is due."""
    arguments: Arguments = {
        "workspace_id": at.workspace_id,
        "item_id": at.item_id,
        "asked": int(asked),
    }
    return Job(
        LOAD,
        queue=LOAD,
        priority=10 if asked else 0,
        lock=_lock(LOAD, at),
        arguments=arguments,
    )


def moments(workspace_id: WorkspaceId, card_id: CardId) -> Job:
    """Take the moments of a workspace's vectors anew; one waiting is enough."""
    return Job(
        MOMENTS,
        queue=HOUSEKEEPING,
        once=f"moments:{workspace_id}",
        delay_s=_MOMENTS_DELAY_S,
        arguments={"workspace_id": workspace_id, "card_id": card_id},
    )


def locks(workspace_id: WorkspaceId, item_ids: Iterable[ItemId]) -> list[str]:
    """The locks of every job about these items."""
    return [
        _lock(job, VersionAt(workspace_id, item_id, 0))
        for item_id in item_ids
        for job in (INGEST, EMBED, LOAD)
    ]


def version_at(arguments: Arguments) -> VersionAt:
    """The version that a job is about."""
    return VersionAt(
        WorkspaceId(int(arguments["workspace_id"])),
        ItemId(int(arguments["item_id"])),
        int(arguments["version"]),
    )


def page_at(arguments: Arguments) -> PageAt:
    """The page that a job is about."""
    return PageAt(WorkspaceId(int(arguments["workspace_id"])), ItemId(int(arguments["item_id"])))


def moments_at(arguments: Arguments) -> MomentsAt:
    """Whose vectors a job is about."""
    return MomentsAt(WorkspaceId(int(arguments["workspace_id"])), CardId(int(arguments["card_id"])))


def _lock(job: str, at: VersionAt | PageAt) -> str:
    """One job of a kind an item; the two kinds apart, so that an edit waits for no slice."""
    return f"{job}:{at.workspace_id}:{at.item_id}"
