"""What this room asks of the database, beside what Procrastinate does."""

from collections.abc import Sequence
from dataclasses import dataclass

from svod.foundation.ids import WorkspaceId
from svod.foundation.storage import Statements, Transaction

SQL = Statements(__package__ or "")


@dataclass(frozen=True, slots=True)
class Counts:
    """How many jobs wait, run, and were buried because they could not even be given up."""

    waiting: int
    running: int
    buried: int


async def finish(tx: Transaction, job_id: int, worker_id: int) -> None:
    """End a job for good, if the worker still holds it."""
    await tx.run(SQL.finish, {"job_id": job_id, "worker_id": worker_id})


async def run_again(
    tx: Transaction, job_id: int, worker_id: int, *, wait_s: float, counted: bool
) -> None:
    """Queue a job again, if the worker still holds it."""
    held = {"job_id": job_id, "worker_id": worker_id}
    await tx.run(SQL.run_again, held | {"wait_s": wait_s, "counted": int(counted)})


async def bury(tx: Transaction, job_id: int, worker_id: int) -> None:
    """Keep a job as failed for ever, if the worker still holds it."""
    await tx.run(SQL.bury, {"job_id": job_id, "worker_id": worker_id})


async def beat(tx: Transaction, worker_id: int) -> bool:
    """Say that a worker is alive; False if it was taken for dead and removed."""
    return await tx.run(SQL.beat, {"worker_id": worker_id}) > 0


async def list_held(tx: Transaction, worker_id: int) -> set[int]:
    """The jobs that a worker holds."""
    return set(await tx.values(SQL.list_held, {"worker_id": worker_id}))


async def requeue_dead(tx: Transaction, *, dead_s: float, running: list[int]) -> list[int]:
    """Queue the jobs of dead workers again, except those running here; which they are."""
    return await tx.values(SQL.requeue_dead, {"dead_s": dead_s, "running": running})


async def remove_dead_workers(tx: Transaction, *, dead_s: float) -> None:
    """Forget workers that are dead and hold nothing."""
    await tx.run(SQL.remove_dead_workers, {"dead_s": dead_s})


async def remove_old_steps(tx: Transaction, *, days: int) -> None:
    """Remove steps that nobody came back for."""
    await tx.run(SQL.remove_old_steps, {"days": days})


async def drop_waiting(tx: Transaction, locks: Sequence[str]) -> None:
    """Remove the waiting jobs of these locks."""
    await tx.run(SQL.drop_waiting, {"locks": list(locks)})


async def count_workers(tx: Transaction, *, dead_s: float) -> int:
    """How many workers are alive."""
    count: int = await tx.value(SQL.count_workers, {"dead_s": dead_s})
    return count


async def find_oldest_waiting(tx: Transaction) -> float | None:
    """Seconds that the longest waiting job could have run; None if none waits."""
    seconds: float | None = await tx.value(SQL.find_oldest_waiting)
    return seconds


async def count_jobs(tx: Transaction) -> Counts:
    """How many jobs there are, by state."""
    counts = await tx.first(SQL.count_jobs, row=Counts)
    return counts or Counts(0, 0, 0)


async def find_step(
    tx: Transaction, workspace_id: WorkspaceId, job_key: str, name: str
) -> bytes | None:
    """A finished step's sealed result."""
    key = {"workspace_id": workspace_id, "job_key": job_key, "name": name}
    sealed: bytes | None = await tx.value(SQL.find_step, key)
    return sealed


async def store_step(
    tx: Transaction, workspace_id: WorkspaceId, job_key: str, name: str, sealed_result: bytes
) -> None:
    """Keep a finished step."""
    key = {"workspace_id": workspace_id, "job_key": job_key, "name": name}
    await tx.run(SQL.store_step, key | {"sealed_result": sealed_result})


async def forget_steps(tx: Transaction, workspace_id: WorkspaceId, job_key: str) -> None:
    """Remove a job's steps."""
    await tx.run(SQL.forget_steps, {"workspace_id": workspace_id, "job_key": job_key})
