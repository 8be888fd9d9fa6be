"""Deleting items, levels and workspaces: everything that was made of them goes at once."""

from collections.abc import Sequence

from svod.foundation.facts import Facts
from svod.foundation.ids import ItemId, LevelId, WorkspaceId
from svod.foundation.jobs import Jobs
from svod.foundation.storage import Transaction
from svod.knowledge.items.bulk import postgres
from svod.knowledge.items.facts import EverythingDeleted, ItemsDeleted
from svod.knowledge.items.jobs import unlink
from svod.knowledge.items.postgres import lock_keys
from svod.knowledge.workspaces import Caller
from svod.knowledge.workspaces.replies import forget_made

_FILES_A_JOB = 1000


async def lock_blobs(tx: Transaction, caller: Caller, item_ids: Sequence[ItemId]) -> None:
    """Wait for whoever stores the same bytes as these items hold.

    To be called before they are locked, as whoever stores does it in that order too.
    """
    for reading in caller.readings:
        await lock_keys(tx, await postgres.blobs_of_items(tx, reading.workspace_id, item_ids))


async def delete_items(
    tx: Transaction,
    facts: Facts,
    jobs: Jobs,
    workspace_id: WorkspaceId,
    item_ids: Sequence[ItemId],
    *,
    asked_in: WorkspaceId | None = None,
) -> None:
    """Remove held items, every version, and all that was made of them.

    Their files are refused to readers from the end of the transaction on, and unlinked by a job.
    Replies that showed them, kept in the workspace of who asks too, are dropped.
    """
    if not item_ids:
        return
    blob_keys = await postgres.blobs_of_items(tx, workspace_id, item_ids)
    await lock_keys(tx, blob_keys)
    await facts.announce(tx, ItemsDeleted(workspace_id, tuple(item_ids)))
    for keeper in {workspace_id, asked_in or workspace_id}:
        await forget_made(tx, keeper, item_ids)
    await postgres.delete_items(tx, workspace_id, item_ids)
    gone = await postgres.delete_unused_blobs(tx, workspace_id, blob_keys)
    await jobs.queue_many(
        tx,
        [
            unlink(workspace_id, gone[first : first + _FILES_A_JOB])
            for first in range(0, len(gone), _FILES_A_JOB)
        ],
    )


async def clear_levels(
    tx: Transaction,
    facts: Facts,
    jobs: Jobs,
    workspace_id: WorkspaceId,
    level_ids: Sequence[LevelId],
) -> None:
    """Remove everything that lies on some levels, and their namespaces."""
    item_ids = await postgres.lock_items_of_levels(tx, workspace_id, level_ids)
    # Held one by one first, as readers and embedders do; only then is the door shut, and whatever
    # came in meanwhile is taken along.
    await postgres.lock_namespaces_of_levels(tx, workspace_id, level_ids)
    late = await postgres.lock_items_of_levels(tx, workspace_id, level_ids)
    await delete_items(tx, facts, jobs, workspace_id, sorted({*item_ids, *late}))
    await postgres.delete_namespaces_of_levels(tx, workspace_id, level_ids)


async def clear_workspace(tx: Transaction, facts: Facts, workspace_id: WorkspaceId) -> None:
    """Remove every item and namespace of a workspace, and what was made of them.

    Its files are refused from then on; whoever deletes the workspace has them unlinked.
    """
    await postgres.lock_workspace(tx, workspace_id)
    await facts.announce(tx, EverythingDeleted(workspace_id))
    await postgres.delete_everything(tx, workspace_id)
