"""Background work on whole workspaces: removing the files of one that was deleted."""

from dataclasses import dataclass

from svod.foundation.ids import WorkspaceId
from svod.foundation.jobs import Arguments, Job, Later
from svod.foundation.storage import Blobs, Database, files_may_change

REMOVE_FILES = "remove_workspace_files"
_BACKUP_WAIT_S = 10.0


def remove_files(workspace_id: WorkspaceId) -> Job:
    """The job that removes every stored file of a workspace that is gone."""
    return Job(REMOVE_FILES, queue="housekeeping", arguments={"workspace_id": workspace_id})


@dataclass(frozen=True, slots=True)
class RemovingFiles:
    """Handles the job."""

    database: Database
    blobs: Blobs

    async def __call__(self, arguments: Arguments) -> None:
        """Remove the files; harmless to repeat. What is put meanwhile has no row, and is swept.

        A backup that is being made has yet to copy them, so that is waited for.
        """
        async with self.database.transaction() as tx:
            if not await files_may_change(tx):
                raise Later(_BACKUP_WAIT_S)
            await self.blobs.remove_all(WorkspaceId(int(arguments["workspace_id"])))
