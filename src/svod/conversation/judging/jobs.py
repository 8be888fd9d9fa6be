"""The job of this room, and which collection it is about."""

from svod.foundation.ids import NamespaceId, WorkspaceId
from svod.foundation.jobs import Arguments, Job

REFIT = "refit"
_DELAY_S = 20.0
"""Questions that are judged one after another are fitted once."""
_QUEUE = "housekeeping"


def refit(workspace_id: WorkspaceId, namespace_id: NamespaceId) -> Job:
    """Fit the thresholds and curves of a collection anew; one waiting is enough."""
    about = f"refit:{workspace_id}:{namespace_id}"
    return Job(
        REFIT,
        queue=_QUEUE,
        lock=about,
        once=about,
        delay_s=_DELAY_S,
        arguments={"workspace_id": workspace_id, "namespace_id": namespace_id},
    )


def collection_of(arguments: Arguments) -> tuple[WorkspaceId, NamespaceId]:
    """The collection that a job is about."""
    return (
        WorkspaceId(int(arguments["workspace_id"])),
        NamespaceId(int(arguments["namespace_id"])),
    )
