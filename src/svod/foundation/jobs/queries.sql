-- finish
-- Only by the worker that holds the job: one that was thought dead must not end another's run.
-- Workers are told when a job of the same lock waits, which they passed over until now.
with done as (
  delete from procrastinate_jobs
  where id = %(job_id)s and worker_id = %(worker_id)s and status = 'doing'
  returning lock
)
select pg_notify('procrastinate_any_queue_v1', '{"type": "job_inserted", "job_id": 0}')
from done
where exists (
  select from procrastinate_jobs waiting
  where waiting.lock = done.lock and waiting.status = 'todo'
);

-- run_again
-- Without its `once`: another with that mark may wait by now, and two cannot.
update procrastinate_jobs set
  status = 'todo', worker_id = null, queueing_lock = null, attempts = attempts + %(counted)s,
  scheduled_at = now() + make_interval(secs => %(wait_s)s)
where id = %(job_id)s and worker_id = %(worker_id)s and status = 'doing';

-- bury
-- Kept for a person to look at: even saying that it was given up has failed too often.
update procrastinate_jobs set status = 'failed', worker_id = null
where id = %(job_id)s and worker_id = %(worker_id)s and status = 'doing';

-- beat
update procrastinate_workers set last_heartbeat = now() where id = %(worker_id)s;

-- list_held
select id from procrastinate_jobs where worker_id = %(worker_id)s and status = 'doing';

-- requeue_dead
-- Jobs whose worker is gone or silent run again at once, except those that run in this process.
with dead as (
  select job.id from procrastinate_jobs job
  left join procrastinate_workers worker on worker.id = job.worker_id
  where job.status = 'doing' and job.id <> all (%(running)s::bigint[])
    and (worker.id is null or worker.last_heartbeat < now() - make_interval(secs => %(dead_s)s))
  order by job.id
  for update of job skip locked
), again as (
  update procrastinate_jobs job set
    status = 'todo', worker_id = null, queueing_lock = null, attempts = attempts + 1,
    scheduled_at = null
  from dead where job.id = dead.id
  returning job.id
)
select again.id from again, lateral (
  select pg_notify('procrastinate_any_queue_v1', '{"type": "job_inserted", "job_id": 0}')
) told;

-- remove_dead_workers
delete from procrastinate_workers worker
where last_heartbeat < now() - make_interval(secs => %(dead_s)s)
  and not exists (
    select from procrastinate_jobs job where job.worker_id = worker.id and job.status = 'doing'
  );

-- remove_old_steps
delete from job_step where created_at < now() - make_interval(days => %(days)s);

-- drop_waiting
-- A job that a worker takes at this moment is its already, and stays.
delete from procrastinate_jobs where status = 'todo' and lock = any(%(locks)s::text[]);

-- count_workers
select count(*) from procrastinate_workers
where last_heartbeat > now() - make_interval(secs => %(dead_s)s);

-- find_oldest_waiting
-- How many seconds the longest waiting job has waited past the moment it could have run.
select extract(epoch from now() - min(coalesce(job.scheduled_at, event.at)))::float8
from procrastinate_jobs job
join lateral (
  select max(at) as at from procrastinate_events
  where job_id = job.id and type in ('deferred', 'deferred_for_retry')
) event on true
where job.status = 'todo' and (job.scheduled_at is null or job.scheduled_at <= now());

-- count_jobs
select
  count(*) filter (where status = 'todo') as waiting,
  count(*) filter (where status = 'doing') as running,
  count(*) filter (where status = 'failed') as buried
from procrastinate_jobs;

-- find_step
select sealed_result from job_step
where workspace_id = %(workspace_id)s and job_key = %(job_key)s and name = %(name)s;

-- store_step
insert into job_step (workspace_id, job_key, name, sealed_result, created_at)
values (%(workspace_id)s, %(job_key)s, %(name)s, %(sealed_result)s, now())
on conflict (workspace_id, job_key, name) do update
set sealed_result = excluded.sealed_result, created_at = excluded.created_at;

-- forget_steps
delete from job_step where workspace_id = %(workspace_id)s and job_key = %(job_key)s;
