"""Background work on whole workspaces: removing the files of one that was deleted."""

from dataclasses import dataclass

from svod.foundation.ids import WorkspaceId
from svod.foundation.jobs import Arguments, Job
from svod.foundation.storage import Blobs

REMOVE_FILES = "remove_workspace_files"


def remove_files(workspace_id: WorkspaceId) -> Job:
    """The job that removes every stored file of a workspace that is gone."""
    return Job(REMOVE_FILES, queue="housekeeping", arguments={"workspace_id": workspace_id})


@dataclass(frozen=True, slots=True)
class RemovingFiles:
    """Handles the job."""

    blobs: Blobs

    async def __call__(self, arguments: Arguments) -> None:
        """Remove the files; harmless to repeat. What is put meanwhile has no row, and is swept."""
        await self.blobs.remove_all(WorkspaceId(int(arguments["workspace_id"])))
