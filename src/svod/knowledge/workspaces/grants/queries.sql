-- settle_grants
-- What follows from limits, written to level_grant, for some principals or all, on some levels or
-- all. Who is not limited reads and sends everywhere. One who is reads the workspace level, the levels
-- he was given and those above them, and sends on what he was given `send`; a domain stands for its
-- addresses, while a base address does not stand for its plus-addresses. A key goes nowhere that its
-- member does not, and nobody who is disabled or revoked goes anywhere.
-- Index: the primary keys, principal_member.
with recursive who as (
  select p.principal_id, p.limited, m.principal_id member_id, m.limited member_limited,
    p.revoked_at is null and m.disabled_at is null live
  from principal p
  join principal m on m.workspace_id = p.workspace_id and m.principal_id = coalesce(p.member_id, p.principal_id)
  where p.workspace_id = %(workspace_id)s and p.kind in ('member', 'key')
    and (%(principal_ids)s::int[] is null or p.principal_id = any(%(principal_ids)s::int[]) or p.member_id = any(%(principal_ids)s::int[]))
),
lim as (
  select h.principal_id, h.level_id, h.may_send
  from principal_limit h
  where h.workspace_id = %(workspace_id)s
    and (%(principal_ids)s::int[] is null or h.principal_id in (select principal_id from who union select member_id from who))
),
above (level_id, above_id, above_kind) as (
  select l.level_id, l.level_id, l.kind from level l
  where l.workspace_id = %(workspace_id)s
    and (%(level_ids)s::int[] is null or l.level_id = any(%(level_ids)s::int[]) or l.level_id in (select level_id from lim))
  union all
  select a.level_id, up.level_id, up.kind
  from above a
  join level here on here.workspace_id = %(workspace_id)s and here.level_id = a.above_id
  join level up on up.workspace_id = %(workspace_id)s and up.level_id = here.parent_level_id
),
covered as (
  select principal_id, level_id, bool_or(may_send) may_send
  from (
    select h.principal_id, a.level_id, h.may_send
    from lim h join above a on a.above_id = h.level_id
    where a.level_id = h.level_id or a.above_kind = 'domain'
    union all
    select h.principal_id, a.above_id, false
    from lim h join above a on a.level_id = h.level_id
    union all
    select n.principal_id, l.level_id, false
    from (select principal_id from who union select member_id from who) n
    join level l on l.workspace_id = %(workspace_id)s and l.kind = 'workspace'
  ) c
  group by principal_id, level_id
),
wanted as (
  select w.principal_id, l.level_id,
    (not w.limited or own.may_send) and (not w.member_limited or his.may_send) may_send
  from who w
  join level l on l.workspace_id = %(workspace_id)s and (%(level_ids)s::int[] is null or l.level_id = any(%(level_ids)s::int[]))
  left join covered own on own.principal_id = w.principal_id and own.level_id = l.level_id
  left join covered his on his.principal_id = w.member_id and his.level_id = l.level_id
  where w.live and (not w.limited or own.level_id is not null) and (not w.member_limited or his.level_id is not null)
),
taken as (
  delete from level_grant g
  where g.workspace_id = %(workspace_id)s
    and g.principal_id in (select principal_id from who)
    and (%(level_ids)s::int[] is null or g.level_id = any(%(level_ids)s::int[]))
    and not exists (select from wanted w where w.principal_id = g.principal_id and w.level_id = g.level_id)
)
insert into level_grant (workspace_id, principal_id, level_id, may_read, may_send)
select %(workspace_id)s, principal_id, level_id, true, may_send from wanted
on conflict (workspace_id, principal_id, level_id)
do update set may_read = true, may_send = excluded.may_send
where not level_grant.may_read or level_grant.may_send <> excluded.may_send;

-- lock_people
-- Whoever changes levels, principals or limits waits here: grants are worked out from all of them.
-- Foreign keys that refer to the row do not wait.
select workspace_id from workspace where workspace_id = %(workspace_id)s for no key update;

-- find_limit_levels
-- Domains and addresses by name, as far as the principal may read them.
select l.level_id, l.kind, l.name
from unnest(%(kinds)s::text[], %(names)s::text[]) n (kind, name)
join level l on l.workspace_id = %(workspace_id)s and l.kind = n.kind and l.name = n.name
join level_grant g on g.workspace_id = l.workspace_id and g.level_id = l.level_id
where g.principal_id = %(principal_id)s and g.may_read and l.kind in ('domain', 'address');

-- set_limited
update principal set limited = %(limited)s
where workspace_id = %(workspace_id)s and principal_id = %(principal_id)s;

-- clear_limits
delete from principal_limit where workspace_id = %(workspace_id)s and principal_id = %(principal_id)s;

-- insert_limits
insert into principal_limit (workspace_id, principal_id, level_id, may_send)
select %(workspace_id)s, %(principal_id)s, level_id, may_send
from unnest(%(level_ids)s::int[], %(may_sends)s::bool[]) n (level_id, may_send);

-- list_limits
select h.principal_id, l.kind, l.name, h.may_send
from principal_limit h join level l using (workspace_id, level_id)
where h.workspace_id = %(workspace_id)s and h.principal_id = any(%(principal_ids)s::int[])
order by l.kind desc, l.name;

-- limited_to
-- Who is limited to some of these levels.
select distinct principal_id from principal_limit
where workspace_id = %(workspace_id)s and level_id = any(%(level_ids)s::int[]);
