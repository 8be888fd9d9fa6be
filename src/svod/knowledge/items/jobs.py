"""Background work of this room: unlinking stored files that nothing points at."""

from collections.abc import Sequence
from dataclasses import dataclass

from svod.foundation.ids import WorkspaceId
from svod.foundation.jobs import Arguments, Job, Later
from svod.foundation.storage import Blobs, Database, files_may_change
from svod.knowledge.items import postgres

UNLINK = "unlink_blobs"
_HOUSEKEEPING = "housekeeping"
_BACKUP_WAIT_S = 10.0
"""A file that a backup has yet to copy stays until it is made."""


def unlink(workspace_id: WorkspaceId, blob_keys: Sequence[bytes]) -> Job:
    """The job that removes stored files, but for those that something points at again by then."""
    named = ",".join(bytes(key).hex() for key in blob_keys)
    arguments: Arguments = {"workspace_id": workspace_id, "blob_keys": named}
    return Job(UNLINK, queue=_HOUSEKEEPING, arguments=arguments)


@dataclass(frozen=True, slots=True)
class Unlinking:
    """Handles the jobs."""

    database: Database
    blobs: Blobs

    async def __call__(self, arguments: Arguments) -> None:
        """Remove files under the locks that whoever adds the same bytes also takes."""
        workspace_id = WorkspaceId(int(arguments["workspace_id"]))
        blob_keys = [bytes.fromhex(key) for key in str(arguments["blob_keys"]).split(",")]
        async with self.database.transaction() as tx:
            if not await files_may_change(tx):
                raise Later(_BACKUP_WAIT_S)
            await postgres.lock_keys(tx, blob_keys)
            used = await postgres.used_blobs(tx, workspace_id, blob_keys)
            await self.blobs.remove(workspace_id, [key for key in blob_keys if key not in used])
