-- add_key
insert into workspace_key (workspace_id, purpose, key_id, wrapped, created_at)
values (%(workspace_id)s, %(purpose)s, %(key_id)s, %(wrapped)s, now());

-- list_keys
select purpose, key_id, wrapped from workspace_key where workspace_id = %(workspace_id)s;

-- find_any_key
-- Any key tells whether the master key fits: one master key wraps them all.
select workspace_id, purpose, key_id, wrapped from workspace_key limit 1;

-- list_blob_keys
select blob_key from blob where workspace_id = %(workspace_id)s;

-- share_standstill
-- Not waited for: a backup may take an hour.
select pg_try_advisory_xact_lock_shared(%(lock)s);
