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

-- insert_principal
insert into principal (workspace_id, principal_id, kind, permissions, limited, operator, role, member_id, made_by, sealed_name,
  created_at, expires_at)
values (%(workspace_id)s, %(principal_id)s, %(kind)s, %(permissions)s, false, %(operator)s, %(role)s, %(member_id)s, %(made_by)s,
  %(sealed_name)s, %(now)s, %(expires_at)s);

-- grant_level
insert into level_grant (workspace_id, principal_id, level_id, may_read, may_send)
values (%(workspace_id)s, %(principal_id)s, %(level_id)s, %(may_read)s, %(may_send)s)
on conflict (workspace_id, principal_id, level_id)
do update set may_read = excluded.may_read, may_send = excluded.may_send;

-- insert_key
insert into api_key (workspace_id, secret_hash, principal_id)
values (%(workspace_id)s, %(secret_hash)s, %(principal_id)s);

-- use_key
-- The principal of a key that is neither revoked nor expired, and whose member is not disabled: he
-- bounds what it may do. Last use is noted once a minute: a write for each request would cost more
-- than the request.
with found as (
  select p.workspace_id, p.principal_id, p.kind, p.permissions,
    case when p.limited then p.principal_id when m.limited then m.principal_id end limited_as, p.operator and m.operator as operator,
    m.role, m.principal_id member_id, p.sealed_name, p.expires_at, p.last_used_at
  from api_key k
  join principal p using (workspace_id, principal_id)
  join principal m on m.workspace_id = p.workspace_id and m.principal_id = p.member_id
  where k.workspace_id = %(workspace_id)s and k.secret_hash = %(secret_hash)s
    and p.revoked_at is null and (p.expires_at is null or p.expires_at > %(now)s) and m.disabled_at is null
), noted as (
  update principal p set last_used_at = %(now)s
  from found f
  where p.workspace_id = f.workspace_id and p.principal_id = f.principal_id
    and (f.last_used_at is null or f.last_used_at < %(now)s - interval '1 minute')
)
select principal_id, kind, permissions, limited_as, operator, role, member_id, sealed_name, expires_at from found;

-- find_principal
-- A member or a key as it stands now, bounded by its member; whoever may not act any more is not found.
select p.principal_id, p.kind, p.permissions,
  case when p.limited then p.principal_id when m.limited then m.principal_id end limited_as, p.operator and m.operator as operator,
  m.role, m.principal_id member_id, p.sealed_name, p.expires_at
from principal p
join principal m on m.workspace_id = p.workspace_id and m.principal_id = coalesce(p.member_id, p.principal_id)
where p.workspace_id = %(workspace_id)s and p.principal_id = %(principal_id)s and p.kind in ('member', 'key')
  and p.revoked_at is null and m.disabled_at is null;

-- list_keys
select principal_id, permissions, operator, limited, member_id, made_by, sealed_name, created_at, expires_at, revoked_at, last_used_at
from principal where workspace_id = %(workspace_id)s and kind = 'key'
order by created_at, principal_id;

-- revoke_key
update principal set revoked_at = coalesce(revoked_at, %(now)s)
where workspace_id = %(workspace_id)s and principal_id = %(principal_id)s and kind = 'key';

-- list_levels
-- Levels are filtered by the grant here, so that a forgotten check cannot leak one. Items are counted
-- namespace by namespace, which an index answers.
select l.kind, l.name, g.may_send,
  (select count(*) from namespace n join item i on i.workspace_id = n.workspace_id and i.namespace_id = n.namespace_id
   where n.workspace_id = l.workspace_id and n.level_id = l.level_id)::int items
from level l join level_grant g using (workspace_id, level_id)
where l.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
order by case l.kind when 'workspace' then 0 when 'domain' then 1 when 'address' then 2 else 3 end, l.name;

-- find_level
select l.level_id, g.may_send
from level l join level_grant g using (workspace_id, level_id)
where l.workspace_id = %(workspace_id)s and g.principal_id = %(principal_id)s and g.may_read
  and l.kind = %(kind)s and l.name = %(name)s;

-- read_path
-- A level and those above it, the most specific first, as far as the principal may read them.
with recursive path as (
  select l.level_id, l.parent_level_id, l.kind, l.name, 0 steps
  from level l join level_grant g using (workspace_id, level_id)
  where l.workspace_id = %(workspace_id)s and l.kind = %(kind)s and l.name = %(name)s
    and g.principal_id = %(principal_id)s and g.may_read
  union all
  select l.level_id, l.parent_level_id, l.kind, l.name, p.steps + 1
  from path p
  join level l on l.workspace_id = %(workspace_id)s and l.level_id = p.parent_level_id
  join level_grant g on g.workspace_id = l.workspace_id and g.level_id = l.level_id
  where g.principal_id = %(principal_id)s and g.may_read
)
select kind, name from path order by steps;

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
