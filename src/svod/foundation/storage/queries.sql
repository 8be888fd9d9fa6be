-- add_key
insert into workspace_key (workspace_id, purpose, key_id, wrapped, created_at)
values (%(workspace_id)s, %(purpose)s, %(key_id)s, %(wrapped)s, now());

-- list_keys
-- In the order made. A key is known when every process has read it; by the database's clock alone.
select purpose, key_id, wrapped, created_at <= now() - make_interval(secs => %(known_s)s) known
from workspace_key where workspace_id = %(workspace_id)s order by created_at, key_id;

-- list_seal_keys
select workspace_id, (array_agg(key_id order by created_at desc, key_id desc))[1] newest,
  (array_agg(key_id::int order by created_at desc, key_id desc))[2:] older,
  extract(epoch from now() - max(created_at))::float8 age_s
from workspace_key
where purpose = 'seal' and (%(workspace_id)s::bigint is null or workspace_id = %(workspace_id)s)
group by workspace_id order by workspace_id;

-- remove_keys
delete from workspace_key
where workspace_id = %(workspace_id)s and purpose = 'seal' and key_id = any(%(key_ids)s::int[]);

-- hold_keys
-- The master key is not changed while a workspace gets its keys.
lock table workspace_key in row exclusive mode;

-- hold_keys_alone
lock table workspace_key in share row exclusive mode;

-- find_any_key
-- Any key tells whether the master key fits: one master key wraps them all.
select workspace_id, purpose, key_id, wrapped from workspace_key limit 1;

-- list_blob_keys
select blob_key from blob where workspace_id = %(workspace_id)s;

-- share_standstill
-- Not waited for: a backup may take an hour.
select pg_try_advisory_xact_lock_shared(%(lock)s);

-- list_blobs_after
select blob_key from blob where workspace_id = %(workspace_id)s and blob_key > %(after)s
order by blob_key limit %(rows)s;

-- hold_blob
select 1 from blob where workspace_id = %(workspace_id)s and blob_key = %(blob_key)s for update;

-- list_all_keys
select workspace_id, purpose, key_id, wrapped from workspace_key;

-- rewrap_key
update workspace_key set wrapped = %(wrapped)s
where workspace_id = %(workspace_id)s and purpose = %(purpose)s and key_id = %(key_id)s;
