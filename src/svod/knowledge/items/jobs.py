"""Background work of this room: unlinking stored files that nothing points at."""

from dataclasses import dataclass

from svod.foundation.ids import WorkspaceId
from svod.foundation.jobs import Arguments, Job, Later
from svod.foundation.storage import Blobs, Database, Vaults, files_may_change
from svod.knowledge.items import postgres

UNLINK = "unlink_blob"
_BACKUP_WAIT_S = 10.0
"""A file that a backup has yet to copy stays until it is made."""


def unlink(workspace_id: WorkspaceId, blob_key: bytes) -> Job:
    """The job that removes a stored file, unless something points at it again by then."""
    arguments: Arguments = {"workspace_id": workspace_id, "blob_key": blob_key.hex()}
    return Job(UNLINK, queue="housekeeping", arguments=arguments)


@dataclass(frozen=True, slots=True)
class Unlinking:
    """Handles the job."""

    database: Database
    vaults: Vaults
    blobs: Blobs

    async def __call__(self, arguments: Arguments) -> None:
        """Remove the file under the lock that whoever adds the same bytes also takes."""
        workspace_id = WorkspaceId(int(arguments["workspace_id"]))
        blob_key = bytes.fromhex(str(arguments["blob_key"]))
        async with self.database.transaction() as tx:
            if not await files_may_change(tx):
                raise Later(_BACKUP_WAIT_S)
            vault = await self.vaults.of(tx, workspace_id)
            await postgres.lock_keys(tx, [blob_key])
            if not await postgres.blob_exists(tx, workspace_id, blob_key):
                await self.blobs.remove(vault, blob_key)
