-- system_workspace
select workspace_id from workspace where kind = 'system';

-- lock_first_run
-- One process at a time makes the first workspace; released with the transaction.
select pg_advisory_xact_lock(7386510);

-- tenants
select workspace_id from workspace where kind = 'tenant' order by created_at, workspace_id;

-- insert_workspace
insert into workspace (workspace_id, kind, sealed_name, language, created_at)
values (%(workspace_id)s, %(kind)s, %(sealed_name)s, %(language)s, %(now)s);

-- name_workspace
update workspace set sealed_name = %(sealed_name)s where workspace_id = %(workspace_id)s;

-- workspace_name
select sealed_name from workspace where workspace_id = %(workspace_id)s;

-- draw_numbers
-- The last of `count` new numbers of a counter; its row is locked until the transaction ends.
insert into counter (workspace_id, name, last) values (%(workspace_id)s, %(name)s, %(count)s)
on conflict (workspace_id, name) do update set last = counter.last + excluded.last
returning last;

-- insert_level
insert into level (workspace_id, level_id, kind, name, parent_level_id, created_at)
values (%(workspace_id)s, %(level_id)s, %(kind)s, %(name)s, %(parent_level_id)s, %(now)s);

-- grant_new_level
-- Those who are not limited read and send on every level, also on one made later.
insert into level_grant (workspace_id, principal_id, level_id, may_read, may_send)
select p.workspace_id, p.principal_id, %(level_id)s, true, p.kind <> 'reader'
from principal p
where p.workspace_id = %(workspace_id)s and not p.limited
on conflict do nothing;

-- insert_principal
insert into principal (workspace_id, principal_id, kind, permissions, limited, operator, sealed_name, created_at, expires_at)
values (%(workspace_id)s, %(principal_id)s, %(kind)s, %(permissions)s, %(limited)s, %(operator)s, %(sealed_name)s, %(now)s, %(expires_at)s);

-- grant_every_level
insert into level_grant (workspace_id, principal_id, level_id, may_read, may_send)
select l.workspace_id, %(principal_id)s, l.level_id, true, %(may_send)s
from level l where l.workspace_id = %(workspace_id)s
on conflict do nothing;

-- grant_level
insert into level_grant (workspace_id, principal_id, level_id, may_read, may_send)
values (%(workspace_id)s, %(principal_id)s, %(level_id)s, %(may_read)s, %(may_send)s)
on conflict (workspace_id, principal_id, level_id)
do update set may_read = excluded.may_read, may_send = excluded.may_send;

-- grant_levels_of
-- A new key of someone who is limited reads and sends no more than he does.
insert into level_grant (workspace_id, principal_id, level_id, may_read, may_send)
select g.workspace_id, %(principal_id)s, g.level_id, g.may_read, g.may_send
from level_grant g
where g.workspace_id = %(workspace_id)s and g.principal_id = %(maker_id)s
on conflict do nothing;

-- insert_key
insert into api_key (workspace_id, secret_hash, principal_id)
values (%(workspace_id)s, %(secret_hash)s, %(principal_id)s);

-- use_key
-- The principal of a key that is neither revoked nor expired. Last use is noted once a minute: a
-- write for each request would cost more than the request.
with found as (
  select p.workspace_id, p.principal_id, p.kind, p.permissions, p.operator, p.limited, p.sealed_name, p.expires_at, p.last_used_at
  from api_key k join principal p using (workspace_id, principal_id)
  where k.workspace_id = %(workspace_id)s and k.secret_hash = %(secret_hash)s
    and p.revoked_at is null and (p.expires_at is null or p.expires_at > %(now)s)
), noted as (
  update principal p set last_used_at = %(now)s
  from found f
  where p.workspace_id = f.workspace_id and p.principal_id = f.principal_id
    and (f.last_used_at is null or f.last_used_at < %(now)s - interval '1 minute')
)
select principal_id, kind, permissions, operator, limited, sealed_name, expires_at from found;

-- find_principal
select principal_id, kind, permissions, operator, limited, sealed_name, expires_at
from principal where workspace_id = %(workspace_id)s and principal_id = %(principal_id)s;

-- list_keys
select principal_id, permissions, operator, sealed_name, created_at, expires_at, revoked_at, last_used_at
from principal where workspace_id = %(workspace_id)s and kind = 'key'
order by created_at, principal_id;

-- revoke_key
update principal set revoked_at = coalesce(revoked_at, %(now)s)
where workspace_id = %(workspace_id)s and principal_id = %(principal_id)s and kind = 'key';

-- list_levels
-- Levels are filtered by the grant here, so that a forgotten check cannot leak one.
select l.kind, l.name, g.may_send,
  (select count(*) from item i where i.workspace_id = l.workspace_id and i.level_id = l.level_id)::int items
from level l join level_grant g using (workspace_id, level_id)
where l.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
order by case l.kind when 'workspace' then 0 when 'domain' then 1 when 'address' then 2 else 3 end, l.name;

-- find_level
select l.level_id, g.may_send
from level l join level_grant g using (workspace_id, level_id)
where l.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
  and l.kind = %(kind)s and l.name = %(name)s;

-- find_namespace
select namespace_id from namespace
where workspace_id = %(workspace_id)s and level_id = %(level_id)s and clean_namespace = %(clean_namespace)s;

-- insert_namespace
insert into namespace (workspace_id, namespace_id, level_id, clean_namespace, created_at)
values (%(workspace_id)s, %(namespace_id)s, %(level_id)s, %(clean_namespace)s, %(now)s)
on conflict (workspace_id, level_id, clean_namespace) do nothing;

-- replace_setup_link
with gone as (delete from setup_link where workspace_id = %(workspace_id)s and used_at is null)
insert into setup_link (workspace_id, secret_hash, expires_at)
values (%(workspace_id)s, %(secret_hash)s, %(expires_at)s);

-- setup_was_done
select exists (select from setup_link where workspace_id = %(workspace_id)s and used_at is not null);

-- use_setup_link
update setup_link set used_at = %(now)s
where workspace_id = %(workspace_id)s and secret_hash = %(secret_hash)s and used_at is null and expires_at > %(now)s;
